/** `mop sign verify` of a wrong request of 20 fields against the same request signed right. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody } from '../dist/esm/index.js';
import { compare, MOP, run, withDirectory } from './measure.js';

const credentials = { apiKey: 'bench', secret: '0123456789abcdef0123456789abcdef' };
const env = {
  MOP_API_KEY: credentials.apiKey,
  MOP_API_SECRET: credentials.secret,
  MOP_ENV: 'production',
};

// Something for every mistake: text that is not ASCII, numbers, booleans, null, nested JSON.
const { body, sign } = signBody(
  JSON.stringify({
    order_id: '3791411052119578828',
    city: '杭州',
    lat: 30.27,
    lon: 120.5,
    fee: 12.5,
    count: 2,
    urgent: true,
    remark: 'a b/c',
    note: 'x&y',
    empty: '',
    none: null,
    callback: 'https://host/path?a=1',
    Kind: 'A',
    passenger: { name: 'Zoë', mobile: '138 0000', vip: false },
    stops: [{ lat: 30.1, lon: 120 }],
  }),
  credentials,
);

await withDirectory(async (directory) => {
  const file = (name, text) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return `@${path}`;
  };
  const right = file('right.json', body);
  const lowerCase = file('single.json', body.replace(sign, sign.toLowerCase()));
  const unexplained = file('unexplained.json', body.replace(sign, '0'.repeat(32)));
  const verify = (request, code) => () =>
    run(process.execPath, [MOP, 'sign', 'verify', request], env, code);
  await compare('one mistake', 1.2, verify(lowerCase, 4), verify(right, 0));
  await compare('all that can be tried', 5, verify(unexplained, 4), verify(right, 0));
});
