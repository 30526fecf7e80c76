import { credentialFields, schemeLength } from './credential-fields.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** The fields whose values are credentials, in lower case. Signatures are not. */
export const CREDENTIAL_FIELDS: readonly string[] = ['authorization', 'api_secret', 'download_url'];

const CREDENTIAL_NAME =
  /auth|bearer|cookie|credential|jwt|key|passw|secret|session|token|(?:^|[-_])sig(?:n|nature)?(?:$|[-_])/i;

const CREDENTIAL_VALUE = /^(?:bearer|basic)\s/i;

const HARMLESS_NAME =
  /^(?:accept(?:-(?:charset|encoding|language|ranges))?|access-control-.*|cache-control|content-(?:type|length|encoding|language|disposition)|date|dnt|expect|host|if-(?:match|none-match|range|(?:un)?modified-since)|origin|pragma|prefer|priority|range|sec-(?:ch|fetch)-.*|te|trace(?:parent|state)|user-agent|via|(?:www|proxy)-authenticate|x-forwarded-(?:for|host|port|prefix|proto)|x-(?:request|correlation)-id|x-tms-(?:sign-ver|api-key|timestamp|seq-id|nonce))$/i;

/** Shorter values are not redacted: they occur in any text. */
const MIN_VALUE_LENGTH = 8;
const MIN_CREDENTIAL_LENGTH = 6;

/** A value of a link with a digit and a letter is random from this length on. */
const MIN_RANDOM_LENGTH = 16;

export function isCredential(name: string, value: string): boolean {
  if (CREDENTIAL_VALUE.test(value)) return true;
  return CREDENTIAL_NAME.test(name) && !HARMLESS_NAME.test(name);
}

/**
 * The secrets in headers of the user: tokens without their scheme, cookies, and the passwords and
 * queries of addresses. Other values count unless they are short, a number or harmless by name.
 */
export function credentialsIn(headers: Headers): string[] {
  return headers.flatMap(([name, value]) => {
    // The text after the first value is its lifetime and path.
    if (/^set-cookie$/i.test(name)) return cookieValues(value.split(';', 1).join());
    if (/cookie/i.test(name)) return cookieValues(value);
    if (isCredential(name, value)) return [tokenOf(value)];
    if (isShortOrNumeric(value) || HARMLESS_NAME.test(name)) return [];
    return /^https?:/i.test(value) && URL.canParse(value) ? linkSecrets(new URL(value)) : [value];
  });
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
    .filter(({ length }) => length >= MIN_VALUE_LENGTH);
}

export function credentialsInText(text: string, names = CREDENTIAL_FIELDS): string[] {
  return [...credentialFields(text, names)].flatMap(({ name, value }) => secretsIn(name, value));
}

/** The secrets in a field of {@link CREDENTIAL_FIELDS}: its token, or those in the query of a link. */
export function secretsIn(name: string, value: string): string[] {
  return name === 'download_url' ? querySecrets(queryOf(value)) : [tokenOf(value)];
}

export function queryOf(address: string): string {
  return address.replace(/^[^?#]*[?#]?/, '');
}

/** A credential without its scheme, such as `Bearer`, which occurs in any text. */
export function tokenOf(credential: string): string {
  const value = credential.trim();
  return value.slice(schemeLength(value, 0));
}

function linkSecrets({ password, search }: URL): string[] {
  return [password, ...querySecrets(search)];
}

/** Values with the name of a credential, long random values, and names without a value. */
export function querySecrets(query: string): string[] {
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => value === '' || isCredential(name, value) || isRandom(value))
    .map(([name, value]) => value || name)
    .filter(({ length }) => length >= MIN_CREDENTIAL_LENGTH);
}

function isRandom(value: string): boolean {
  return (
    value.length >= MIN_RANDOM_LENGTH &&
    /[a-z]/i.test(value) &&
    /\d/.test(value) &&
    !isNumeric(value)
  );
}

function isShortOrNumeric(value: string): boolean {
  return value.length < MIN_VALUE_LENGTH || isNumeric(value);
}

function isNumeric(value: string): boolean {
  return /^[\d:.TZ+-]*$/.test(value);
}
