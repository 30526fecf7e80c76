import {
  appendFileSync,
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { compactLedger } from '../../../src/platform/bills/compact-ledger.ts';
import { LEDGER_NAME } from '../../../src/platform/bills/ledger.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { appendLedger, entriesIn, noBillLine, storedLine, writeLedger } from './support.ts';

const OLD = storedLine({ seq_id: 'old' });
const NEW = storedLine({ seq_id: 'new' });
const MOVED = JSON.stringify({ ...OLD, status: 'moved' });
const LONG = `"${'x'.repeat(600_000)}"`;

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, LEDGER_NAME);
});

const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);

it('keeps the newest line of each bill and day, and every other line, in their order', async () => {
  const kept = [noBillLine('2026-11-18'), storedLine({ profile: 'other' }), NEW];
  const [day, other, bill] = kept.map((entry) => JSON.stringify(entry));
  writeLedger(directory, [
    OLD,
    'a remark',
    noBillLine('2026-11-18'),
    day ?? '',
    MOVED,
    OLD,
    other ?? '',
    LONG,
    '',
    bill ?? '',
  ]);
  chmodSync(path, 0o640);
  // Only root can change the owner; for other users this is their own group.
  const owner = process.getuid?.() === 0 ? 65_534 : statSync(path).uid;
  if (process.getuid?.() === 0) chownSync(path, owner, owner);
  expect(await compactLedger(directory)).toMatchObject({ before: 10, after: 7 });
  expect(lines()).toEqual(['a remark', day, MOVED, other, LONG, '', bill]);
  expect(await entriesIn(directory)).toEqual(kept);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(statSync(path).uid).toBe(owner);
  expect(readdirSync(directory)).toEqual([LEDGER_NAME]);
});

it.each([
  ['with --dry-run', [OLD, NEW], { dryRun: true }, { before: 2, after: 1 }],
  ['without a superseded line', [NEW, 'a remark'], {}, { before: 2, after: 2 }],
  ['without a line', [], {}, { before: 0, after: 0 }],
])('does not change the file %s', async (_, before, options, counts) => {
  writeLedger(directory, before);
  const { ino, mtimeMs } = statSync(path);
  expect(await compactLedger(directory, options)).toMatchObject(counts);
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
});

it('removes an incomplete last line, and adds the line break of a complete one', async () => {
  writeFileSync(path, [OLD, NEW, { date: 1 }].map((line) => JSON.stringify(line)).join('\n'));
  expect(await compactLedger(directory)).toMatchObject({ before: 3, after: 2 });
  expect(lines()).toEqual([JSON.stringify(NEW), '{"date":1}']);
  writeFileSync(path, `${JSON.stringify(OLD)}\n${JSON.stringify(NEW)}\n{"date":"2026`);
  expect(await compactLedger(directory)).toMatchObject({ before: 2, after: 1 });
  expect(lines()).toEqual([JSON.stringify(NEW)]);
});

it('keeps lines between superseded ones in a file of many blocks', async () => {
  const remarks = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(9000)}`);
  writeLedger(directory, [...remarks.flatMap((remark) => [OLD, remark]), NEW]);
  expect(await compactLedger(directory)).toMatchObject({ before: 201, after: 101 });
  expect(lines()).toEqual([...remarks, JSON.stringify(NEW)]);
});

it('keeps lines that are added during the compaction', async () => {
  writeLedger(directory, [...new Array(10_000).fill(OLD), NEW]);
  const compaction = compactLedger(directory);
  await vi.waitFor(() => expect(readdirSync(directory)).toContain('.mop-ledger.lock'), {
    interval: 1,
  });
  const added = storedLine({ file: 'added.csv' });
  await appendLedger(directory, added, { mode: 0o600 });
  expect(await compaction).toMatchObject({ before: 10_001, after: 1 });
  expect(await entriesIn(directory)).toEqual([NEW, added]);
});

it('keeps all lines during many concurrent compactions', async () => {
  const files = Array.from({ length: 20 }, (_, index) => `bill-${index}.csv`);
  await appendLedger(directory, OLD, { mode: 0o600 });
  for (const file of files) {
    const added = [OLD, storedLine({ file })];
    await Promise.all([
      compactLedger(directory),
      ...added.map((entry) => appendLedger(directory, entry, { mode: 0o600 })),
      compactLedger(directory),
    ]);
  }
  const entries = await entriesIn(directory);
  expect(entries.map(({ file }) => file).sort()).toEqual([...files, OLD.file].sort());
});

it('does not replace a ledger that another program changes without the lock', async () => {
  writeLedger(directory, [OLD, NEW]);
  const { place } = AtomicFile.prototype;
  // The last possible moment: the new ledger is written, but not synced.
  const placing = vi.spyOn(AtomicFile.prototype, 'place').mockImplementationOnce(function (
    this: AtomicFile,
    ...args
  ) {
    appendFileSync(path, 'a remark\n');
    return place.apply(this, args);
  });
  onTestFinished(() => placing.mockRestore());
  await expect(compactLedger(directory)).rejects.toMatchObject({
    code: 'io',
    message: `another program changed the ledger ${path}: it was not rewritten`,
  });
  expect(lines()).toHaveLength(3);
  expect(readdirSync(directory)).toEqual([LEDGER_NAME]);
});

it('keeps the ledger when it is interrupted', async () => {
  writeLedger(directory, [OLD, NEW]);
  const reason = new Error('interrupted');
  const signal = AbortSignal.abort(reason);
  await expect(compactLedger(directory, { signal })).rejects.toBe(reason);
  expect(lines()).toHaveLength(2);
  expect(readdirSync(directory)).toEqual([LEDGER_NAME]);
});
