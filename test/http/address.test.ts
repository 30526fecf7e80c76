import { describe, expect, it } from 'vitest';
import {
  addressFault,
  endpointFault,
  httpUrl,
  isLoopback,
  isPrivateTransport,
  trimmedAddress,
} from '../../src/http/address.ts';

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
  ])('decides %j', (hostname, expected) => {
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
    ['ws://localhost', true],
    ['wss://host.example', true],
    ['ws://host.example', false],
  ])('decides %s', (url, expected) => {
    expect(isPrivateTransport(new URL(url))).toBe(expected);
  });
});

describe('endpointFault', () => {
  it.each([
    'http://host.example/graphql',
    'https://host.example/graphql?tenant=1',
    'ws://127.0.0.1:1/',
    'wss://host.example',
  ])('accepts %s', (address) => {
    expect(endpointFault(address)).toBeUndefined();
  });

  it.each([
    ['host.example', 'not a URL'],
    ['ftp://host.example', 'not an http, https, ws or wss address'],
    ['https://me:word@host.example/', 'user or password'],
    ['https://host.example/#a', 'fragment'],
    ['"https://host.example/graphql"', 'quotation marks'],
  ])('rejects %s', (address, fault) => {
    expect(endpointFault(address)).toContain(fault);
  });
});

it('converts between ws and http addresses', () => {
  const addresses = ['ws://a.example/b?c', 'wss://a.example', 'https://a.example/'];
  expect(addresses.map((address) => httpUrl(new URL(address)).href)).toEqual([
    'http://a.example/b?c',
    'https://a.example/',
    'https://a.example/',
  ]);
});

describe('addressFault', () => {
  it.each(['http://host.example', 'https://host.example/prefix/', 'http://10.0.0.1:8080'])(
    'accepts %s',
    (address) => {
      expect(addressFault(address)).toBeUndefined();
    },
  );

  it.each([
    ["'https://host.example'", 'it has quotation marks around it'],
    ['“https://host.example”', 'it has quotation marks around it'],
    ['host.example', 'it is not a URL'],
    ['https://host.example/ open', 'it contains white space'],
    ['ftp://host.example', 'it is not an http or https address'],
    ['http://user@host.example', 'it contains a user or password'],
    ['http://host.example?', undefined],
    ['http://host.example?a', 'it has a query or fragment'],
    ['http://host.example/api/detect', expect.stringContaining('remove /api/detect')],
  ])('reports for %j: %s', (address, fault) => {
    expect(addressFault(address)).toEqual(fault);
  });
});

describe('trimmedAddress', () => {
  it.each([
    ['https://HOST.example', 'https://host.example'],
    ['http://host.example:8080/a/b//', 'http://host.example:8080/a/b'],
  ])('trims %s to %s', (address, expected) => {
    expect(trimmedAddress(address)).toBe(expected);
  });
});
