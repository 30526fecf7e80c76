/** 1,000 decodes with --batch over one pool of connections, against a shell loop over curl. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody } from '../dist/esm/index.js';
import { compare, MOP, run, withDirectory, withSandbox } from './measure.js';

const COUNT = 1000;

await withDirectory(async (directory) => {
  const content = JSON.stringify({ openId: 'o-1', mobile: '13800000000' });
  const pair = execFileSync(process.execPath, [MOP, 'sandbox', 'encrypt', content, '--json']);
  const pairs = Array.from({ length: COUNT }, () => JSON.parse(String(pair)));
  const batch = join(directory, 'pairs.jsonl');
  writeFileSync(batch, pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));

  await withSandbox(async ({ base_url, api_key, api_secret }) => {
    const env = {
      MOP_CONFIG_DIR: join(directory, 'none'),
      MOP_BASE_URL: base_url,
      MOP_API_KEY: api_key,
      MOP_API_SECRET: api_secret,
    };
    const mop = () => run(process.execPath, [MOP, 'decode', '--batch', batch], env);

    // The loop is spared the signing: its requests are signed before it starts.
    const credentials = { apiKey: api_key, secret: api_secret };
    const requests = join(directory, 'requests');
    const url = `${base_url}/open/v1/param/decode`;
    const script = `while read -r body; do curl -sf -H 'Content-Type: application/json' -d "$body" '${url}' >/dev/null || exit 1; done < '${requests}'`;
    const curl = () => {
      const bodies = pairs.map((pair) => signBody(JSON.stringify(pair), credentials).body);
      writeFileSync(requests, bodies.map((body) => `${body}\n`).join(''));
      return run('sh', ['-c', script]);
    };
    await compare(`${COUNT} decodes with --batch, against a loop over curl`, 0.2, mop, curl, 5);
  });
});
