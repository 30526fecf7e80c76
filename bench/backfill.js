/** 90 days of bills with 4 in flight against 90 runs of curl, gunzip and md5sum. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, MOP, makeBill, run, withBillServer, withDirectory } from './measure.js';

await withDirectory(async (directory) => {
  const bill = await makeBill(directory, 1024 ** 2);
  await withBillServer(bill, async (env, url) => {
    const out = join(directory, 'out');
    const args = ['bill', 'fetch', '--last', '90', '--force', '--quiet', '-o', `${out}/`];
    const mop = () => {
      rmSync(out, { recursive: true, force: true });
      return run(process.execPath, [MOP, ...args], {
        ...env,
        MOP_CONFIG_DIR: join(directory, 'none'),
      });
    };
    // As the shell does it: a descriptor, then its download, for each day.
    const day = `curl -s -d '{}' '${new URL(url).origin}/open/v1/trade/bill' >/dev/null; curl -s '${url}' | tee bill.gz | gunzip | md5sum`;
    const script = `cd '${directory}'; i=0; while [ $i -lt 90 ]; do ${day}; i=$((i+1)); done`;
    await compare('90 bills of 1 MiB, 4 in flight', 0.5, mop, () => run('sh', ['-c', script]), 5);
  });
});
