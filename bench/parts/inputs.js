import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternate, clientEnv, newDirectory, peak, runWithPeak, seconds } from '../measure.js';

export const title = 'Large inputs';
export const notes =
  '`mop sign @FILE` with an array of objects in one field, and with a sparse file of 1 GiB, which exceeds the limit.';

export async function* rows() {
  const directory = newDirectory();
  const env = clientEnv('http://127.0.0.1:9');
  const nested = join(directory, 'nested.json');
  writeFileSync(nested, JSON.stringify({ batch: 1, orders: orders(10_000_000) }));
  const signed = await alternate([() => runWithPeak(['sign', `@${nested}`], { env })], 3);
  yield seconds('nested body of 10 MB', 1, signed);
  yield peak('peak memory of the same run', 200, signed);

  const large = join(directory, 'large.json');
  writeFileSync(large, '');
  truncateSync(large, 1024 ** 3);
  const refused = [[await runWithPeak(['sign', `@${large}`], { env, code: 2 })]];
  yield seconds('body of 1 GiB is refused', 2, refused);
  yield peak('peak memory of the same run', 300, refused);
}

function orders(bytes) {
  const order = (n) => ({
    order_id: `${20261119000000 + n}`,
    city: '杭州',
    paid: { amount: 12.5 + n, currency: 'CNY', coupons: [{ id: n, amount: 1.5 }] },
    stops: [
      { lat: 30.27, lon: 120.15, name: 'West Lake' },
      { lat: 30.29, lon: 120.21, name: 'East Station' },
    ],
    note: null,
  });
  const each = Buffer.byteLength(JSON.stringify(order(0))) + 1;
  return Array.from({ length: Math.ceil(bytes / each) }, (_, n) => order(n));
}
