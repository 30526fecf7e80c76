import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/http/loopback.ts';
import { addressFault, isPrivateTransport } from '../../src/platform/address.ts';

describe('isLoopback', () => {
  it.each([
    ['localhost', true],
    ['LOCALHOST', true],
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['[::1]', true],
    ['::1', true],
    ['127.0.0.1.example.com', false],
    ['127.example.com', false],
    ['localhost.example.com', false],
    ['notlocalhost', false],
    ['128.0.0.1', false],
    ['0.0.0.0', false],
    ['[::2]', false],
    ['', false],
  ])('judges %j', (hostname, expected) => {
    expect(isLoopback(hostname)).toBe(expected);
  });
});

describe('isPrivateTransport', () => {
  it.each([
    ['https://host.example', true],
    ['http://127.0.0.1:7800', true],
    // As a URL it is 127.0.0.1.
    ['http://0x7f.1', true],
    ['http://[::1]:7800', true],
    ['http://localhost', true],
    ['http://host.example', false],
    ['http://127.0.0.1@host.example', false],
    ['ftp://localhost', false],
    ['ws://localhost', false],
  ])('judges %s', (url, expected) => {
    expect(isPrivateTransport(new URL(url))).toBe(expected);
  });
});

describe('addressFault', () => {
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
  ])('finds none in %s', (address) => {
    expect(addressFault(address)).toBeUndefined();
  });

  const prefix = 'mop adds the part that the documents fix';
  it.each([
    ['', 'it is not a URL'],
    ['host.example', 'it is not a URL'],
    ['//host.example', 'it is not a URL'],
    ['host.example:443', 'it is not an https address'],
    ['ftp://host.example', 'it is not an https address'],
    ['http://host.example', 'plain http is accepted for this machine only; use https'],
    ['http://10.0.0.1', 'plain http is accepted for this machine only; use https'],
    ['https://user@host.example', 'it carries a user or password'],
    ['https://:password@host.example', 'it carries a user or password'],
    ['https://host.example/?a=b', 'it has a query or fragment'],
    ['https://host.example/#a', 'it has a query or fragment'],
    ['https://host.example/open/v1', `leave out /open/v1: ${prefix}`],
    ['https://host.example/open/v1/', `leave out /open/v1/: ${prefix}`],
    ['https://host.example/a/open/v1/b', `leave out /a/open/v1/b: ${prefix}`],
    ['https://host.example/api/open', `leave out /api/open: ${prefix}`],
    ['https://host.example/api/detect/x', `leave out /api/detect/x: ${prefix}`],
  ])('finds in %j that %s', (address, fault) => {
    expect(addressFault(address)).toBe(fault);
  });
});
