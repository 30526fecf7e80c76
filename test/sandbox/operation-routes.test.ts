import { describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { encryptParameters } from '../../src/sandbox/encryption.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import type { LogEntry } from '../../src/server/log-entry.ts';
import { signHeaders } from '../../src/signing/header-mode.ts';
import { BILL, envelopeOf, NOW, postJson, type Reply, SECONDS, signed, start } from './support.ts';

const { encryptData: encrypt_data, encryptId: encrypt_id } = encryptParameters('{}', NOW);

const OPERATIONS = [
  ['/trade/bill', BILL],
  ['/param/decode', { encrypt_data, encrypt_id }],
  ['/takecar/estimate/price', { city: '杭州', lat: 30.27 }],
  ['/user/sync', { slon: 120.1, slat: 30.27 }],
] as const;

interface Operation {
  readonly prefix: '/open/v1' | '/api/open';
  readonly path: string;
  readonly fields: object;
}

const CASES = OPERATIONS.flatMap(([path, fields]): Operation[] => [
  { prefix: '/open/v1', path, fields },
  { prefix: '/api/open', path, fields },
]);

function ask(
  { url }: Sandbox,
  { prefix, path, fields }: Operation,
  timestamp = SECONDS,
): Promise<Reply> {
  const common = { timestamp };
  const request =
    prefix === '/open/v1'
      ? { headers: {}, body: signed(fields, common) }
      : signHeaders(JSON.stringify(fields), SANDBOX_CREDENTIALS, common);
  return postJson(url + prefix + path, request.body ?? '', { ...request.headers });
}

describe.each(CASES)('$prefix$path', (operation) => {
  const withFaults = (...faults: string[]): Promise<Sandbox> =>
    start({ faults: faults.map(parseFault) });

  test('answers with the Date of the clock, and is logged', async () => {
    const entries: LogEntry[] = [];
    const reply = await ask(await start({ log: (entry) => entries.push(entry) }), operation);
    expect(envelopeOf(reply)).toMatchObject({ code: 0, message: 'Success' });
    expect(reply.headers.date).toBe(new Date(SECONDS * 1000).toUTCString());
    const path = operation.prefix + operation.path;
    expect(entries).toMatchObject([{ method: 'POST', path, status: 200, code: 0 }]);
  });

  test('is refused without its fields, with an empty object as data', async () => {
    const reply = await ask(await start(), { ...operation, fields: { slat: 'x' } });
    expect(envelopeOf(reply)).toEqual({ code: 1001, message: expect.any(String), data: {} });
  });

  test('is subject to the faults code, http and skew', async () => {
    const sandbox = await withFaults('skew=600:1', 'http=503:1', 'code=1054:1');
    expect((await ask(sandbox, operation)).status).toBe(503);
    expect(envelopeOf(await ask(sandbox, operation))).toEqual({
      code: 1054,
      message: 'Vehicle information service abnormal',
      data: {},
    });
    expect(envelopeOf(await ask(sandbox, operation)).code).toBe(0);

    const skewed = await withFaults('skew=600');
    const late = await ask(skewed, operation);
    expect(envelopeOf(late)).toMatchObject({ code: 1055, data: {} });
    expect(Date.parse(late.headers.date ?? '')).toBe((SECONDS + 600) * 1000);
    expect(envelopeOf(await ask(skewed, operation, SECONDS + 600)).code).toBe(0);
  });
});
