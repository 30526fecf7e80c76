import { credentialFields } from './credential-fields.ts';
import { CREDENTIAL_FIELDS, isCredential } from './credentials.ts';
import { replaceSecrets } from './secrets.ts';

export const REDACTED = '<redacted>';

export const SECRET_FIELDS = ['x-tms-sign', 'sign', ...CREDENTIAL_FIELDS];

export function redactHeader(name: string, value: string): string {
  if (isCredential(name, value)) return REDACTED;
  return /^(?:content-)?location$|^referer$/i.test(name) ? redactUrl(value) : value;
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
 * A text of any notation, complete or truncated, without the values of these fields (lower case). A
 * link loses only its query.
 */
export function redactFields(text: string, fields: readonly string[] = SECRET_FIELDS): string {
  let shown = '';
  let done = 0;
  for (const field of credentialFields(text, fields)) {
    const { name, value, from, to, missingQuote } = field;
    const link = name === 'download_url' ? redactLink(value) : REDACTED;
    if (link === value) continue;
    shown += text.slice(done, from) + missingQuote + link + missingQuote;
    done = to;
  }
  return shown + text.slice(done);
}

export function redactValues(text: string, values: Iterable<string>): string {
  return replaceSecrets(text, values, REDACTED);
}

/** The start of an answer, in quotes and without secrets, for a message. */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  if (text.trim() === '') return 'an empty body';
  const known = redactValues(text.slice(0, 65_536), secrets);
  const start = redactFields(known.slice(0, 4096)).replace(/\s+/g, ' ').trim();
  return JSON.stringify(start.length > 80 ? `${start.slice(0, 80)}…` : start);
}
