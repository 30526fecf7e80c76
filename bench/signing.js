/** `signBody` of a bill request against MD5 of the same string in node:crypto. */
import { createHash } from 'node:crypto';
import { signBody } from '../dist/esm/index.js';
import { median } from './measure.js';

const CALLS = 50_000;
const credentials = { apiKey: 'k-00', secret: '0123456789abcdef0123456789abcdef' };
const body = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';
const text = signBody(body, credentials).canonical + credentials.secret;

function microseconds(call) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) call();
  return Number(process.hrtime.bigint() - start) / 1000 / CALLS;
}

const rounds = Array.from({ length: 9 }, () => [
  microseconds(() => signBody(body, credentials)),
  microseconds(() => createHash('md5').update(text).digest('hex')),
]);
const [sign, md5] = [0, 1].map((side) => median(rounds.map((round) => round[side])));
const ratio = median(rounds.map(([a, b]) => a / b));
console.log(
  `signBody: ${ratio.toFixed(1)}x (at most 8x wanted; ${sign.toFixed(1)} µs against ${md5.toFixed(1)} µs, median of ${rounds.length})`,
);
