import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody } from '../../dist/esm/index.js';
import {
  alternate,
  clientEnv,
  MOP,
  newDirectory,
  rate,
  ratio,
  run,
  startAnswers,
  startSandbox,
  timed,
} from '../measure.js';

export const title = 'Batches';
export const notes =
  'Start-up is included. `decode` and `detect` call a server on a separate core, which returns the same answer for each line. `sign` makes no calls.';
export const needs = ['taskset'];

const ASKED = 10_000;
const SIGNED = 200_000;
const RUNS = 3;
const CREDENTIALS = { apiKey: 'bench', secret: '0123456789abcdef0123456789abcdef' };

export async function* rows() {
  const directory = newDirectory();
  const batch = (name, count, lineOf) => {
    const path = join(directory, name);
    const lines = Array.from({ length: count }, (_, n) => `${JSON.stringify(lineOf(n))}\n`);
    writeFileSync(path, lines.join(''));
    return ['--batch', path];
  };
  const mop = (args, env) => () => run(process.execPath, [MOP, ...args], { env });

  const decoded = { openId: 'o-1', mobile: '13800000000' };
  const envelope = { code: 0, message: 'ok', data: { json_string: JSON.stringify(decoded) } };
  const platform = await startAnswers(JSON.stringify(envelope), 0);
  const pairs = batch('pairs', ASKED, (n) => ({ encrypt_data: `data-${n}`, encrypt_id: `${n}` }));
  const decode = mop(['decode', ...pairs], clientEnv(platform.url));
  yield rate('`decode --batch`', 3000, ASKED, 'lines', await alternate([decode], RUNS));

  const texts = batch('texts', ASKED, (n) => ({ text: `You only need me, ${n}.` }));
  const service = await startAnswers(await detectionAnswer(), 0);
  const env = { ...clientEnv(service.url), MOP_DETECT_URL: service.url };
  const detect = mop(['detect', ...texts], env);
  yield rate('`detect --batch`', 2000, ASKED, 'lines', await alternate([detect], RUNS));

  const bill = (n) => ({ bill_date: `2026-11-${(n % 28) + 1}`, bill_type: n % 3, tar_type: 1 });
  const bodies = batch('bodies', SIGNED, bill);
  const sign = mop(['sign', ...bodies], clientEnv('http://127.0.0.1:9', CREDENTIALS));
  const loop = () =>
    timed(() => {
      for (const line of readFileSync(bodies[1], 'utf8').trimEnd().split('\n')) {
        signBody(line, CREDENTIALS);
      }
    });
  const rounds = await alternate([sign, loop], RUNS);
  yield rate('`sign --batch`', 20_000, SIGNED, 'lines', rounds);
  yield ratio('`sign --batch`, against `signBody` in a loop', 2.5, rounds);
}

async function detectionAnswer() {
  const { detect_url } = await startSandbox();
  const answer = await fetch(`${detect_url}/api/detect`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ text: 'You only need me.' }),
  });
  return answer.text();
}
