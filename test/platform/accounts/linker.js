/** Changes a database in a separate process: linker.js PATH NAME COUNT | linker.js PATH die */
import { linkAccount, SqliteAccountStore } from '../../../dist/esm/index.js';

const [path = '', name = '', count = ''] = process.argv.slice(2);
const store = new SqliteAccountStore(path, 'shop');

if (name === 'die') {
  await store.write(async (accounts) => {
    // More than SQLite caches, so that a part is on the disk before the commit.
    for (const account of await accounts.list()) accounts.put({ ...account, mobile: null });
    process.kill(process.pid, 'SIGKILL');
  });
}
for (let index = 0; index < Number(count); index++) {
  await linkAccount(store, { user: `${name}-${index}`, openId: `o-${name}-${index}` });
  process.stdout.write(`${name}-${index}\n`);
}
