import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  appendLedger,
  LEDGER_NAME,
  type LedgerEntry,
  readLedger,
} from '../../../src/platform/bill/ledger.ts';
import { temporaryDirectory } from '../../support/cli.ts';

const ENTRY: LedgerEntry = {
  date: '2026-11-19',
  type: 'all',
  profile: 'default',
  environment: 'production',
  status: 'stored',
  file: 'bill.csv',
  bytes: 12,
  hash_type: 'MD5',
  hash_value: 'aa',
  verified: true,
  seq_id: 's-1',
  time: '2026-11-20T05:00:00.000Z',
};

it('gives back what was appended, oldest first', async () => {
  const directory = await temporaryDirectory();
  await appendLedger(directory, ENTRY, 0o600);
  await appendLedger(directory, { ...ENTRY, date: '2026-11-20' }, 0o600);
  expect(await readLedger(directory)).toEqual([ENTRY, { ...ENTRY, date: '2026-11-20' }]);
  expect(statSync(join(directory, LEDGER_NAME)).mode & 0o777).toBe(0o600);
});

it('is empty where there is none', async () => {
  expect(await readLedger(await temporaryDirectory())).toEqual([]);
});

it('passes over a torn last line and does not glue the next one to it', async () => {
  const directory = await temporaryDirectory();
  await appendLedger(directory, ENTRY, 0o600);
  const path = join(directory, LEDGER_NAME);
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"date":"2026-11-20","type`);
  expect(await readLedger(directory)).toEqual([ENTRY]);

  await appendLedger(directory, { ...ENTRY, date: '2026-11-21' }, 0o600);
  expect((await readLedger(directory)).map(({ date }) => date)).toEqual([
    '2026-11-19',
    '2026-11-21',
  ]);
});

it.each(['null', '[]', '1', '{"date":1,"type":"all"}', 'x'])(
  'passes over a line %s',
  async (line) => {
    const directory = await temporaryDirectory();
    writeFileSync(join(directory, LEDGER_NAME), `${line}\n${JSON.stringify(ENTRY)}\n`);
    expect(await readLedger(directory)).toEqual([ENTRY]);
  },
);

it('keeps every line whole when many write at once', async () => {
  const directory = await temporaryDirectory();
  const files = Array.from({ length: 50 }, (_, index) => `bill-${index}.csv`);
  await Promise.all(files.map((file) => appendLedger(directory, { ...ENTRY, file }, 0o600)));
  const stored = (await readLedger(directory)).map(({ file }) => file);
  expect(stored.sort()).toEqual(files.sort());
});

it('says that the disk failed', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, LEDGER_NAME);
  mkdirSync(path);
  await expect(appendLedger(directory, ENTRY, 0o600)).rejects.toMatchObject({ code: 'io' });
  await expect(readLedger(directory)).rejects.toMatchObject({ code: 'io' });
});
