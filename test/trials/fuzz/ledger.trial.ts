import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEDGER_NAME, type LedgerEntry } from '../../../src/platform/bills/ledger.ts';
import {
  appendLedger,
  entriesIn,
  newestOf,
  noBillLine,
  storedLine,
} from '../../platform/bills/support.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { fuzz, times } from '../scale.ts';
import { awkwardText, many, mutatedBytes, rewrite } from './support.ts';

// --- An independent reader, written from the contract: complete lines about a bill of this directory. ---

function contractEntries(ledger: Uint8Array): LedgerEntry[] {
  const lines: number[][] = [[]];
  for (const byte of ledger) {
    if (byte === 0x0a) lines.push([]);
    else lines.at(-1)?.push(byte);
  }
  const entries = lines
    .map((line) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(line)))
    .map(jsonOf)
    .filter(isAboutBill);
  return newestOf(entries);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isAboutBill(entry: unknown): entry is LedgerEntry {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const { date, type, status, file, hash_type, hash_value } = entry as Record<string, unknown>;
  if (typeof date !== 'string' || typeof type !== 'string') return false;
  if (status === 'no-bill') return file === null;
  const texts = [hash_type, hash_value].every((text) => typeof text === 'string');
  return status === 'stored' && typeof file === 'string' && isName(file) && texts;
}

/** Whether a file is in the directory of the ledger. */
function isName(file: string): boolean {
  return !['', '.', '..'].includes(file) && !file.includes('/') && !file.includes('\0');
}

// --- Random ledgers. ---

const nothing = fc.constant(null);
const name = awkwardText.filter(isName);
const entry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    date: fc.oneof(fc.constantFrom('2026-11-19', '2026-11-20'), awkwardText),
    type: fc.constantFrom('all', 'paid', 'refund'),
    profile: awkwardText,
    environment: awkwardText,
    status: fc.constantFrom('stored', 'no-bill'),
    file: name,
    bytes: fc.oneof(nothing, fc.maxSafeNat()),
    hash_type: awkwardText,
    hash_value: awkwardText,
    verified: fc.boolean(),
    seq_id: awkwardText,
    time: awkwardText,
  })
  .map((some) => ({
    ...some,
    ...(some.status === 'no-bill' && { file: null, hash_type: null, hash_value: null }),
  }));
const line = fc.oneof(
  { weight: 6, arbitrary: entry.map((entry) => JSON.stringify(entry)) },
  { weight: 2, arbitrary: fc.json() },
  fc
    .constantFrom('../b', '/b', 'a/b', '.', '..', '', 'a\0', 'a\\b', '...', 'a/')
    .map((file) => JSON.stringify(storedLine({ file }))),
  fc.constantFrom(
    ...['', ' ', '\r', 'null', '[]', '"x"', '1', '{}', '\ufeff', '\0'],
    ...[
      '{"date":"d","type":"all","status":"moved","file":null}',
      '{"date":"d","type":"all","status":"stored"}',
    ],
    ...[
      '{"__proto__":{"date":"d","type":"t","status":"stored","file":null}}',
      '{"date":"d","type":"t","status":"stored","file":null,"file":"../x"}',
    ],
    ...[
      '{"date":["d"],"type":"t","status":"stored","file":null}',
      '[{"date":"d","type":"t","status":"stored","file":null}]',
    ],
    ...[
      ' {"date":"","type":"","status":"no-bill","file":null}\t\r',
      '{"date":"d","type":"t","status":["stored"],"file":"a"}',
    ],
  ),
);
const lines = fc
  .tuple(
    fc.array(line, { maxLength: 5 }),
    fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', ' \n', '\r', ''),
    fc.boolean(),
  )
  .map(([lines, end, isWhole]) =>
    lines
      .map((line) => line + end)
      .join('')
      .slice(0, isWhole ? undefined : -1),
  );
const PIECES = [
  '\n',
  '\r\n',
  '\r',
  '\ufeff',
  '\0',
  '{',
  '}',
  '"',
  ',',
  '\\',
  '/',
  '../',
  '\u2028',
  '"file":null,',
  '"status":"stored",',
  '"date":1,',
];
const ledger = fc.oneof(
  { weight: 6, arbitrary: mutatedBytes(lines, PIECES) },
  { weight: 2, arbitrary: lines.map((text) => Buffer.from(text)) },
  fc.uint8Array({ maxLength: 100 }),
);

async function ledgerOf(bytes: Uint8Array | string): Promise<{ directory: string; path: string }> {
  const directory = await temporaryDirectory();
  const path = join(directory, LEDGER_NAME);
  rewrite(path, bytes);
  return { directory, path };
}

describe('the ledger', () => {
  it('returns the entries of complete lines among any others', async () => {
    const { directory, path } = await ledgerOf('');
    let found = 0;
    const property = fc.asyncProperty(ledger, async (bytes) => {
      rewrite(path, bytes);
      const entries = await entriesIn(directory);
      expect(entries).toEqual(contractEntries(bytes));
      expect(readFileSync(path).equals(bytes)).toBe(true);
      found += entries.length;
    });
    const { seed, numRuns } = fuzz(20_261_251);
    await fc.assert(property, { seed, numRuns });
    expect(found).toBeGreaterThan(numRuns / 2);
  });

  it('appends a line in one piece, and removes only an incomplete line', async () => {
    const { directory, path } = await ledgerOf('');
    const property = fc.asyncProperty(ledger, entry, async (bytes, entry) => {
      rewrite(path, bytes);
      const before = await entriesIn(directory);
      await appendLedger(directory, entry, { mode: 0o600 });
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      expect(readFileSync(path).equals(Buffer.concat([repaired(bytes), line]))).toBe(true);
      expect(await entriesIn(directory)).toEqual(newestOf([...before, entry]));
      expect(await readdir(directory)).toEqual([LEDGER_NAME]);
    });
    await fc.assert(property, { seed: 20_261_252, numRuns: times(100, 5000) });
  });

  it('appends a line after a line truncated at any byte', async () => {
    const known = [
      storedLine({ file: '城🚕.csv' }),
      noBillLine('2026-11-18'),
      storedLine({ profile: 'é' }),
    ];
    const complete = Buffer.from(known.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const next = storedLine({ date: '2026-11-21' });
    const { directory, path } = await ledgerOf('');
    for (let end = 0; end <= complete.length; end += times(7, 1)) {
      rewrite(path, complete.subarray(0, end));
      await appendLedger(directory, next, { mode: 0o600 });
      // A line counts once its closing bracket is written.
      const ended = complete
        .subarray(0, end)
        .toString()
        .split('\n')
        .filter((line) => line.endsWith('}')).length;
      expect(await entriesIn(directory)).toEqual([...known.slice(0, ended), next]);
    }
  });

  it('keeps every text of every field', async () => {
    const { directory, path } = await ledgerOf('');
    const property = fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 3 }),
      async (entries) => {
        rewrite(path, '');
        for (const entry of entries) await appendLedger(directory, entry, { mode: 0o600 });
        expect(await entriesIn(directory)).toEqual(newestOf(entries));
      },
    );
    await fc.assert(property, { seed: 20_261_253, numRuns: times(100, 2500) });
  });

  it.each([
    ['letters in one line', many('a')],
    ['letters in one string', `{"date":"${many('é')}`],
    ['brackets', many('[')],
    ['objects', many('{"file":')],
    ['line feeds', many('\n', times(30_000, 100_000))],
    ['carriage returns', many('\r')],
    ['NULs', many('\0')],
    ['invalid bytes', Buffer.alloc(1_000_000, 0xff)],
    ['lines with null', many('null\n', 500_000)],
  ])('finds a bill after many %s', async (_, bytes) => {
    const { directory } = await ledgerOf(bytes);
    await appendLedger(directory, storedLine(), { mode: 0o600 });
    expect(await entriesIn(directory)).toEqual([storedLine()]);
  });
});

/** The part of a ledger that remains when a line is appended. */
function repaired(given: Uint8Array): Buffer {
  const bytes = Buffer.from(given);
  const start = bytes.lastIndexOf(0x0a) + 1;
  const last = bytes.subarray(start).toString();
  if (last === '') return bytes;
  const isOurs = last.startsWith('{"date":"') || '{"date":"'.startsWith(last);
  return isOurs && !last.includes('}')
    ? bytes.subarray(0, start)
    : Buffer.concat([bytes, Buffer.from('\n')]);
}
