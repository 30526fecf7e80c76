import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { signBody, signHeaders } from '../../dist/esm/index.js';
import {
  alternate,
  clientEnv,
  inFlight,
  MIB,
  MOP,
  median,
  memoryOf,
  newDirectory,
  rate,
  ratio,
  startAnswers,
  startServer,
  timed,
} from '../measure.js';

export const title = 'The proxy';
export const notes =
  'Unsigned calls through `mop proxy`, against signed ones without it, by one client (undici). Client, proxy and a platform that answers immediately share the cores, so the ratios are worst cases. A signed form streams through; an unsigned form is stored first.';

const SINGLE_CALLS = 2000;
const CALLS = 10_000;
const IN_FLIGHT = 50;
const FORM = 1024 * MIB;

const CREDENTIALS = { apiKey: 'bench', secret: 'bench-secret' };
const UNSIGNED = JSON.stringify({ from: '120.15,30.28', to: '120.21,30.25', city: '杭州' });
const FORM_TEXT = { name: 'order_id', value: '20261119000001' };
const BOUNDARY = 'mop-bench';

export async function* rows() {
  const envelope = { code: 0, message: 'ok', data: { estimate_price: 2350 } };
  const { url: platform } = await startAnswers(JSON.stringify(envelope));
  const proxies = [];
  const startProxy = async (...options) => {
    const args = [MOP, 'proxy', '--port', '0', '--json', ...options];
    const server = await startServer(args, { env: clientEnv(platform, CREDENTIALS) });
    proxies.push(server);
    return { url: JSON.parse(server.line).url, pid: server.pid };
  };
  yield* speed(await startProxy(), platform);
  yield* memoryOfCalls('', await startProxy(), platform);
  const record = ['--record', join(newDirectory(), 'calls.har')];
  yield* memoryOfCalls(', with `--record`', await startProxy(...record), platform);
  for (const isSigned of [true, false]) yield* memoryOfForm(await startProxy(), isSigned);
  // Node warns about accumulating listeners.
  const warning = proxies.map(({ errors }) => errors()).find((text) => text.includes('Warning'));
  if (warning) throw new Error(warning);
}

async function* speed({ url }, platform) {
  const agent = new Agent({ connections: IN_FLIGHT });
  const proxied = { origin: url, body: UNSIGNED };
  const direct = { origin: platform, body: signBody(UNSIGNED, CREDENTIALS).body };
  const sides = (width, count) =>
    [proxied, direct].map((target) => () => timed(() => postMany(agent, target, width, count)));

  const single = await alternate(sides(1, SINGLE_CALLS), 5);
  const added = single.map(([through, without]) => through.wall - without.wall);
  const value = (1000 * median(added)) / SINGLE_CALLS;
  const times = ratio(`${SINGLE_CALLS.toLocaleString('en')} calls`, undefined, single);
  yield { ...times, subject: 'time that the proxy adds to a call', atMost: 1.5, value, unit: 'ms' };
  const many = await alternate(sides(IN_FLIGHT, CALLS), 5);
  yield rate(`calls, ${IN_FLIGHT} in flight`, 2000, CALLS, 'calls', many);
  yield ratio(`calls, ${IN_FLIGHT} in flight, against direct ones`, undefined, many);
  await agent.close();
}

/** The memory of the proxy over many calls, and the number of connections. */
async function* memoryOfCalls(how, { url, pid }, platform) {
  const agent = new Agent({ connections: IN_FLIGHT });
  const before = await connections(platform);
  const target = { origin: url, body: UNSIGNED };
  await postMany(agent, target, IN_FLIGHT, CALLS);
  const warm = memoryOf(pid, 'VmRSS');
  await postMany(agent, target, IN_FLIGHT, 4 * CALLS);
  const value = memoryOf(pid, 'VmRSS');
  // Counting the connections uses one itself.
  const used = (await connections(platform)) - before - 1;
  const text = `${warm.toFixed(0)} after 10,000; ${used} connections to the platform`;
  yield { subject: `memory after 50,000 calls${how}`, value, unit: 'MiB', text };
  await agent.close();
}

async function* memoryOfForm({ url, pid }, isSigned) {
  const agent = new Agent();
  const upload = (bytes) => {
    const { headers } = isSigned ? signHeaders([FORM_TEXT], CREDENTIALS) : { headers: {} };
    return post(agent, {
      origin: url,
      path: '/api/open/file/upload',
      headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      ...formOf(bytes),
    });
  };
  await upload(MIB);
  const before = memoryOf(pid, 'VmRSS');
  // Resets the peak to the current value.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const { wall, cpu } = await timed(() => upload(FORM));
  const subject = `peak memory, form of 1 GiB, ${isSigned ? 'signed' : 'unsigned'}`;
  const text = `${before.toFixed(0)} before`;
  yield { subject, value: memoryOf(pid, 'VmHWM'), unit: 'MiB', text, wall: [wall], cpu: [cpu] };
  await agent.close();
}

/** A form with a text and a file of `bytes` bytes, generated while it is sent, and its length. */
function formOf(bytes) {
  const part = (attributes) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${attributes}\r\n`;
  const head = Buffer.from(
    `${part(`name="${FORM_TEXT.name}"`)}\r\n${FORM_TEXT.value}\r\n${part('name="file"; filename="scan.bin"')}Content-Type: application/octet-stream\r\n\r\n`,
  );
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const chunk = Buffer.alloc(64 * 1024, 'x');
  async function* chunks() {
    yield head;
    for (let at = 0; at < bytes; at += chunk.length) yield chunk;
    yield end;
  }
  const length = String(head.length + bytes + end.length);
  return { body: chunks(), length };
}

function postMany(agent, target, width, count) {
  return inFlight(width, count, () => post(agent, target));
}

/** Throws unless the answer is the platform's envelope. */
async function post(agent, { origin, path = '/open/v1/estimate/price', headers, body, length }) {
  const answer = await agent.request({
    origin,
    path,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...headers,
      ...(length && { 'Content-Length': length }),
    },
    body,
  });
  const text = await answer.body.text();
  if (!text.startsWith('{"code":0')) throw new Error(`${answer.statusCode} ${text}`);
}

async function connections(platform) {
  return Number(
    await (await fetch(`${platform}/connections`, { headers: { Connection: 'close' } })).text(),
  );
}
