import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody } from '../../dist/esm/index.js';
import { alternate, clientEnv, MOP, newDirectory, run, seconds } from '../measure.js';

export const title = 'Explaining a wrong signature';
export const notes =
  '`mop sign verify` of 15 fields. Start-up is included. If no mistake explains the signature, it tries 114,000 signers.';

const CREDENTIALS = { apiKey: 'bench', secret: '0123456789abcdef0123456789abcdef' };

// Values for every kind of mistake: non-ASCII text, numbers, booleans, null, nested JSON.
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
  CREDENTIALS,
);

export async function* rows() {
  const directory = newDirectory();
  const env = clientEnv('http://127.0.0.1:9', CREDENTIALS);
  const verify = (name, request, code) => {
    const path = join(directory, name);
    writeFileSync(path, request);
    return () => run(process.execPath, [MOP, 'sign', 'verify', `@${path}`], { env, code });
  };
  const right = verify('right.json', body, 0);
  const lowerCase = verify('lower-case.json', body.replace(sign, sign.toLowerCase()), 4);
  const unexplained = verify('unexplained.json', body.replace(sign, '0'.repeat(32)), 4);
  yield seconds('right signature', undefined, await alternate([right], 15));
  yield seconds('one mistake', 0.3, await alternate([lowerCase], 15));
  yield seconds('no mistake explains the signature', 2, await alternate([unexplained], 3));
}
