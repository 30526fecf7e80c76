import { replaceSecrets } from './secrets.ts';

/** The placeholder for a secret. */
export const REDACTED = '<redacted>';

const SECRET_HEADERS = /^(?:x-tms-sign|authorization|proxy-authorization|cookie|set-cookie)$/i;
/** The fields of JSON whose values are credentials. Signatures are not. */
export const CREDENTIAL_FIELDS: readonly string[] = ['authorization', 'api_secret', 'download_url'];

const SECRET_FIELDS = ['sign', 'x-tms-sign', ...CREDENTIAL_FIELDS];
/** The name of a field in JSON, escaped or not, up to its value; or a string that contains JSON. */
const FIELD_OR_JSON = /"((?:[^"\\]|\\.){1,80})"\s*:\s*|"(?=(?:\s|\\[nrt])*[{[])/g;

/** A header's value without secrets. */
export function redactHeader(name: string, value: string): string {
  if (SECRET_HEADERS.test(name)) return REDACTED;
  return /^location$/i.test(name) ? redactUrl(value) : value;
}

/** An address without its query, fragment and credentials: each may contain a signature. */
export function redactUrl(url: string): string {
  const bare = url.trim().replace(/^((?:[a-z][a-z0-9+.-]*:[/\\]+|[/\\]{2,})?)[^/\\?#]*@/i, '$1');
  return bare.replace(/[?#].*$/s, `?${REDACTED}`);
}

/** The link to a bill without its query; a text that is not a URL may be a secret as a whole. */
export function redactLink(link: string): string {
  return link === '' || URL.canParse(link) ? redactUrl(link) : REDACTED;
}

/**
 * JSON text, complete or truncated, without the values of secret fields, also in JSON inside strings.
 *
 * @param fields Their names in lower case; by default also those of signatures.
 */
export function redactJson(text: string, fields: readonly string[] = SECRET_FIELDS): string {
  let shown = '';
  let done = 0;
  for (const { 0: head, 1: written, index } of text.matchAll(FIELD_OR_JSON)) {
    // Skip names inside a value that is already redacted.
    if (index < done) continue;
    const isField = written !== undefined;
    const name = isField ? (plainText(`"${written}"`) ?? '').toLowerCase() : '';
    if (isField && !fields.includes(name)) continue;
    const start = isField ? index + head.length : index;
    const end = valueEnd(text, start);
    const value = text.slice(start, end);
    shown +=
      text.slice(done, start) + (isField ? redactValue(name, value) : redactNested(value, fields));
    done = end;
  }
  return shown + text.slice(done);
}

function redactValue(name: string, json: string): string {
  if (/^(?:null|true|false)?$/.test(json)) return json;
  const isUrl = name === 'download_url' && json.startsWith('"');
  const url = isUrl ? (plainText(json) ?? plainText(`${json}"`)) : undefined;
  return url === undefined ? `"${REDACTED}"` : JSON.stringify(redactLink(url));
}

/** A JSON string that contains JSON. A string that cannot be read is redacted as a whole. */
function redactNested(json: string, fields: readonly string[]): string {
  const start = json.replace(/\\(?:u[\da-f]{0,3})?$/i, '');
  const inner = plainText(json) ?? plainText(`${start}"`);
  if (inner === undefined) return `"${REDACTED}"`;
  const shown = redactJson(inner, fields);
  return shown === inner ? json : JSON.stringify(shown);
}

/** The value of a JSON string; undefined for any other text. */
function plainText(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The end of the JSON value that begins at `start`, or of the text. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') {
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth <= 0) return depth < 0 ? at : at + 1;
    } else if (character === ',' && depth === 0) {
      return at;
    }
  }
  return text.length;
}

/** The offset of the quote that ends the string which begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** `text` with every occurrence of the given values redacted, in any encoding. */
export function redactValues(text: string, values: Iterable<string>): string {
  return replaceSecrets(text, values, REDACTED);
}

/**
 * The start of an answer, in quotes, for a message.
 *
 * @param secrets Values to redact.
 */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  if (text.trim() === '') return 'an empty body';
  const known = redactValues(text.slice(0, 65_536), secrets);
  const start = redactJson(known.slice(0, 4096)).replace(/\s+/g, ' ').trim();
  return JSON.stringify(start.length > 80 ? `${start.slice(0, 80)}…` : start);
}
