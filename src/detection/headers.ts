import { MopError } from '../errors.ts';
import { isPrivateTransport } from '../http/address.ts';
import type { HttpRequest } from '../http/transport.ts';

type Headers = HttpRequest['headers'];

/** Names that say that the value is a credential. */
const CREDENTIAL = /auth|cookie|token|secret|key|password/i;

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
    if (CREDENTIAL.test(name) && !isPrivateTransport(url)) {
      throw new MopError(
        'usage',
        `the header ${name} looks like a credential, and ${url.host} is asked over plain http`,
        { hint: 'use an https address, so that nobody on the way can read it' },
      );
    }
  }
}

/** The values that no trace or message may show; those of `Bearer TOKEN` without the scheme too. */
export function credentialsIn(headers: Headers): string[] {
  return headers
    .filter(([name]) => CREDENTIAL.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')]);
}

/** `own` headers with those of a caller, which replace them. */
export function withHeaders(own: Headers, given: Headers): Headers {
  const names = given.map(([name]) => name.toLowerCase());
  return [...own.filter(([name]) => !names.includes(name.toLowerCase())), ...given];
}
