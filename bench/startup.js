/** How long commands take to start, against an empty program on the same Node. */
import { join } from 'node:path';
import { compare, MOP, makeBill, run, withBillServer, withDirectory } from './measure.js';

const RUNS = 21;
const node = () => run(process.execPath, ['-e', '0']);

await withDirectory(async (directory) => {
  const env = {
    MOP_CONFIG_DIR: join(directory, 'none'),
    MOP_API_KEY: 'k',
    MOP_API_SECRET: 'secret',
  };
  const mop = (...args) => run(process.execPath, [MOP, ...args], env);

  await compare('mop --version', 1.4, () => mop('--version'), node, RUNS);
  await compare('mop sign', 1.6, () => mop('sign', '{"bill_type":0}'), node, RUNS);

  const bill = await makeBill(directory, 1024);
  await withBillServer(bill, async (server) => {
    const out = join(directory, 'bill.csv');
    const args = ['bill', 'fetch', '--force', '--quiet', '-o', out];
    const fetch = () => run(process.execPath, [MOP, ...args], { ...env, ...server });
    // The file is there after the first run: what is left is one call.
    await compare('a command with one HTTP call', 4, fetch, node, RUNS);
  });
});
