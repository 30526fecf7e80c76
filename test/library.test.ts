import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  encryptParameters,
  type MopError,
  PlatformClient,
  type PlatformClientOptions,
  parseFault,
  printJson,
  startSandbox,
  Transport,
} from '../src/index.ts';
import * as signing from '../src/signing.ts';
import { NOW, temporaryDirectory } from './support/cli.ts';

/** A client of a sandbox, made only with public exports. */
async function platform(faults: string[] = [], options: Partial<PlatformClientOptions> = {}) {
  const sandbox = await startSandbox({ now: () => NOW, rows: 5, faults: faults.map(parseFault) });
  const transport = new Transport();
  onTestFinished(async () => {
    await transport.close();
    await sandbox.close();
  });
  return new PlatformClient({
    credentials: { apiKey: 'sandbox', secret: 'sandbox-secret' },
    transport,
    baseUrl: sandbox.url,
    openBaseUrl: sandbox.url,
    source: { now: () => NOW, nonce: () => 'abcdefghij', seqId: () => 'seq-1' },
    sleep: async () => {},
    ...options,
  });
}

const failureOf = (call: Promise<unknown>): Promise<MopError> =>
  call.then(
    () => expect.fail('the call succeeded'),
    (error: MopError) => error,
  );

describe('PlatformClient', () => {
  it('decodes parameters', async () => {
    const client = await platform();
    const text = '{ "openId":"o-1", "mobile":"13800000000", "n":1.0 }';
    const decoded = await client.decode(encryptParameters(text, NOW));
    expect(decoded).toMatchObject({
      seqId: 'seq-1',
      jsonString: text,
      openId: 'o-1',
      mobile: '13800000000',
    });
    expect(decoded.content && printJson(decoded.content)).toBe(
      '{"openId":"o-1","mobile":"13800000000","n":1.0}',
    );
  });

  it('decodes parameters without a user', async () => {
    const client = await platform();
    const decoded = await client.decode(encryptParameters('{"openId":7}', NOW));
    expect([decoded.openId, decoded.mobile]).toEqual([undefined, undefined]);
  });

  it('estimates prices, from an object or from JSON text', async () => {
    const client = await platform();
    const answer = await client.estimatePrice({ city: '330100', lat: 30.27, lng: 120.15 });
    expect(answer.data && printJson(answer.data)).toMatch(/"price":\d+\.\d\d/);
    const again = await client.estimatePrice('{"city":"330100","lat":30.27,"lng":120.15}');
    expect(again.data).toEqual(answer.data);
  });

  it('returns the link to a bill', async () => {
    const client = await platform();
    const descriptor = await client.billDescriptor({ date: '2026-11-19', type: 'all' });
    expect(descriptor.downloadUrl).toBeInstanceOf(URL);
    expect(descriptor.digest).toMatchObject({ type: 'MD5' });
    expect(descriptor.authorization).toBeTruthy();
  });

  it.each([
    ['2026-11-20', 'not-ready'],
    ['2026-10-13', 'no-bill'],
  ])('throws for the bill of %s', async (date, code) => {
    const client = await platform();
    expect((await failureOf(client.billDescriptor({ date, type: 'all' }))).code).toBe(code);
  });

  it('fetches a bill', async () => {
    const client = await platform();
    const target = join(await temporaryDirectory(), 'bill.csv');
    const events: string[] = [];
    const job = { date: '2026-11-19', type: 'paid', target } as const;
    const bill = await client.fetchBill(job, { onEvent: ({ kind }) => events.push(kind) });
    expect(bill).toMatchObject({ status: 'downloaded', path: target, verified: true });
    expect(events).toContain('attempt');
  });

  it('calls any operation, and retries only a repeatable one', async () => {
    const operation = { path: 'user/sync', mode: 'header', body: '{"slat":30.10}' } as const;
    const client = await platform(['code=-1:2']);
    const error = await failureOf(client.call(operation));
    expect(error).toMatchObject({ code: 'network', retryable: true });
    expect(error.details.envelope).toContain('"code":-1');
    const answer = await client.call({ ...operation, repeatable: true });
    expect(answer.data && printJson(answer.data)).toBe('{"slat":30.10}');
  });

  it('reports a wrong clock, and an operation that was already done', async () => {
    const reported: string[] = [];
    const onWarning = (message: string) => reported.push(message);
    const client = await platform(['skew=90', 'code=2303'], { onWarning, onNotice: onWarning });
    const answer = await client.call({ path: 'user/sync', mode: 'body', body: '{}' });
    expect(answer.code).toBe(2303);
    expect(reported).toEqual([
      expect.stringContaining('90 s behind'),
      expect.stringContaining('already succeeded before'),
    ]);
  });

  it('does not send an invalid request', async () => {
    const client = await platform();
    const invalid = [
      client.decode({ encryptData: 'x', encryptId: '1234567890123456789' }),
      client.call({ path: 'https://host/x', mode: 'body', body: '{}' }),
      client.call({ path: 'x', mode: 'body', body: '[]' }),
      client.billDescriptor({ date: 'x', type: 'all' }),
      client.fetchBill({ date: '2026-02-30', type: 'all', target: '/none' }),
      client.call({ path: 'x', mode: 'body', body: [{ name: 'a', value: 'b' }] }),
    ];
    for (const call of invalid) expect((await failureOf(call)).code).toBe('usage');
  });
});

it('exports signatures in a separate entry', () => {
  expect(Object.keys(signing).sort()).toEqual([
    'DIAGNOSIS_IDS',
    'JsonSyntaxError',
    'MopError',
    'explainSignature',
    'member',
    'parseJson',
    'printJson',
    'readCapture',
    'signBody',
    'signHeaders',
    'verifySignature',
  ]);
});
