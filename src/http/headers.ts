import { MopError } from '../errors.ts';
import { isPrivateTransport } from './address.ts';
import type { HttpRequest } from './request.ts';

type Headers = HttpRequest['headers'];

/** Names that say that the value is a credential. */
const CREDENTIAL_NAME = /auth|bearer|cookie|credential|jwt|key|passw|secret|session|sign|token/i;

/** Values that say so themselves. */
const CREDENTIAL_VALUE = /^(?:bearer|basic)\s/i;

/** Shorter values of cookies stand everywhere, and hide nothing. */
const MIN_COOKIE_LENGTH = 4;

/** What HTTP itself needs, and mop writes. */
const RESERVED =
  /^(?:connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Checks headers that a caller adds to requests. No message shows a value.
 *
 * @throws {MopError} `usage` for one that cannot be sent, and for a credential that others could
 *   read on its way: it needs https, except to this machine (`CLI.md` section 2).
 */
export function checkHeaders(headers: Headers, url: URL): void {
  for (const [name, value] of headers) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new MopError('usage', `the header ${JSON.stringify(name)} cannot be sent`, {
        hint: 'a name is letters, digits and dashes; a value is one line of Latin-1',
      });
    }
    if (RESERVED.test(name)) {
      throw new MopError('usage', `the header ${name} is written by mop`, { hint: 'leave it out' });
    }
    checkCredential(`the header ${name}`, name, value, url);
  }
}

/**
 * Checks one thing that is sent along, whatever it is sent in.
 *
 * @throws {MopError} `usage` for a credential that others could read on its way.
 */
export function checkCredential(what: string, name: string, value: string, url: URL): void {
  if (!isCredential(name, value) || isPrivateTransport(url)) return;
  throw new MopError(
    'usage',
    `${what} looks like a credential, and ${url.host} is asked over plain ${url.protocol.replace(':', '')}`,
    { hint: 'use an address of https or wss, so that nobody on the way can read it' },
  );
}

/**
 * The values that no trace or message may show: also those of `Bearer TOKEN` without the scheme,
 * and each cookie of several.
 */
export function credentialsIn(headers: Headers): string[] {
  return headers
    .filter(([name, value]) => isCredential(name, value))
    .flatMap(([name, value]) => [
      value,
      value.replace(/^\S+\s+/, ''),
      ...(/cookie/i.test(name) ? cookieValues(value) : []),
    ]);
}

function isCredential(name: string, value: string): boolean {
  return CREDENTIAL_NAME.test(name) || CREDENTIAL_VALUE.test(value);
}

function cookieValues(cookies: string): string[] {
  return cookies
    .split(';')
    .map((cookie) => cookie.replace(/^[^=]*=/, '').replace(/^\s*"?|"?\s*$/g, ''))
    .filter(({ length }) => length >= MIN_COOKIE_LENGTH);
}

/** `own` headers with those of a caller, which replace them. */
export function withHeaders(own: Headers, given: Headers): Headers {
  const names = given.map(([name]) => name.toLowerCase());
  return [...own.filter(([name]) => !names.includes(name.toLowerCase())), ...given];
}

/** Headers by their names; several of one name keep their order. */
export function headersByName(headers: Headers): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) byName.set(name, [...(byName.get(name) ?? []), value]);
  return Object.fromEntries(byName);
}
