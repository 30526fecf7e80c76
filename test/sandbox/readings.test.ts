import { describe, expect, it } from 'vitest';
import type { Readings } from '../../src/protocol/readings.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { replayCheck } from '../../src/sandbox/authentication.ts';
import { encryptParameters } from '../../src/sandbox/encryption.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { LogEntry } from '../../src/server/log-entry.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { canonicalString, digest } from '../../src/signing/canonical.ts';
import { type HeaderFields, signHeaders } from '../../src/signing/header-mode.ts';
import { checkRows, testTable } from '../support/rows.ts';
import {
  BILL,
  call,
  callForm,
  callHeaders,
  type Envelope,
  envelopeOf,
  formBody,
  NOW,
  post,
  postJson,
  SECONDS,
  send,
  signed,
  start,
  textPart,
} from './support.ts';

const ESTIMATE = '/takecar/estimate/price';
const OTHER_BILL = { bill_date: '2026-11-18', bill_type: 0, tar_type: 0 };
const withReadings = (readings: Readings): Promise<Sandbox> => start({ readings });

/** The answer in each mode. */
async function inBoth(sandbox: Sandbox, fields: object, path: string): Promise<Envelope[]> {
  return [
    await call(sandbox, fields, {}, path),
    await callHeaders(sandbox, fields, {}, undefined, path),
  ];
}

describe('types', () => {
  const PLACE = { city: '杭州', lat: 30.27 };
  const { encryptData: encrypt_data, encryptId: encrypt_id } = encryptParameters('{}', NOW);

  // Requests that the lenient reading accepts, with the answer of the strict one.
  const LENIENT = [
    ['/trade/bill', { ...BILL, bill_type: '0' }, 'bill_type is a string, not an int'],
    ['/trade/bill', { ...BILL, tar_type: '1' }, 'tar_type is a string, not an int'],
    [ESTIMATE, { ...PLACE, lat: '30.27' }, 'lat is a string, not a number'],
    ['/user/sync', { slon: '120.1' }, 'slon is a string, not a number'],
    ['/user/sync', { slat: '30' }, 'slat is a string, not a number'],
  ] as const;

  it.each([
    ['strict', 1001],
    ['lenient', 0],
  ] as const)('%s answers %i to numbers in strings, in both modes', async (types, code) => {
    const sandbox = await withReadings({ types });
    await checkRows(LENIENT, async ([path, fields, refusal]) => {
      const message = code === 0 ? 'Success' : refusal;
      for (const answer of await inBoth(sandbox, fields, path)) {
        expect(answer).toMatchObject({ code, message });
      }
    });
  });

  it('refuses other types in both readings', async () => {
    const raw = (bill_type: string): string =>
      `{"bill_date":"2026-11-19","bill_type":${bill_type},"tar_type":0}`;
    const rows = [
      ['/trade/bill', raw('0.0'), 'bill_type is 0.0, not an int'],
      ['/trade/bill', raw('1e0'), 'bill_type is 1e0, not an int'],
      ['/trade/bill', raw('true'), 'bill_type is a boolean, not an int'],
      ['/trade/bill', raw('{}'), 'bill_type is an object, not an int'],
      ['/trade/bill', raw('"0.0"'), 'bill_type is a string, not an int'],
      ['/trade/bill', raw('" 0"'), 'bill_type is a string, not an int'],
      ['/trade/bill', raw('12'), 'bill_type is not 0, 1 or 2'],
      [ESTIMATE, '{"city":330100,"lat":30}', 'city is a number, not a string'],
      [ESTIMATE, '{"city":"330100","lat":"1e1"}', 'lat is a string, not a number'],
      [
        '/param/decode',
        `{"encrypt_data":"${encrypt_data}","encrypt_id":${encrypt_id}}`,
        'encrypt_id is a number, not a string',
      ],
    ] as const;
    for (const types of ['strict', 'lenient'] as const) {
      const sandbox = await withReadings({ types });
      await checkRows(rows, async ([path, body, message]) => {
        const answer = await callHeaders(sandbox, body, {}, undefined, path);
        expect(answer).toEqual({ code: 1001, message, data: {} });
      });
    }
  });

  it.each([
    ['strict', 1001, 'timestamp is a string, not an int'],
    ['lenient', 0, 'Success'],
  ] as const)('%s answers %i to a timestamp in a string', async (types, code, message) => {
    const common = { api_key: 'sandbox', seq_id: 's-1', nonce: 'abcdefghij' };
    const fields = { ...common, ...BILL, timestamp: String(SECONDS) };
    const entries = Object.entries(fields).map(
      ([name, value]) => ({ name, value: String(value), source: 'common' }) as const,
    );
    const sign = digest(canonicalString(entries), SANDBOX_CREDENTIALS.secret);
    const { url } = await withReadings({ types });
    const reply = await send(`${url}/open/v1/trade/bill`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fields, sign }),
    });
    expect(envelopeOf(reply)).toMatchObject({ code, message });
  });

  it('a form has only text, in both readings', async () => {
    const texts = { bill_date: '2026-11-19', bill_type: '0', tar_type: '1' };
    const body = formBody(Object.entries(texts).map(([name, value]) => textPart(name, value)));
    for (const types of ['strict', 'lenient'] as const) {
      const answer = await callForm(await withReadings({ types }), texts, body, {
        path: '/trade/bill',
      });
      expect(answer).toMatchObject({ code: 0, message: 'Success' });
    }
  });

  it('strict requires JSON in Content-Type, lenient accepts any type', async () => {
    const rows: readonly [type: string | undefined, refusal: string | undefined][] = [
      ['application/json', undefined],
      ['application/json; charset=utf-8', undefined],
      ['Application/JSON;charset="UTF-8"', undefined],
      ['application/json;charset=utf8', undefined],
      [undefined, 'Content-Type is missing: send application/json'],
      ['', 'Content-Type is missing: send application/json'],
      ['text/plain', 'Content-Type is not JSON: text/plain'],
      ['json', 'Content-Type is not JSON: json'],
      [
        'application/x-www-form-urlencoded',
        'Content-Type is not JSON: application/x-www-form-urlencoded',
      ],
      ['application/json; charset=gbk', 'Content-Type is not UTF-8: application/json; charset=gbk'],
    ];
    const [strict, lenient] = [await start(), await withReadings({ types: 'lenient' })];
    const post = async ({ url }: Sandbox, type: string | undefined): Promise<Envelope[]> => {
      const typed: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const { headers } = signHeaders(JSON.stringify(BILL), SANDBOX_CREDENTIALS, {
        timestamp: SECONDS,
      });
      const requests = [
        ['/open/v1/trade/bill', { headers: typed, body: signed() }],
        ['/api/open/trade/bill', { headers: { ...headers, ...typed }, body: JSON.stringify(BILL) }],
      ] as const;
      const replies = requests.map(([path, request]) =>
        send(url + path, { method: 'POST', ...request }),
      );
      return (await Promise.all(replies)).map(envelopeOf);
    };
    await checkRows(rows, async ([type, message]) => {
      const refused = { code: 1001, message, data: {} };
      for (const answer of await post(strict, type)) {
        expect(answer).toMatchObject(message === undefined ? { code: 0 } : refused);
      }
      expect(await post(lenient, type)).toMatchObject([{ code: 0 }, { code: 0 }]);
    });
  });
});

describe('an accepted request that another reading refuses', () => {
  const SIGNED_AT = { timestamp: SECONDS, nonce: 'abcdefghij' };
  const inBody = (body: string) => ['/open/v1/user/sync', body, {}] as const;
  const inHeaders = (text: string, fields: HeaderFields = {}, path = '/user/sync') => {
    const { headers, body } = signHeaders(text, SANDBOX_CREDENTIALS, { ...SIGNED_AT, ...fields });
    return [`/api/open${path}`, body ?? '', headers] as const;
  };
  /** Sent with the spaces of Python, and signed so, or compact. */
  const nested = (text: string) => {
    const { body, canonical } = signBody('{"a":{"b":[1,2]}}', SANDBOX_CREDENTIALS, SIGNED_AT);
    const sign = digest(canonical.replace('{"b":[1,2]}', text), SANDBOX_CREDENTIALS.secret);
    const sent = body.replace('{"b":[1,2]}', '{"b": [1, 2]}');
    return inBody(sent.replace(/[0-9A-F]{32}/, sign));
  };
  const lowerCase = ([path, body, headers]: ReturnType<typeof inHeaders>) => {
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return [path, body, Object.fromEntries(lowered)] as const;
  };
  const short = { nonce: 'short' };
  const untyped = ([path, body]: ReturnType<typeof inBody>) =>
    [path, body, { 'Content-Type': 'text/plain' }] as const;

  type Row = readonly [
    title: string,
    request: readonly [path: string, body: string, headers: Readonly<Record<string, string>>],
    readings: Readings,
    /** The named readings. */
    named: string,
  ];
  testTable<Row>(
    'is answered with their names',
    [
      ['compact JSON', inBody(signed({ a: { b: [1, 2] } })), {}, ''],
      ['JSON as sent', nested('{"b": [1, 2]}'), {}, 'nested-json=as-sent'],
      ['JSON re-serialised', nested('{"b":[1,2]}'), {}, 'nested-json=compact'],
      ['chosen', nested('{"b":[1,2]}'), { 'nested-json': 'compact' }, 'nested-json=compact'],
      ['null', inHeaders('{"a":null}', { nullAs: 'omit' }), {}, 'null-in-header=omit'],
      ['null in body mode', inBody(signed({ a: null })), {}, ''],
      ['names in lower case', lowerCase(inHeaders('{}')), {}, 'header-names=documented'],
      ['documented names', inHeaders('{}'), { 'header-names': 'as-sent' }, ''],
      ['a short nonce', inHeaders('{}', short), {}, 'nonce=body-10'],
      ['a short nonce in body mode', inBody(signed({}, short)), { nonce: 'any' }, 'nonce=any'],
      ['a number as text', inBody(signed({ slat: '30' })), { types: 'lenient' }, 'types=lenient'],
      ['no JSON type', untyped(inBody(signed({}))), { types: 'lenient' }, 'types=lenient'],
      ['right types', inBody(signed({ slat: 30 })), { types: 'lenient' }, ''],
      ['a mode', inHeaders(JSON.stringify(BILL), {}, '/trade/bill'), {}, 'modes=any'],
      ['a refused request', inHeaders('{"a":null,"slat":"x"}'), {}, 'null-in-header=empty'],
      ['two', inHeaders('{"a":null}', short), {}, 'null-in-header=empty, nonce=body-10'],
    ],
    ([title]) => title,
    async ([, [path, body, headers], readings, named]) => {
      const { url } = await withReadings(readings);
      const reply = await postJson(url + path, body, headers);
      const warning = `${named} (another reading refuses this request: mop help readings)`;
      expect(reply.headers['x-mop-warning']).toBe(named === '' ? undefined : warning);
    },
  );

  it('includes a repeated request, and a bill at the end of the window', async () => {
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry) => entries.push(entry);
    const sandbox = await start({ log });
    const same = signed({}, { seqId: 's', nonce: 'abcdefghij' });
    for (const _ of [1, 2]) await post(sandbox, same, '/open/v1/user/sync');
    await call(sandbox, { ...BILL, bill_date: '2026-08-20' });
    expect(entries).toMatchObject([
      { readings: [], warnings: [] },
      {
        readings: ['replay=accept'],
        warnings: [
          'this nonce and seq_id were used within the last minute (refused under the reading replay=refuse)',
        ],
      },
      { readings: ['window=calendar'], warnings: [expect.stringContaining('window=90d')] },
    ]);
  });
});

it('nonce selects the modes in which a nonce must have 10 characters', async () => {
  const rows = [
    [{}, 1001, 0],
    [{ nonce: 'body-10' }, 1001, 0],
    [{ nonce: '10' }, 1001, 1001],
    [{ nonce: 'any' }, 0, 0],
  ] as const;
  await checkRows(rows, async ([readings, inBody, inHeaders]) => {
    const sandbox = await withReadings(readings);
    for (const nonce of ['123456789', '12345678901']) {
      const message = `the nonce has ${nonce.length} characters, not 10`;
      const answer = (code: number): object => (code === 0 ? { code } : { code, message });
      expect(await call(sandbox, BILL, { nonce })).toMatchObject(answer(inBody));
      expect(await callHeaders(sandbox, BILL, { nonce })).toMatchObject(answer(inHeaders));
    }
    expect(await callHeaders(sandbox, BILL, { nonce: false })).toMatchObject({ code: 0 });
    expect(await call(sandbox, BILL, { nonce: '一二三四五六七八九十' })).toMatchObject({ code: 0 });
  });
});

it('modes selects the addresses that serve an operation', async () => {
  const { encryptData: encrypt_data, encryptId: encrypt_id } = encryptParameters('{}', NOW);
  const [any, documented] = [await start(), await withReadings({ modes: 'documented' })];
  const success = { code: 0, message: 'Success' };
  const only = (message: string) => ({ code: 2000, message, data: {} });
  const rows = [
    ['/trade/bill', BILL, success, only('/trade/bill takes body mode: send it to /open/v1')],
    [
      '/param/decode',
      { encrypt_data, encrypt_id },
      success,
      only('/param/decode takes body mode: send it to /open/v1'),
    ],
    [
      ESTIMATE,
      { city: '杭州', lat: 30.27 },
      only(`${ESTIMATE} takes header mode: send it to /api/open`),
      success,
    ],
    ['/user/sync', {}, success, success],
  ] as const;
  await checkRows(rows, async ([path, fields, inBody, inHeaders]) => {
    expect(await inBoth(any, fields, path)).toMatchObject([success, success]);
    expect(await inBoth(documented, fields, path)).toMatchObject([inBody, inHeaders]);
  });
  expect(await call(documented, {}, {}, '/none')).toMatchObject(only('Illegal operation'));
});

describe('replay', () => {
  const SAME = { seqId: 's-1', nonce: 'abcdefghij' };
  const REFUSED = {
    code: 1002,
    message: 'this nonce and seq_id were used within the last minute',
    data: {},
  };

  it('accept allows the same request again', async () => {
    for (const sandbox of [await start(), await withReadings({ replay: 'accept' })]) {
      for (const _ of [1, 2]) expect(await call(sandbox, BILL, SAME)).toMatchObject({ code: 0 });
    }
  });

  it('refuse answers 1002 to the same request for a minute, in both modes', async () => {
    let now = NOW;
    const sandbox = await start({ readings: { replay: 'refuse' }, now: () => now });
    const timestamp = SECONDS + 30;
    // Only requests that are authentic count.
    expect(await call(sandbox, BILL, { ...SAME, timestamp: 1 })).toMatchObject({ code: 1055 });
    expect(await call(sandbox, BILL, { ...SAME, timestamp })).toMatchObject({ code: 0 });
    expect(await call(sandbox, OTHER_BILL, { ...SAME, timestamp })).toEqual(REFUSED);
    expect(await callHeaders(sandbox, BILL, { ...SAME, timestamp })).toEqual(REFUSED);
    for (const change of [{ seqId: 's-2' }, { nonce: 'abcdefghik' }]) {
      const common = { ...SAME, ...change, timestamp };
      expect(await call(sandbox, BILL, common)).toMatchObject({ code: 0 });
    }
    now = NOW + 59_999;
    expect(await call(sandbox, BILL, { ...SAME, timestamp })).toEqual(REFUSED);
    now = NOW + 60_000;
    expect(await call(sandbox, BILL, { ...SAME, timestamp })).toMatchObject({ code: 0 });
  });

  it('refuse answers 1002 to the same seq_id twice without a nonce', async () => {
    const sandbox = await withReadings({ replay: 'refuse' });
    const common = { seqId: 's-1', nonce: false } as const;
    expect(await callHeaders(sandbox, BILL, common)).toMatchObject({ code: 0 });
    expect(await callHeaders(sandbox, BILL, common)).toEqual(REFUSED);
  });

  it('remembers up to 100,000 requests', () => {
    const isReplay = replayCheck();
    for (let index = 0; index <= 100_000; index++) isReplay(`s-${index}`, undefined, NOW);
    expect(isReplay('s-2', undefined, NOW)).toBe(true);
    expect(isReplay('s-0', undefined, NOW)).toBe(false);
  });
});

it('window selects the dates that are 1052', async () => {
  // Three calendar months before the 20th of November are 92 days.
  const rows = [
    [{}, '2026-08-20', '2026-08-19'],
    [{ window: 'calendar' }, '2026-08-20', '2026-08-19'],
    [{ window: '90d' }, '2026-08-22', '2026-08-21'],
  ] as const;
  await checkRows(rows, async ([readings, first, before]) => {
    const sandbox = await withReadings(readings);
    expect(await call(sandbox, { ...BILL, bill_date: first })).toMatchObject({ code: 0 });
    expect(await call(sandbox, { ...BILL, bill_date: before })).toEqual({
      code: 1052,
      message: `bill_date is not in ${first} to 2026-11-20`,
      data: {},
    });
  });
});

it("ready-time sets the time of yesterday's bill, in the time zone", async () => {
  // It is 12:05 in Shanghai and 05:05 in Berlin.
  const rows = [
    [undefined, 'Asia/Shanghai', true],
    ['00:00', 'Asia/Shanghai', true],
    ['12:05', 'Asia/Shanghai', true],
    ['12:06', 'Asia/Shanghai', false],
    ['23:59', 'Asia/Shanghai', false],
    ['05:05', 'Europe/Berlin', true],
    ['05:06', 'Europe/Berlin', false],
  ] as const;
  await checkRows(rows, async ([ready, timeZone, isReady]) => {
    const sandbox = await start({ readings: { 'ready-time': ready }, timeZone });
    const { code, data } = await call(sandbox);
    expect([code, 'download_url' in data]).toEqual([0, isReady]);
    expect((await call(sandbox, OTHER_BILL)).data).toHaveProperty('download_url');
    const query = encodeURIComponent('{ bill { id } bills(last: 2) { date } }');
    const { body } = await send(`${sandbox.url}/graphql?query=${query}`);
    expect(JSON.parse(body.toString())).toEqual({
      data: {
        bill: isReady ? { id: '2026-11-19:ALL' } : null,
        bills: [...(isReady ? [{ date: '2026-11-19' }] : []), { date: '2026-11-18' }],
      },
    });
  });
});

it('an unknown reading is refused', async () => {
  const readings = { types: 'loose' } as unknown as Readings;
  await expect(startSandbox({ readings })).rejects.toMatchObject({
    code: 'usage',
    details: { hint: expect.stringContaining('types is one of strict, lenient') },
  });
});
