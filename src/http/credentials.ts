import { credentialFields } from './credential-fields.ts';
import type { HttpRequest } from './request.ts';

type Headers = HttpRequest['headers'];

/** The fields whose values are credentials, in lower case. Signatures are not. */
export const CREDENTIAL_FIELDS: readonly string[] = ['authorization', 'api_secret', 'download_url'];

/** Names of headers and parameters whose value is a credential. */
const CREDENTIAL_NAME = /auth|bearer|cookie|credential|jwt|key|passw|secret|session|sig|token/i;

/** Values that are credentials in any header. */
const CREDENTIAL_VALUE = /^(?:bearer|basic)\s/i;

/** Headers whose value is never a credential. */
const HARMLESS_NAME =
  /^(?:accept(?:-.*)?|access-control-.*|cache-control|content-(?:type|length|encoding|language|disposition)|date|dnt|expect|host|if-.*|origin|pragma|prefer|priority|range|referer|sec-.*|te|trace(?:parent|state)|user-agent|via|(?:www|proxy)-authenticate|x-forwarded-.*|x-(?:request|correlation)-id|x-tms-(?:sign-ver|api-key|timestamp|seq-id|nonce))$/i;

/** Shorter values are not redacted: they occur in any text. */
const MIN_VALUE_LENGTH = 8;
const MIN_CREDENTIAL_LENGTH = 4;

/** Whether a header or parameter looks like a credential, by its name or its value. */
export function isCredential(name: string, value: string): boolean {
  if (CREDENTIAL_VALUE.test(value)) return true;
  return CREDENTIAL_NAME.test(name) && !HARMLESS_NAME.test(name);
}

/**
 * The secrets in headers that the user named: all values except those of harmless headers, short
 * values and numbers. Includes the token of `Bearer TOKEN` and each cookie.
 */
export function credentialsIn(headers: Headers): string[] {
  return headers
    .filter(([name, value]) => isCredential(name, value) || isUnknown(name, value))
    .flatMap(([name, value]) => [
      ...credentialParts(value),
      ...(/cookie/i.test(name) ? cookieValues(value) : []),
    ]);
}

function isUnknown(name: string, value: string): boolean {
  return !isShortOrNumeric(value) && !HARMLESS_NAME.test(name);
}

function cookieValues(cookies: string): string[] {
  return cookies
    .split(';')
    .map((cookie) =>
      cookie
        .replace(/^[^=]*=/, '')
        .trim()
        .replace(/^"|"$/g, ''),
    )
    .filter(({ length }) => length >= MIN_CREDENTIAL_LENGTH);
}

/** The credentials in a text of any notation, by their names. */
export function credentialsInText(text: string): string[] {
  return [...credentialFields(text, CREDENTIAL_FIELDS)].flatMap(({ name, value }) =>
    name === 'download_url'
      ? querySecrets(value.replace(/^[^?#]*[?#]?/, ''))
      : credentialParts(value),
  );
}

/** A credential, and its token without the scheme: a server may repeat the token alone. */
export function credentialParts(credential: string): string[] {
  return [credential, credential.replace(/^\S+\s+/, '')];
}

/**
 * The secrets in the query of a link: values with the name of a credential, longer values, and names
 * without a value. Dates and numbers are not secrets.
 */
export function querySecrets(query: string): string[] {
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => isCredential(name, value) || !isShortOrNumeric(value || name))
    .map(([name, value]) => value || name)
    .filter(({ length }) => length >= MIN_CREDENTIAL_LENGTH);
}

function isShortOrNumeric(value: string): boolean {
  return value.length < MIN_VALUE_LENGTH || /^[\d:.TZ+-]*$/.test(value);
}
