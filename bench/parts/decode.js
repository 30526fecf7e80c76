import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody } from '../../dist/esm/index.js';
import { alternate, MOP, newDirectory, ratio, run, startSandbox } from '../measure.js';

export const title = 'Decoding, against a loop over curl';
export const notes =
  '`mop decode --batch` starts once, signs, and calls `mop sandbox` over a few connections. The loop starts curl for each call; its requests are signed in advance.';
export const needs = ['curl'];

const COUNT = 500;

export async function* rows() {
  const directory = newDirectory();
  const content = JSON.stringify({ openId: 'o-1', mobile: '13800000000' });
  const pair = String(
    execFileSync(process.execPath, [MOP, 'sandbox', 'encrypt', content, '--json']),
  );
  const lines = (text) => `${text.trim()}\n`.repeat(COUNT);
  const batch = join(directory, 'pairs.jsonl');
  writeFileSync(batch, lines(pair));

  const { env, credentials, url } = await startSandbox();
  const mop = () => run(process.execPath, [MOP, 'decode', '--batch', batch], { env });
  const requests = join(directory, 'requests');
  const call = `curl -sf -H 'Content-Type: application/json' -d "$body" '${url}/open/v1/param/decode' >/dev/null`;
  const curl = () => {
    const bodies = Array.from({ length: COUNT }, () => signBody(pair, credentials).body);
    writeFileSync(requests, bodies.map((body) => `${body}\n`).join(''));
    return run('sh', ['-c', `while read -r body; do ${call} || exit 1; done < '${requests}'`]);
  };
  yield ratio(`${COUNT} decodes`, 0.2, await alternate([mop, curl], 3));
}
