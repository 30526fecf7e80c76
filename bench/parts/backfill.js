import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  byTurns,
  MIB,
  MOP,
  makeBill,
  newDirectory,
  peak,
  ratio,
  run,
  runWithPeak,
  startBills,
} from '../measure.js';

export const title = 'Many bills';
export const notes =
  'The shell loop runs curl for a descriptor, then curl, gunzip and md5sum for the bill, one day at a time.';
export const needs = ['curl', 'tee', 'gunzip', 'md5sum'];

const DAYS = 90;
/** With three types, 600 and 2,100 bills. */
const [FEW, MANY] = [200, 700];

export async function* rows() {
  const directory = newDirectory();
  const out = join(directory, 'out');
  const fetch = (days, ...more) => {
    rmSync(out, { recursive: true, force: true });
    return ['bill', 'fetch', '--last', `${days}`, '--force', '--quiet', '-o', `${out}/`, ...more];
  };

  const { url, env } = await startBills(await makeBill(MIB));
  const day = `curl -sf -d '{}' ${url} >/dev/null; curl -sf ${url} | tee bill.gz | gunzip | md5sum`;
  const loop = `i=0; while [ $i -lt ${DAYS} ]; do ${day}; i=$((i+1)); done`;
  const sides = [
    () => run(process.execPath, [MOP, ...fetch(DAYS)], { env }),
    () => run('sh', ['-c', loop], { cwd: directory }),
  ];
  yield ratio('90 bills of 1 MiB, 4 in flight, against a loop', 0.15, await byTurns(sides, 5));

  const small = await startBills(await makeBill(10 * 1024));
  const types = ['all', 'paid', 'refund'].flatMap((type) => ['--type', type]);
  const measured = (days) => runWithPeak(fetch(days, ...types, '--concurrency', '16'), small);
  const few = await measured(FEW);
  yield peak('peak memory, 600 small bills, 16 in flight', undefined, [[few]]);
  const many = await measured(MANY);
  const what = 'peak memory, 2,100 small bills, against 600';
  yield { ...peak(what, 1.15, [[many]]), value: many.peak / few.peak, unit: '' };
}
