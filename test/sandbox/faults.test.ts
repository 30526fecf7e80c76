import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { RESULT_CODES } from '../../src/protocol/result-codes.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import {
  BILL,
  call,
  callHeaders,
  content,
  download,
  envelopeOf,
  NOW,
  postJson,
  SECONDS,
  send,
  signed,
  start,
} from './support.ts';

const withFaults = (...texts: string[]): Promise<Sandbox> =>
  start({ faults: texts.map(parseFault) });

describe('parseFault', () => {
  test.each([
    ['code=-1', { name: 'code', value: -1 }],
    ['code=1052:3', { name: 'code', value: 1052, count: 3 }],
    ['http=503:1', { name: 'http', value: 503, count: 1 }],
    ['latency=0', { name: 'latency', value: 0 }],
    ['skew=-120', { name: 'skew', value: -120 }],
    ['slow=1', { name: 'slow', value: 1 }],
    ['hash-type=SHA-256:2', { name: 'hash-type', value: 'SHA-256', count: 2 }],
    ['hash-type=a=b', { name: 'hash-type', value: 'a=b' }],
    ['drop', { name: 'drop', value: true }],
    ['truncate:10', { name: 'truncate', value: true, count: 10 }],
    ['corrupt', { name: 'corrupt', value: true }],
    ['expire', { name: 'expire', value: true }],
    ['no-hash', { name: 'no-hash', value: true }],
  ])('%s', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each([
    ['', 'there is no fault ""'],
    ['explode', 'there is no fault "explode"'],
    ['toString', 'there is no fault "toString"'],
    ['Drop', 'there is no fault "Drop"'],
    [':2', 'there is no fault ""'],
    ['drop=1', 'the fault "drop=1" is invalid: drop takes no value'],
    ['drop=', 'the fault "drop=" is invalid: drop takes no value'],
    [
      'code',
      'the fault "code" is invalid: code takes a whole number from -2147483648 to 2147483647',
    ],
    [
      'code=',
      'the fault "code=" is invalid: code takes a whole number from -2147483648 to 2147483647',
    ],
    [
      'code=1.5',
      'the fault "code=1.5" is invalid: code takes a whole number from -2147483648 to 2147483647',
    ],
    [
      'code=1e3',
      'the fault "code=1e3" is invalid: code takes a whole number from -2147483648 to 2147483647',
    ],
    ['http=999', 'the fault "http=999" is invalid: http takes a whole number from 200 to 599'],
    [
      'latency=-1',
      'the fault "latency=-1" is invalid: latency takes a whole number from 0 to 2147483647',
    ],
    [
      'latency=99999999999',
      'the fault "latency=99999999999" is invalid: latency takes a whole number from 0 to 2147483647',
    ],
    [
      'slow=0',
      'the fault "slow=0" is invalid: slow takes a whole number from 1 to 9007199254740991',
    ],
    ['hash-type', 'the fault "hash-type" is invalid: hash-type takes a name of 1 to 32 characters'],
    [
      `hash-type=${'x'.repeat(33)}`,
      `the fault "hash-type=${'x'.repeat(33)}" is invalid: hash-type takes a name of 1 to 32 characters`,
    ],
    ['drop:0', 'the count of the fault drop is "0", not 1 or more'],
    ['drop:', 'the count of the fault drop is "", not 1 or more'],
    ['drop:-1', 'the count of the fault drop is "-1", not 1 or more'],
    [
      'code=1:2:x',
      'the fault "code=1:2" is invalid: code takes a whole number from -2147483648 to 2147483647',
    ],
  ])('%j is refused', (text, message) => {
    let thrown: unknown;
    try {
      parseFault(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(MopError);
    expect(thrown).toMatchObject({
      code: 'usage',
      message,
      details: { hint: expect.stringContaining('mop sandbox --help lists the faults') },
    });
  });
});

test('code=N answers operations, in both modes and after authentication', async () => {
  const sandbox = await withFaults('code=2001');
  const answer = { code: 2001, message: 'Batch does not exist', data: {} };
  expect(await call(sandbox)).toEqual(answer);
  expect(await callHeaders(sandbox)).toEqual(answer);
  expect(await call(sandbox, {}, {}, '/none')).toEqual(answer);
  expect(await call(sandbox, BILL, { apiKey: 'other' })).toMatchObject({ code: 1003 });
  expect(await call(await withFaults('code=4711'))).toMatchObject({ message: 'Code 4711' });
});

test.each(RESULT_CODES)('code=$code answers with the meaning of the document', async (row) => {
  const { code, meaning: message } = row;
  expect(await call(await withFaults(`code=${code}`))).toEqual({ code, message, data: {} });
});

test('after its count, a fault is replaced by the next one of the same name', async () => {
  const sandbox = await withFaults('code=-1:2', 'code=1052:1');
  const codes: number[] = [];
  for (let n = 0; n < 4; n++) codes.push((await call(sandbox)).code);
  expect(codes).toEqual([-1, -1, 1052, 0]);
});

test.each([
  [500, undefined],
  [503, '1'],
  [429, '1'],
  [200, undefined],
])('http=%i answers operations with a page', async (status, retryAfter) => {
  const sandbox = await withFaults(`http=${status}:1`);
  const ask = () => postJson(`${sandbox.url}/open/v1/trade/bill`, signed());
  const { headers, body, ...reply } = await ask();
  expect(reply).toEqual({ status, complete: true });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['retry-after']).toBe(retryAfter);
  expect(body.toString()).toContain(`<h1>${status}</h1>`);
  expect(envelopeOf(await ask())).toMatchObject({ code: 0 });
});

test('http=204 has no body', async () => {
  const sandbox = await withFaults('http=204');
  const reply = await postJson(`${sandbox.url}/open/v1/trade/bill`, '{}');
  expect(reply).toMatchObject({ status: 204, body: Buffer.alloc(0) });
});

test('latency=MS makes every request wait', async () => {
  const sandbox = await withFaults('latency=60:2');
  const timed = async (): Promise<number> => {
    const started = performance.now();
    await send(`${sandbox.url}/elsewhere`);
    return performance.now() - started;
  };
  expect(await timed()).toBeGreaterThan(55);
  expect(await timed()).toBeGreaterThan(55);
  expect((await call(sandbox)).code).toBe(0);
});

test.each([0, 1])(
  'drop closes a download in the middle of the file (tar_type %i)',
  async (tar_type) => {
    const sandbox = await withFaults('drop:1');
    const whole = await download(await call(await start(), { ...BILL, tar_type }));
    const answer = await call(sandbox, { ...BILL, tar_type });
    const { status, complete, body } = await download(answer);
    expect([status, complete]).toEqual([200, false]);
    expect(body).toEqual(whole.body.subarray(0, Math.floor(whole.body.length / 2)));
    expect(await download(answer)).toMatchObject({ complete: true, body: whole.body });
  },
);

test.each([0, 1])('truncate ends a download early (tar_type %i)', async (tar_type) => {
  const sandbox = await withFaults('truncate:1');
  const answer = await call(sandbox, { ...BILL, tar_type });
  const short = await download(answer);
  const whole = await download(answer);
  expect([short.status, short.complete, whole.complete]).toEqual([200, true, true]);
  expect(short.body).toEqual(whole.body.subarray(0, Math.floor(whole.body.length / 2)));
  if (tar_type === 1) expect(() => gunzipSync(short.body)).toThrow('unexpected end of file');
});

test('drop closes a long download after 32 KiB', async () => {
  const options = { rows: 50_000, faults: [parseFault('drop:1'), parseFault('no-hash')] };
  const { body, complete } = await download(await call(await start(options)));
  expect([body.length, complete]).toEqual([32 * 1024, false]);
});

test.each([0, 1])('corrupt changes one byte of the original (tar_type %i)', async (tar_type) => {
  const sandbox = await withFaults('corrupt:1');
  const answer = await call(sandbox, { ...BILL, tar_type });
  const original = async (): Promise<Buffer> => {
    const { status, complete, body } = await download(answer);
    expect([status, complete]).toEqual([200, true]);
    return tar_type === 1 ? gunzipSync(body) : body;
  };
  const [bad, good] = [await original(), await original()];
  expect(bad.length).toBe(good.length);
  expect([...bad].filter((byte, index) => byte !== good[index])).toHaveLength(1);
  expect(createHash('md5').update(good).digest('hex')).toBe(answer.data.hash_value);
});

test('expire issues an expired link', async () => {
  const sandbox = await withFaults('expire:1');
  const { status, body } = await download(await call(sandbox));
  expect([status, body.toString()]).toEqual([403, expect.stringContaining('expired')]);
  expect((await download(await call(sandbox))).status).toBe(200);
});

test('no-hash omits the digest', async () => {
  const sandbox = await withFaults('no-hash:1');
  expect(Object.keys((await call(sandbox)).data)).toEqual(['download_url', 'authorization']);
  expect((await call(sandbox)).data).toHaveProperty('hash_value');
});

test.each([
  ['SHA-256', 'sha256'],
  ['sha512', 'sha512'],
  ['Sha_1', 'sha1'],
  ['CRC-64', 'md5'],
])('hash-type=%s', async (hashType, algorithm) => {
  const sandbox = await withFaults(`hash-type=${hashType}:1`);
  const expected = createHash(algorithm)
    .update(await content(await start()))
    .digest('hex');
  expect((await call(sandbox)).data).toMatchObject({ hash_type: hashType, hash_value: expected });
  expect((await call(sandbox)).data.hash_type).toBe('MD5');
});

test('slow=BYTES_PER_S throttles a download', async () => {
  const sandbox = await withFaults('slow=300000');
  const answer = await call(sandbox);
  const started = performance.now();
  const { body, complete } = await download(answer);
  expect(performance.now() - started).toBeGreaterThan((body.length / 300_000) * 1000 - 5);
  expect(complete).toBe(true);
  expect(createHash('md5').update(body).digest('hex')).toBe(answer.data.hash_value);
});

test('skew=S shifts the clock and the Date header', async () => {
  const sandbox = await withFaults('skew=120:2');
  const ask = async (timestamp: number): Promise<[number, number]> => {
    const url = `${sandbox.url}/open/v1/trade/bill`;
    const reply = await postJson(url, signed(BILL, { timestamp }));
    const date = Date.parse(reply.headers.date ?? '');
    return [envelopeOf(reply).code, date - Math.floor(NOW / 1000) * 1000];
  };
  expect(await ask(SECONDS)).toEqual([1055, 120_000]);
  expect(await ask(SECONDS + 120)).toEqual([0, 120_000]);
  expect(await ask(SECONDS)).toEqual([0, 0]);

  const behind = await withFaults('skew=-86400');
  const { data } = await call(behind, BILL, { timestamp: SECONDS - 86_400 });
  expect(data).toEqual({});
});
