import { describe, expect, it } from 'vitest';
import { platformAddressFault } from '../../src/platform/address.ts';

describe('platformAddressFault', () => {
  it.each([
    'https://host.example',
    'HTTPS://HOST.EXAMPLE/',
    'https://host.example:8443/prefix/',
    'https://host.example/open',
    'https://host.example/open/v10',
    'https://host.example/api/opening',
    'https://host.example/reopen/v1',
    'http://127.0.0.1:7800',
    'http://localhost/prefix',
  ])('finds no fault in %s', (address) => {
    expect(platformAddressFault(address)).toBeUndefined();
  });

  const prefix = 'mop adds this path';
  it.each([
    ['', 'it is not a URL'],
    ['host.example', 'it is not a URL'],
    ['//host.example', 'it is not a URL'],
    ['host.example:443', 'it is not an http or https address'],
    ['ftp://host.example', 'it is not an http or https address'],
    ['http://host.example', 'plain http is accepted for this machine only; use https'],
    ['http://10.0.0.1', 'plain http is accepted for this machine only; use https'],
    ['https://user@host.example', 'it contains a user or password'],
    ['https://:password@host.example', 'it contains a user or password'],
    ['https://host.example/?a=b', 'it has a query or fragment'],
    ['https://host.example/#a', 'it has a query or fragment'],
    ['https://host.example/open/v1', `remove /open/v1; ${prefix}`],
    ['https://host.example/open/v1/', `remove /open/v1/; ${prefix}`],
    ['https://host.example/a/open/v1/b', `remove /a/open/v1/b; ${prefix}`],
    ['https://host.example/api/open', `remove /api/open; ${prefix}`],
    ['https://host.example/api/detect/x', `remove /api/detect/x; ${prefix}`],
  ])('refuses %j: %s', (address, fault) => {
    expect(platformAddressFault(address)).toBe(fault);
  });
});
