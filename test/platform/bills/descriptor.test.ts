import { expect, it, onTestFinished } from 'vitest';
import { Transport } from '../../../src/http/transport.ts';
import { billDescriptor } from '../../../src/platform/bills/descriptor.ts';
import type { BillDescriptorOptions } from '../../../src/platform/bills/fetch-options.ts';
import { PlatformClient } from '../../../src/platform/client.ts';
import { freshFields } from '../../../src/signing/request-fields.ts';
import { NOW } from '../../support/cli.ts';
import { AUTHORIZATION, QUERY, scriptedPlatform } from '../../support/platform.ts';
import { envelope, type Handler, serve } from '../../support/server.ts';
import { MD5 } from './support.ts';

const BILL = { date: '2026-11-19', type: 'all' } as const;
const READY = Date.parse('2026-11-20T10:00:00+08:00');
const LATE = Date.parse('2026-11-20T22:00:00+08:00');

function ask(url: string, options?: BillDescriptorOptions, now = NOW, bill = BILL) {
  const transport = new Transport();
  onTestFinished(() => transport.close());
  const client = new PlatformClient({
    credentials: { apiKey: 'key', secret: 'secret' },
    transport,
    baseUrl: url,
    source: { ...freshFields, now: () => now, seqId: () => 'seq-1' },
    sleep: async () => {},
  });
  return billDescriptor(client, bill, options);
}

it('contains the link and the digest of a bill', async () => {
  const { url } = await scriptedPlatform();
  expect(await ask(url)).toEqual({
    downloadUrl: new URL(`${url}/file?${QUERY}`),
    authorization: AUTHORIZATION,
    digest: { type: 'MD5', value: MD5 },
    seqId: 'seq-1',
  });
});

it.each<[string, Handler]>([
  ['a code -1', (_, response) => envelope(response, -1)],
  ['HTTP 503', (_, response) => response.writeHead(503).end()],
])('is requested again after %s', async (_, failure) => {
  const server = await serve((request, response, index) =>
    index === 0
      ? failure(request, response, index)
      : envelope(response, 0, { download_url: 'https://files.example/bill' }),
  );
  expect((await ask(server.url)).digest).toBeUndefined();
  expect(server.requests).toHaveLength(2);
});

it('is not requested before the bill can be ready, unless forced', async () => {
  const { url, requests } = await scriptedPlatform();
  await expect(ask(url, {}, READY - 1)).rejects.toMatchObject({
    code: 'not-ready',
    message: expect.stringContaining('not available until 2026-11-20 10:00 (Asia/Shanghai)'),
  });
  expect(requests).toHaveLength(0);
  await ask(url, { force: true }, READY - 1);
  await ask(url, {}, READY);
  await ask(url, { schedule: { timeZone: 'UTC', readyTime: '00:00', lateHours: 1 } }, READY - 1);
  expect(requests).toHaveLength(3);
});

it.each([
  [LATE - 1, 'not-ready'],
  [LATE, 'no-bill'],
])('that is absent at %i is %s', async (now, code) => {
  const server = await serve((_, response, index) =>
    index === 0 ? envelope(response, 0) : envelope(response, 2001),
  );
  const details = { seqId: 'seq-1' };
  await expect(ask(server.url, {}, now)).rejects.toMatchObject({ code, details });
  await expect(ask(server.url, { noBillCodes: [2001] }, now)).rejects.toMatchObject({ code });
  await expect(ask(server.url, {}, now)).rejects.toMatchObject({ code: 'api' });
});
