/** `mop sign --batch` of bill requests, against `signBody` in a loop over the same lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody } from '../dist/esm/index.js';
import { compare, MOP, median, run, withDirectory } from './measure.js';

const COUNT = 200_000;
const credentials = { apiKey: 'k-00', secret: '0123456789abcdef0123456789abcdef' };

await withDirectory(async (directory) => {
  const batch = join(directory, 'bodies.jsonl');
  const lines = Array.from(
    { length: COUNT },
    (_, index) =>
      `{"bill_date":"2026-11-${(index % 28) + 1}","bill_type":${index % 3},"tar_type":1}\n`,
  );
  writeFileSync(batch, lines.join(''));
  const env = {
    MOP_CONFIG_DIR: join(directory, 'none'),
    MOP_API_KEY: credentials.apiKey,
    MOP_API_SECRET: credentials.secret,
  };
  const times = [];
  const mop = async () => {
    times.push(await run(process.execPath, [MOP, 'sign', '--batch', batch], env));
    return times.at(-1);
  };
  const loop = () => {
    const start = process.hrtime.bigint();
    for (const line of readFileSync(batch, 'utf8').trimEnd().split('\n')) {
      signBody(line, credentials);
    }
    return Number(process.hrtime.bigint() - start) / 1e9;
  };
  await compare(`${COUNT} bodies with sign --batch, against signBody in a loop`, 2.5, mop, loop, 5);
  const rate = Math.round(COUNT / median(times));
  console.log(`${rate} bodies per second (at least 20000 wanted)`);
});
