import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  alternate,
  MOP,
  newDirectory,
  peak,
  ratio,
  run,
  runWithPeak,
  startSandbox,
} from '../measure.js';

export const title = 'The ledger';
export const notes =
  'The bills of 92 days and three types, served by `mop sandbox`. The ledgers contain many earlier lines about them.';

const FETCH = ['bill', 'fetch', '--force', '--quiet'];
const TYPES = ['all', 'paid', 'refund'].flatMap((type) => ['--type', type]);

export async function* rows() {
  const { env } = await startSandbox({ options: ['--rows', '20'] });
  const all = [...FETCH, '--last', '92', ...TYPES];
  const directory = newDirectory();
  const first = join(directory, 'first');
  await run(process.execPath, [MOP, ...all, '-o', `${first}/`], { env });

  const withLedger = (lines) => {
    const place = join(directory, `${lines}`);
    cpSync(first, place, { recursive: true });
    writeLedger(join(place, 'bills.jsonl'), lines);
    return ['-o', `${place}/`];
  };
  const sides = [100_000, 1000].map((lines) => {
    const place = withLedger(lines);
    return () => run(process.execPath, [MOP, ...all, ...place], { env });
  });
  const subject = '276 unchanged bills: 100,000 lines, against 1,000';
  yield ratio(subject, 1.3, await alternate(sides, 5));

  const missing = [...FETCH, '--missing', ...TYPES, ...withLedger(1_000_000)];
  const times = await runWithPeak(missing, { env });
  yield peak('peak memory, `--missing` with 1,000,000 lines', 150, [[times]]);
}

/** Inserts older lines about the same bills before the existing lines. */
function writeLedger(path, count) {
  const newest = readFileSync(path, 'utf8');
  const entries = newest.trimEnd().split('\n').map(JSON.parse);
  const older = count - entries.length;
  writeFileSync(path, '');
  for (let from = 0; from < older; from += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, older - from) }, (_, at) => {
      const n = from + at;
      const time = new Date(Date.UTC(2025, 0, 1) + 1000 * n).toISOString();
      const entry = { ...entries[n % entries.length], seq_id: `bench-${n}`, time };
      return `${JSON.stringify(entry)}\n`;
    });
    appendFileSync(path, lines.join(''));
  }
  appendFileSync(path, newest);
}
