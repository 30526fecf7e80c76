import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LEDGER_NAME, type LedgerEntry, parseLine } from '../../../src/platform/bills/ledger.ts';
import { withLedgerLock } from '../../../src/platform/bills/write-ledger.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { appendLedger, entriesIn, noBillLine, storedLine, writeLedger } from './support.ts';

const ENTRY = storedLine({ file: 'bill.csv' });

it('returns the appended lines, oldest first', async () => {
  const directory = await temporaryDirectory();
  await appendLedger(directory, ENTRY, { mode: 0o600 });
  await appendLedger(directory, { ...ENTRY, date: '2026-11-20' }, { mode: 0o600 });
  expect(await entriesIn(directory)).toEqual([ENTRY, { ...ENTRY, date: '2026-11-20' }]);
  expect(statSync(join(directory, LEDGER_NAME)).mode & 0o777).toBe(0o600);
});

it('is empty without a file', async () => {
  expect(await entriesIn(await temporaryDirectory())).toEqual([]);
});

it.each(['{"date":"2026-11-20","type', '{'])(
  'removes an incomplete last line: %s',
  async (torn) => {
    const directory = await temporaryDirectory();
    await appendLedger(directory, ENTRY, { mode: 0o600 });
    const path = join(directory, LEDGER_NAME);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${torn}`);
    expect(await entriesIn(directory)).toEqual([ENTRY]);

    await appendLedger(directory, { ...ENTRY, date: '2026-11-21' }, { mode: 0o600 });
    const lines = [ENTRY, { ...ENTRY, date: '2026-11-21' }].map((entry) => JSON.stringify(entry));
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([...lines, '']);
  },
);

it.each(['a remark', JSON.stringify(ENTRY), `${JSON.stringify(ENTRY)} # checked by Li`])(
  'keeps an incomplete last line of another program',
  async (last) => {
    const directory = await temporaryDirectory();
    const path = join(directory, LEDGER_NAME);
    writeFileSync(path, last);
    await appendLedger(directory, ENTRY, { mode: 0o600 });
    expect(readFileSync(path, 'utf8')).toBe(`${last}\n${JSON.stringify(ENTRY)}\n`);
  },
);

it.each(['null', '[]', '1', '{"date":1,"type":"all"}', 'x'])('skips a line %s', async (line) => {
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, LEDGER_NAME), `${line}\n${JSON.stringify(ENTRY)}\n`);
  expect(await entriesIn(directory)).toEqual([ENTRY]);
});

it.each(['../bill.csv', '/bill.csv', 'a/bill.csv', '..', '.', '', 'a\0b'])(
  'skips a line whose file %j is outside the directory',
  async (file) => {
    const directory = await temporaryDirectory();
    writeLedger(directory, [storedLine({ file }), ENTRY]);
    expect(await entriesIn(directory)).toEqual([ENTRY]);
  },
);

it('skips a line with an unknown status', async () => {
  const directory = await temporaryDirectory();
  writeLedger(directory, [JSON.stringify({ ...ENTRY, status: 'moved' }), ENTRY]);
  expect(await entriesIn(directory)).toEqual([ENTRY]);
});

it('reads lines with Windows line endings', async () => {
  const directory = await temporaryDirectory();
  const other = noBillLine('2026-11-18');
  writeLedger(directory, [`${JSON.stringify(ENTRY)}\r`, `${JSON.stringify(other)}\r`]);
  expect(await entriesIn(directory)).toEqual([ENTRY, other]);
});

it.each<[string, Partial<LedgerEntry> | string, string]>([
  ['a stored bill', {}, 'entry'],
  ['a stored bill without a digest', { hash_value: null }, 'damaged'],
  ['a stored bill without a file', { file: null }, 'damaged'],
  ['a file of another directory', { file: '../bill.csv' }, 'damaged'],
  ['another status', { status: 'moved' as 'stored' }, 'foreign'],
  ['a blank line', ' \r', 'foreign'],
  ['the record of another program', '{"level":"info"}', 'foreign'],
  ['a truncated line', '{"date":"2026-11-20","type', 'damaged'],
  ['a remark', 'a remark', 'damaged'],
])('recognises %s', (_, line, kind) => {
  const text = typeof line === 'string' ? line : JSON.stringify({ ...ENTRY, ...line });
  const entry = parseLine(text);
  expect(typeof entry === 'string' ? entry : 'entry').toBe(kind);
});

it('keeps every line complete with many concurrent writers', async () => {
  const directory = await temporaryDirectory();
  const files = Array.from({ length: 50 }, (_, index) => `bill-${index}.csv`);
  await Promise.all(
    files.map((file) => appendLedger(directory, { ...ENTRY, file }, { mode: 0o600 })),
  );
  const stored = (await entriesIn(directory)).map(({ file }) => file);
  expect(stored.sort()).toEqual(files.sort());
});

it.each([
  [0o600, 0o700],
  [0o640, 0o750],
  [0o664, 0o775],
])(
  'with the mode %o, has a lock that the readers of the file can search',
  async (mode, expected) => {
    const directory = await temporaryDirectory();
    const lock = join(directory, '.mop-ledger.lock');
    const modeOfLock = async () => statSync(lock).mode & 0o777;
    expect(await withLedgerLock(directory, modeOfLock, { mode })).toBe(expected);
  },
);

it('changes after a change of the same process that failed', async () => {
  const directory = await temporaryDirectory();
  const fail = () => Promise.reject(new Error('no space'));
  const changes = [fail, async () => 'done'].map((work) =>
    withLedgerLock<string>(directory, work, { mode: 0o600 }),
  );
  expect(await Promise.allSettled(changes)).toMatchObject([
    { status: 'rejected' },
    { status: 'fulfilled', value: 'done' },
  ]);
});

it('reports an error of the disk', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, LEDGER_NAME);
  mkdirSync(path);
  await expect(appendLedger(directory, ENTRY, { mode: 0o600 })).rejects.toMatchObject({
    code: 'io',
  });
  await expect(entriesIn(directory)).rejects.toMatchObject({ code: 'io' });
});

it.each([
  ['a file', true],
  ['nothing', false],
])('does not follow a link to %s', async (_, isThere) => {
  const directory = await temporaryDirectory();
  const elsewhere = join(await temporaryDirectory(), 'elsewhere');
  if (isThere) writeFileSync(elsewhere, '');
  symlinkSync(elsewhere, join(directory, LEDGER_NAME));
  const message = (text: string) => ({ code: 'io', message: expect.stringContaining(text) });
  await expect(appendLedger(directory, ENTRY, { mode: 0o600 })).rejects.toMatchObject(
    message('it is a symbolic link'),
  );
  await expect(entriesIn(directory)).rejects.toMatchObject(message('is not a regular file'));
  expect(existsSync(elsewhere)).toBe(isThere);
  if (isThere) expect(readFileSync(elsewhere, 'utf8')).toBe('');
});
