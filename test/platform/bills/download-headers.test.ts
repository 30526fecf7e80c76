import { describe, expect, it } from 'vitest';
import {
  authHeaderFault,
  checkDownloadHeaders,
  headerSecrets,
  headersOf,
} from '../../../src/platform/bills/download-headers.ts';

describe('bill_auth_header', () => {
  it.each([
    ['Authorization', ['Authorization', 'a$&b']],
    ['X-Bill-Auth', ['X-Bill-Auth', 'a$&b']],
    ['Authorization: Bearer {authorization}', ['Authorization', 'Bearer a$&b']],
    ['X-Auth:{authorization}', ['X-Auth', 'a$&b']],
    ['Cookie: a=1; t={authorization}; b={c}', ['Cookie', 'a=1; t=a$&b; b={c}']],
  ])('%s', (authHeader, header) => {
    expect(authHeaderFault(authHeader)).toBeUndefined();
    const headers = { authHeader, downloadHeaders: [['X-Other', '1']] } as const;
    expect(headersOf('a$&b', headers)).toEqual([header, ['X-Other', '1']]);
    expect(headersOf(undefined, headers)).toEqual([['X-Other', '1']]);
  });

  it.each([
    ['', 'neither the name of a header nor a line'],
    ['A B', 'neither the name'],
    ['A B: {authorization}', 'neither the name'],
    ['Bearer {authorization}', 'neither the name'],
    [': {authorization}', 'neither the name'],
    ['A: x\r\nB: {authorization}', 'one line'],
    ['A\r\nB: {authorization}', 'neither the name'],
    ['A: \u4e2d {authorization}', 'one line'],
    ['Host', 'mop writes the header Host itself'],
    ['content-length: {authorization}', 'mop writes the header content-length itself'],
    ['A: Bearer', 'the line lacks {authorization}'],
    ['A: {Authorization}', 'the line lacks {authorization}'],
    ['A: {authorization} {authorization}', 'the line has {authorization} twice'],
  ])('%j is refused', (authHeader, fault) => {
    expect(authHeaderFault(authHeader)).toContain(fault);
    expect(() => checkDownloadHeaders({ authHeader, downloadHeaders: [] })).toThrow(fault);
  });
});

it('lists the sent value and other credentials as secrets', () => {
  const headers = {
    authHeader: 'X-Ticket: part-{authorization}',
    downloadHeaders: [
      ['X-Api-Key', 'key-canary'],
      ['X-Trace', 'plain'],
    ],
  } as const;
  expect(headerSecrets('a', headers)).toEqual(expect.arrayContaining(['part-a', 'key-canary']));
  expect(headerSecrets(undefined, headers)).not.toContain('plain');
});
