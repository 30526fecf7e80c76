import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startMop } from '../../../support/process.ts';
import { times } from '../../../trials/scale.ts';
import { expectFailure } from '../../support.ts';
import { service } from './support.ts';

const MIB = 1024 ** 2;

/** The size of the largest answer, in MiB. */
const LARGE = times(48, 200);

/** About 1 MiB of rows. */
const ROWS = Array.from(
  { length: 8800 },
  (_, id) =>
    `{"id":${id},"orderNo":"20261128${String(id).padStart(12, '0')}","amount":1.0,"note":null,"driver":{"name":"李雷","rating":4.9}},`,
).join('');

async function writeRows(response: ServerResponse, bytes: number): Promise<void> {
  response.write('{"data":{"rows":[');
  for (let sent = 0; sent < bytes; sent += Buffer.byteLength(ROWS)) {
    if (!response.write(ROWS)) await once(response, 'drain');
  }
  response.end('null]}}');
}

it(`a response of ${LARGE} MiB is printed with a small heap`, async () => {
  const { endpoint } = await service((_, response) => writeRows(response, LARGE * MIB));
  const command = ['gql', '{ rows }', '--endpoint', endpoint];
  // Parsed, the rows would take more than twenty times their size.
  const { ended } = startMop(command, {}, { node: [`--max-old-space-size=${5 * LARGE}`] });
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.length).toBeGreaterThan(0.85 * LARGE * MIB);
  expect(stdout.slice(0, 40)).toContain('{"data":{"rows":[{"id":0,');
  expect(stdout.slice(-40)).toMatch(/,null\]\}\}\n$/);
});

it('its size is that after decompression', async () => {
  const { gql } = await service((_, response) => {
    const body = gzipSync(`{"data":{"a":"${'x'.repeat(2 * MIB)}"}}`);
    response.setHeader('Content-Encoding', 'gzip').end(body);
  });
  expect((await gql(['{ a }'])).code).toBe(0);
  const limit = ['--max-response', String(MIB)];
  expectFailure(await gql(['{ a }', ...limit]), 5, 'more than 1 MiB', 'raise --max-response');
});

it('its errors may not exceed 16 MiB, nor a page 64 MiB', async () => {
  const { gql } = await service(async (request, response) => {
    if (request.body.includes('endCursor')) return writeRows(response, 65 * MIB);
    response.end(`{"data":{},"errors":[${'[],'.repeat(6 * MIB)}[]]}`);
  });
  expectFailure(await gql(['{ a }']), 5, 'more than 16 MiB of errors');
  const paged =
    'query ($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';
  expectFailure(await gql([paged, '--paginate']), 5, 'more than 64 MiB', 'raise --max-response');
});
