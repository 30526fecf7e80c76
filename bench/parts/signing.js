import { createHash } from 'node:crypto';
import { signBody } from '../../dist/esm/index.js';
import { alternate, ratio, timed } from '../measure.js';

export const title = 'Signing';
export const notes = '50,000 calls in this process, against MD5 of the same string by node:crypto.';

const CALLS = 50_000;
const CREDENTIALS = { apiKey: 'k-00', secret: '0123456789abcdef0123456789abcdef' };
const BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';

export async function* rows() {
  const text = signBody(BODY, CREDENTIALS).canonical + CREDENTIALS.secret;
  const often = (call) => () =>
    timed(() => {
      for (let i = 0; i < CALLS; i++) call();
    });
  const sign = often(() => signBody(BODY, CREDENTIALS));
  const md5 = often(() => createHash('md5').update(text).digest('hex'));
  yield ratio('`signBody` of a bill request', 8, await alternate([sign, md5], 9));
}
