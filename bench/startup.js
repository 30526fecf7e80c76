/**
 * How long commands take to start, against an empty program on the same Node and against other
 * tools that are installed.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compare, MOP, makeBill, run, withBillServer, withDirectory } from './measure.js';

const RUNS = 21;
const OTHERS = ['curl', 'gh', 'http', 'aws'];

await withDirectory(async (directory) => {
  const env = {
    MOP_CONFIG_DIR: join(directory, 'none'),
    MOP_API_KEY: 'k',
    MOP_API_SECRET: 'secret',
    // Where Node keeps compiled code (22.1 and later): the first run, which is not counted, fills it.
    XDG_CACHE_HOME: join(directory, 'cache'),
    // Node 20 would read its certificates at every start, and everything would look quick beside it.
    NODE_EXTRA_CA_CERTS: '',
  };
  const node = () => run(process.execPath, ['-e', '0'], env);
  const mop = (...args) => run(process.execPath, [MOP, ...args], env);
  const version = () => mop('--version');

  await compare('mop --version', 1.4, version, node, RUNS);
  await compare('mop sign', 1.6, () => mop('sign', '{"bill_type":0}'), node, RUNS);

  const bill = await makeBill(directory, 1024);
  await withBillServer(bill, async (server) => {
    const out = join(directory, 'bill.csv');
    const args = ['bill', 'fetch', '--force', '--quiet', '-o', out];
    const fetch = () => run(process.execPath, [MOP, ...args], { ...env, ...server });
    // The file is there after the first run: what is left is one call.
    await compare('a command with one HTTP call', 4, fetch, node, RUNS);
  });

  for (const tool of OTHERS) {
    const other = () => run(tool, ['--version'], env);
    if (spawnSync(tool, ['--version'], { stdio: 'ignore' }).status !== 0) {
      console.log(`${tool}: not installed`);
    } else {
      await compare(`mop --version against ${tool} --version`, undefined, version, other, 5);
    }
  }
});
