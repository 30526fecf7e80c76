import { join } from 'node:path';
import { makeBill, newDirectory, peak, runWithPeak, startBills } from '../measure.js';

export const title = 'Concurrent large bills';
export const notes =
  '64 bills, 3.2 GB: two types of 32 days with `--concurrency 64`. At most 16 download concurrently.';

export async function* rows() {
  const { env } = await startBills(await makeBill(50_000_000));
  const types = ['--type', 'all', '--type', 'paid', '--concurrency', '64'];
  const out = ['-o', `${join(newDirectory(), 'out')}/`];
  const args = ['bill', 'fetch', '--last', '32', '--force', '--quiet', ...types, ...out];
  yield peak('peak memory, 64 bills of 50 MB', 200, [[await runWithPeak(args, { env })]]);
}
