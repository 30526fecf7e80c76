/**
 * `mop bill fetch` of large bills against the usual shell pipeline, and its peak memory.
 *
 * Usage: node bench/bill.js [MiB ...], by default 512 and 2048 (which needs about 5 GiB of disk).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  compare,
  MOP,
  makeBill,
  peakMemory,
  run,
  withBillServer,
  withDirectory,
} from './measure.js';

const sizes = process.argv.slice(2).map(Number);
const [first, ...more] = sizes.length > 0 ? sizes : [512, 2048];

await withDirectory(async (directory) => {
  const out = join(directory, 'out');
  const args = ['bill', 'fetch', '--quiet', '--overwrite', '-o', join(out, 'bill.csv')];
  const config = { MOP_CONFIG_DIR: join(directory, 'config') };

  const bill = await makeBill(directory, first * 1024 ** 2);
  await withBillServer(bill, async (env, url) => {
    const mop = () => {
      rmSync(out, { recursive: true, force: true });
      return run(process.execPath, [MOP, ...args, '--force'], { ...env, ...config });
    };
    const shell = () => {
      const copy = join(directory, 'copy.gz');
      return run('sh', ['-c', `curl -s '${url}' | tee '${copy}' | gunzip | md5sum`]);
    };
    await compare(
      `bill fetch of ${first} MiB against curl | tee | gunzip | md5sum`,
      0.7,
      mop,
      shell,
      5,
    );
  });

  for (const size of [first, ...more]) {
    const big = size === first ? bill : await makeBill(directory, size * 1024 ** 2);
    await withBillServer(big, async (env) => {
      rmSync(out, { recursive: true, force: true });
      const peak = await peakMemory([...args, '--force'], { ...env, ...config }, directory);
      console.log(`peak memory for ${size} MiB: ${peak.toFixed(0)} MiB (at most 130 MiB wanted)`);
    });
    rmSync(big.path);
  }
});
