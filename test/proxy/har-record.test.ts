import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHarRecord } from '../../src/proxy/har-record.ts';
import { temporaryDirectory } from '../support/cli.ts';

test('a closed record contains each added exchange, with the time of its start', async () => {
  const path = join(await temporaryDirectory(), 'calls.har');
  const warnings: string[] = [];
  const record = await openHarRecord(
    path,
    (text) => text,
    (warning) => warnings.push(warning),
  );
  const time = Date.parse('2026-11-20T04:05:06.700Z');
  record.add({ time, method: 'POST', path: '/open/v1/trade/bill', status: 200, milliseconds: 700 });
  await record.close();
  expect(warnings).toEqual([]);
  const { entries } = JSON.parse(await readFile(path, 'utf8')).log;
  expect(entries).toMatchObject([{ startedDateTime: '2026-11-20T04:05:06.000Z', time: 700 }]);
});
