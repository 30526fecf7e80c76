import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FIND_MISTAKE_IN_FILE } from '../../src/protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import type { LogEntry } from '../../src/server/log-entry.ts';
import { canonicalString, digest } from '../../src/signing/canonical.ts';
import { type HeaderFields, signHeaders } from '../../src/signing/header-mode.ts';
import { capitalizedName } from '../../src/signing/header-name.ts';
import {
  BILL,
  call,
  callHeaders,
  envelopeOf,
  post,
  postJson,
  SECONDS,
  send,
  signed,
  start,
} from './support.ts';

const SEQ_ID = '9b2f1c1e-6f0a-4d0b-9a55-0f5d7a1f3c21';
const COMMON = { api_key: 'sandbox', seq_id: SEQ_ID, timestamp: SECONDS, nonce: 'abcdefghij' };

/** The search finds it at once. */
const NEARLY = `${SANDBOX_CREDENTIALS.secret}\n`;

const changed = (change: object): string =>
  JSON.stringify({ ...(JSON.parse(signed()) as object), ...change });

test('a right signature passes in both modes', async () => {
  const sandbox = await start();
  expect(await call(sandbox)).toMatchObject({ code: 0, message: 'Success' });
  expect(await callHeaders(sandbox)).toMatchObject({ code: 0, message: 'Success' });
});

test.each([
  ['nothing', '', 'the body is empty'],
  ['a text that is not JSON', '{"a":', 'the body is not JSON: it is cut off after 5 bytes'],
  ['an array', '[]', 'the body is JSON, but not an object (it is an array)'],
  ['a repeated name', '{"a":1,"a":2}', 'the field "a" occurs twice'],
  [
    'Latin-1',
    Buffer.from('{"a":"é"}', 'latin1'),
    expect.stringContaining('is not UTF-8 text; it looks like Latin-1'),
  ],
  [
    'GBK',
    Buffer.from([0x7b, 0x22, 0xba, 0xbc, 0x22, 0x7d]),
    'the body is not UTF-8 text; it looks like GBK',
  ],
  ['gzip', gzipSync('{}'), 'the body is compressed with gzip; Content-Encoding is missing'],
  ['a byte order mark', '\ufeff{}', expect.stringContaining('the body is not JSON')],
])('a body with %s is 1001', async (_, body, message) => {
  const sandbox = await start();
  const answer = { code: 1001, message, data: {} };
  expect(await post(sandbox, body)).toEqual(answer);
  expect(await post(sandbox, body, '/api/open/trade/bill')).toEqual(answer);
});

test('a body over 1 MiB is 1001, with or without Content-Length', async () => {
  const sandbox = await start();
  const large = JSON.stringify({ text: 'x'.repeat(3 * 1024 * 1024) });
  const answer = { code: 1001, message: 'the body has more than 1 MiB', data: {} };
  expect(await post(sandbox, large)).toEqual(answer);
  const chunked = await fetch(`${sandbox.url}/open/v1/trade/bill`, {
    method: 'POST',
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(await chunked.json()).toEqual(answer);
  const fitting = await call(sandbox, { ...BILL, text: 'x'.repeat(1024 * 1024 - 1024) });
  expect(fitting.code).toBe(0);
});

test.each([
  [{ api_key: null }, 'api_key is missing'],
  [{ seq_id: undefined }, 'seq_id is missing'],
  [{ timestamp: undefined }, 'timestamp is missing'],
  [{ nonce: undefined }, 'nonce is missing'],
  [{ sign: undefined }, 'sign is missing'],
  [{ sign: '' }, 'sign is missing'],
  [{ sign: 1 }, 'sign is a number, not a string'],
  [{ api_key: 5 }, 'api_key is a number, not a string'],
  [{ seq_id: true }, 'seq_id is a boolean, not a string'],
  [{ nonce: ['abcdefghij'] }, 'nonce is an array, not a string'],
  [{ timestamp: {} }, 'timestamp is an object, not an int'],
  [{ timestamp: 1.5 }, 'timestamp is 1.5, not an int'],
  [{ timestamp: 'now' }, 'timestamp is a string, not an int'],
  [{ timestamp: String(SECONDS) }, 'timestamp is a string, not an int'],
  [{ timestamp: 1e14 }, 'timestamp has more than 11 digits'],
  [{ api_key: 'k'.repeat(33) }, 'api_key has more than 32 characters'],
  [{ seq_id: 's'.repeat(37) }, 'seq_id has more than 36 characters'],
])('in body mode %j is 1001', async (change, message) => {
  expect(await post(await start(), changed(change))).toEqual({ code: 1001, message, data: {} });
});

test('the checks run in the documented order', async () => {
  const sandbox = await start();
  const unknown = { apiKey: 'other', timestamp: 1, nonce: 'short' };
  const stale = { timestamp: 1, nonce: 'short' };
  expect(await post(sandbox, signed({}, unknown, 'wrong'))).toMatchObject({ code: 1003 });
  expect(await post(sandbox, signed({}, stale, NEARLY))).toMatchObject({ code: 1002 });
  expect(await call(sandbox, {}, stale)).toMatchObject({ code: 1055 });
  expect(await call(sandbox, {}, { nonce: 'short' }, '/none')).toMatchObject({ code: 1001 });
  expect(await call(sandbox, {}, {}, '/none')).toMatchObject({ code: 2000 });
  expect(await call(sandbox, {})).toMatchObject({ code: 1001 });
});

test('an unknown api_key is 1003', async () => {
  const sandbox = await start();
  const answer = { code: 1003, message: 'api_key invalid', data: {} };
  expect(await call(sandbox, BILL, { apiKey: 'other' })).toEqual(answer);
  expect(await callHeaders(sandbox, BILL, { apiKey: 'other' })).toEqual(answer);
});

test('a wrong signature is 1002 with the canonical string of the server, without the secret', async () => {
  const sandbox = await start();
  const body = signed({ ...BILL, remark: null }, { seqId: SEQ_ID, nonce: 'abcdefghij' }, 'wrong');
  expect(await post(sandbox, body)).toEqual({
    code: 1002,
    message: 'the signature does not match',
    data: {
      diagnosis: [],
      canonical:
        'api_key=sandbox&bill_date=2026-11-19&bill_type=0&nonce=abcdefghij' +
        `&seq_id=${SEQ_ID}&tar_type=0&timestamp=${SECONDS}`,
      // A busy machine skips it after 8 seconds.
      search: expect.stringMatching(/^(?:complete|skipped)$/),
      warnings: [],
      hint: FIND_MISTAKE_IN_FILE,
    },
  });
});

test('a wrong signature is diagnosed in both modes', async () => {
  const sandbox = await start();
  const text = signed({ ...BILL, remark: 'a b' });
  const { sign } = JSON.parse(text) as { sign: string };
  expect(await post(sandbox, text.replace(sign, sign.toLowerCase()))).toMatchObject({
    code: 1002,
    message: 'the signature does not match: hex-lowercase',
    data: {
      diagnosis: [
        {
          id: 'hex-lowercase',
          title: 'the signature is not in upper case',
          fields: [],
          fix: expect.any(String),
        },
      ],
    },
  });
  const headers = await callHeaders(sandbox, BILL, {}, (sent) => ({ ...sent, 'X-TMS-Extra': '1' }));
  expect(headers).toMatchObject({
    code: 1002,
    message: 'the signature does not match: header-unsigned',
    data: { diagnosis: [{ id: 'header-unsigned', fields: ['X-TMS-Extra'] }] },
  });
});

test('header mode signs names unchanged, and null as an empty value', async () => {
  const sandbox = await start();
  const body = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":0,"remark":null,"x":1.0}';
  const common: HeaderFields = {
    seqId: SEQ_ID,
    nonce: 'abcdefghij',
    headers: [['x-tms-Extra', '1']],
  };
  expect(await callHeaders(sandbox, body, common)).toMatchObject({ code: 0 });
  const tampered = await callHeaders(sandbox, body, common, (headers) => ({
    ...headers,
    'X-TMS-Sign': headers['X-TMS-Sign']?.toLowerCase() ?? '',
  }));
  expect(tampered).toMatchObject({
    code: 1002,
    message: 'the signature does not match: hex-lowercase',
    data: {
      canonical:
        'X-TMS-Api-Key=sandbox&X-TMS-Extra=1&X-TMS-Nonce=abcdefghij' +
        `&X-TMS-Seq-Id=${SEQ_ID}&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=${SECONDS}` +
        '&bill_date=2026-11-19&bill_type=0&remark=&tar_type=0&x=1.0',
      warnings: [expect.stringContaining('x-tms-Extra as X-TMS-Extra')],
      hint: FIND_MISTAKE_IN_FILE,
    },
  });
});

test.each<[sender: string, spell: (name: string) => string, nonce: string]>([
  ['an HTTP/2 proxy', (name) => name.toLowerCase(), 'x-tms-nonce'],
  ['Go or Ruby', capitalizedName, 'X-Tms-Nonce'],
])('header names that %s changed are read as documented, or as sent', async (_, spell, nonce) => {
  const change = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]));
  const logged: LogEntry[] = [];
  const sandbox = await start({ log: (entry) => logged.push(entry) });
  const answer = await callHeaders(sandbox, {}, {}, change, '/user/sync');
  expect(answer).toMatchObject({ code: 0 });
  expect(logged).toMatchObject([
    {
      readings: ['header-names=documented'],
      warnings: [expect.stringContaining(`${nonce} as X-TMS-Nonce`)],
    },
  ]);

  const asSent = await start({ readings: { 'header-names': 'as-sent' } });
  const refused = await callHeaders(asSent, BILL, { nonce: 'abcdefghij' }, change);
  expect(refused).toMatchObject({ code: 1002, data: { diagnosis: [{ id: 'header-name-case' }] } });
  expect(refused.data.canonical).toContain(`${nonce}=abcdefghij&`);
});

test.each([
  ['X-TMS-Api-Key', undefined, 1001, 'X-TMS-Api-Key is missing'],
  ['X-TMS-Api-Key', 'k'.repeat(33), 1001, 'X-TMS-Api-Key has more than 32 characters'],
  ['X-TMS-Seq-Id', undefined, 1001, 'X-TMS-Seq-Id is missing'],
  ['X-TMS-Seq-Id', 's'.repeat(37), 1001, 'X-TMS-Seq-Id has more than 36 characters'],
  ['X-TMS-Timestamp', undefined, 1001, 'X-TMS-Timestamp is missing'],
  ['X-TMS-Timestamp', '1e9', 1001, 'X-TMS-Timestamp is not a whole number'],
  ['X-TMS-Timestamp', '1'.repeat(14), 1001, 'X-TMS-Timestamp has more than 13 digits'],
  ['X-TMS-Sign', undefined, 1001, 'X-TMS-Sign is missing'],
])('in header mode %s: %s is %i', async (name, value, code, message) => {
  const answer = await callHeaders(await start(), BILL, {}, (headers) => {
    const { [name]: _, ...others } = headers;
    return value === undefined ? others : { ...others, [name]: value };
  });
  expect(answer).toEqual({ code, message, data: {} });
});

test.each([
  [undefined, 'X-TMS-Sign-Ver is missing'],
  ['1.0', 'X-TMS-Sign-Ver is not 2.0'],
])('the version %s is 1002', async (value, message) => {
  const answer = await callHeaders(await start(), BILL, {}, (headers) => {
    const { 'X-TMS-Sign-Ver': _, ...others } = headers;
    return value === undefined ? others : { ...others, 'X-TMS-Sign-Ver': value };
  });
  expect(answer).toMatchObject({
    code: 1002,
    message,
    data: { diagnosis: [{ id: 'version' }] },
  });
});

test('a request without a version and without a signature is 1002', async () => {
  const answer = await callHeaders(await start(), BILL, {}, () => ({}));
  const message = 'X-TMS-Sign-Ver is missing';
  expect(answer).toMatchObject({ code: 1002, message, data: { diagnosis: [{ id: 'version' }] } });
});

describe('a refusal suggests the intended field', () => {
  const renamed = (name: string, other: string): string =>
    signed().replace(`"${name}"`, `"${other}"`);
  const urlEncoded = String(new URLSearchParams(Object.entries(JSON.parse(signed()))));
  const milliseconds = { timestamp: SECONDS * 1000 };

  test.each<[title: string, body: string | Uint8Array, code: number, message: string]>([
    ['apiKey', renamed('api_key', 'apiKey'), 1001, 'api_key is missing, but apiKey was sent'],
    ['seqId', renamed('seq_id', 'seqId'), 1001, 'seq_id is missing, but seqId was sent'],
    ['Sign', renamed('sign', 'Sign'), 1001, 'sign is missing, but Sign was sent'],
    ['a form', urlEncoded, 1001, 'the body is a urlencoded form; the platform takes JSON'],
    ['gzip', gzipSync(signed()), 1001, 'the body is compressed (Content-Encoding: gzip)'],
    [
      'milliseconds',
      signed(BILL, milliseconds),
      1055,
      'the timestamp is in milliseconds; body mode takes seconds',
    ],
  ])('in body mode: %s', async (_, body, code, message) => {
    const headers = typeof body === 'string' ? {} : { 'Content-Encoding': 'gzip' };
    const { url } = await start();
    const reply = await postJson(`${url}/open/v1/trade/bill`, body, headers);
    expect(envelopeOf(reply)).toEqual({ code, message, data: {} });
  });

  test('at the address of the other mode', async () => {
    const sandbox = await start();
    expect(await post(sandbox, signed(), '/api/open/trade/bill')).toMatchObject({
      code: 1002,
      message: 'X-TMS-Sign-Ver is missing: sign belongs to /open/v1',
      data: { diagnosis: [{ id: 'wrong-scheme' }] },
    });
    const { headers, body } = signHeaders(JSON.stringify(BILL), SANDBOX_CREDENTIALS);
    const url = `${sandbox.url}/open/v1/trade/bill`;
    const reply = await postJson(url, body ?? '', headers);
    expect(envelopeOf(reply)).toMatchObject({
      code: 1001,
      message: 'api_key is missing: X-TMS-Api-Key belongs to /api/open',
    });
  });

  test('besides a wrong signature', async () => {
    const answer = await post(await start(), signed(BILL, milliseconds, NEARLY));
    expect(answer).toMatchObject({
      code: 1002,
      data: { warnings: ['the timestamp is in milliseconds; body mode takes seconds'] },
    });
  });
});

test('headers that were signed in body mode are diagnosed', async () => {
  const { url } = await start();
  const fields = { ...COMMON, ...BILL };
  const canonical = canonicalString(
    Object.entries({ ...fields, 'X-TMS-Trace': '1' }).map(([name, value]) => ({
      name,
      value: String(value),
      source: 'common',
    })),
  );
  const sign = digest(canonical, SANDBOX_CREDENTIALS.secret);
  const body = JSON.stringify({ ...fields, sign });
  const reply = await postJson(`${url}/open/v1/trade/bill`, body, { 'X-TMS-Trace': '1' });
  expect(envelopeOf(reply)).toMatchObject({ data: { diagnosis: [{ id: 'wrong-scheme' }] } });
});

test('a header that occurs twice is 1001', async () => {
  const { url } = await start();
  const { headers } = signHeaders('{}', SANDBOX_CREDENTIALS);
  const twice = [...Object.entries(headers).flat(), 'x-tms-nonce', 'abcdefghij'];
  // Node adds these only to headers that come by name.
  twice.push('Host', 'localhost', 'Content-Length', '2', 'Content-Type', 'application/json');
  const request = { method: 'POST', headers: twice, body: '{}' };
  expect(envelopeOf(await send(`${url}/api/open/trade/bill`, request))).toEqual({
    code: 1001,
    message: 'the field "x-tms-nonce" occurs twice',
    data: {},
  });
});

test('a field with the name of a signed header is 1001', async () => {
  const { url } = await start();
  const { headers } = signHeaders('{}', SANDBOX_CREDENTIALS);
  const body = '{"X-TMS-Nonce":"abcdefghij"}';
  expect(envelopeOf(await postJson(`${url}/api/open/trade/bill`, body, headers))).toMatchObject({
    code: 1001,
    message: expect.stringContaining('a field named like the signed header'),
  });
});

test.each([
  [-61, 1055, 'the timestamp is 61 s behind the server'],
  [-60, 0, 'Success'],
  [60, 0, 'Success'],
  [61, 1055, 'the timestamp is 61 s ahead of the server'],
])('a timestamp %i s off is %i', async (offset, code, message) => {
  const sandbox = await start();
  const timestamp = SECONDS + offset;
  expect(await call(sandbox, BILL, { timestamp })).toMatchObject({ code, message });
  expect(await callHeaders(sandbox, BILL, { timestamp })).toMatchObject({ code, message });
});

test('milliseconds are accepted in header mode only', async () => {
  const sandbox = await start();
  const at = (seconds: number) => ({ timestamp: (SECONDS + seconds) * 1000 + 999 });
  expect(await callHeaders(sandbox, BILL, at(60))).toMatchObject({ code: 0 });
  expect(await callHeaders(sandbox, BILL, at(61))).toMatchObject({ code: 1055 });
  expect(await call(sandbox, BILL, at(0))).toMatchObject({ code: 1055 });
});
