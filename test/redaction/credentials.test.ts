import { expect, it } from 'vitest';
import { credentialsIn } from '../../src/redaction/credentials.ts';

it.each([
  ['Authorization', 'Bearer abcdefgh', ['abcdefgh']],
  ['Authorization', 'basic  dXNlcjpwYXNz', ['dXNlcjpwYXNz']],
  ['X-Api-Key', 'first-part second-part', ['first-part second-part']],
  ['X-Auth', 'my secret pass phrase', ['my secret pass phrase']],
  ['Cookie', 'a=12345678; b="87654321"; c=1', ['12345678', '87654321']],
  ['Set-Cookie', 'a=12345678; Path=/open/v1; Max-Age=31536000; HttpOnly', ['12345678']],
  ['X-Tenant', 'https://user:pass-word@host/?token=abcdefgh', ['pass-word', 'abcdefgh']],
  ['X-Tenant', '12345678901234567890', []],
  ['X-TMS-Api-Key', 'my-known-key', []],
  ['User-Agent', 'curl/8.5.0 (linux)', []],
])('the credentials in %s: %s', (name, value, credentials) => {
  expect(credentialsIn([[name, value]])).toEqual(credentials);
});
