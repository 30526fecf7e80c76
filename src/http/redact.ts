/** What stands in the place of a secret. */
export const REDACTED = '<redacted>';

const SECRET_HEADERS = /^(?:x-tms-sign|authorization|proxy-authorization|cookie|set-cookie)$/i;
const SECRET_FIELD =
  /("(?:sign|authorization|x-tms-sign|api_secret)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[[{][^}]*)/gi;
const URL_FIELD = /("download_url"\s*:\s*")((?:[^"\\]|\\.)*)/gi;

/** A header's value as it may be shown. */
export function redactHeader(name: string, value: string): string {
  if (SECRET_HEADERS.test(name)) return REDACTED;
  return /^location$/i.test(name) ? redactUrl(value) : value;
}

/** An address without its query, fragment and credentials: each may carry a signature. */
export function redactUrl(url: string): string {
  const bare = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
  return bare.replace(/[?#].*$/s, `?${REDACTED}`);
}

/** JSON text, whole or cut short, without the values of secret fields. */
export function redactJson(text: string): string {
  return text
    .replace(SECRET_FIELD, `$1"${REDACTED}"`)
    .replace(URL_FIELD, (_, head: string, url: string) => head + redactUrl(url));
}

/** `text` with every occurrence of the given values taken out, as they are or JSON-escaped. */
export function redactValues(text: string, values: Iterable<string>): string {
  let clean = text;
  // The longest first: one may be a part of another.
  for (const value of [...values].sort((a, b) => b.length - a.length)) {
    if (value === '') continue;
    const escaped = [JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
    for (const form of [value, ...escaped]) {
      clean = clean.replaceAll(form, REDACTED);
    }
  }
  return clean;
}
