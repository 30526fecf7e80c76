import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  alternate,
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

export const title = 'A large bill';
export const notes =
  '`mop bill fetch` receives gzip, inflates, verifies, stores the original and syncs it. The pipeline stores the gzip file and syncs nothing. The minimum work is to inflate a local file on one core and to hash it on another.';
export const needs = ['curl', 'tee', 'gunzip', 'md5sum'];

const IDEAL = fileURLToPath(new URL('../inflate-and-hash.js', import.meta.url));

export async function* rows({ big }) {
  const directory = newDirectory();
  const out = join(directory, 'bill.csv');
  const args = ['bill', 'fetch', '--quiet', '--force', '-o', out];

  const bill = await makeBill(512 * MIB);
  const { url, env } = await startBills(bill);
  const pipeline = `curl -sf '${url}' | tee copy.gz | gunzip | md5sum`;
  const rounds = await alternate(
    [
      () => {
        rmSync(out, { force: true });
        return run(process.execPath, [MOP, ...args], { env });
      },
      () => run('sh', ['-c', pipeline], { cwd: directory }),
      () => run(process.execPath, [IDEAL, bill.path]),
    ],
    5,
  );
  yield ratio('512 MiB, against `curl | tee | gunzip | md5sum`', 0.48, rounds);
  const least = rounds.map(([mop, , ideal]) => [mop, ideal]);
  yield ratio('512 MiB, against inflating and MD5 in parallel', 1.3, least);
  yield* peakOf('512 MiB', { env });
  if (big) yield* peakOf('2 GiB', await startBills(await makeBill(2048 * MIB)));

  async function* peakOf(size, options) {
    rmSync(out);
    yield peak(`peak memory, ${size}`, 130, [[await runWithPeak(args, options)]]);
  }
}
