/**
 * Calls through `mop proxy`, unsigned, against the same calls made directly with a signature: added
 * latency, calls per second, connections, and the memory of the proxy. The platform is a server
 * that answers at once, in a process of its own; one undici client makes all calls.
 *
 * Usage: node bench/proxy.js [MiB of the upload], by default 1024 (Linux).
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { signBody, signHeaders } from '../dist/esm/index.js';
import { MOP, median, withDirectory } from './measure.js';

const MIB = 1024 ** 2;
const RUNS = 9;
const SINGLE_CALLS = 2000;
const CALLS = 10_000;
const IN_FLIGHT = 50;
const MANY_CALLS = 100_000;

const CREDENTIALS = { apiKey: 'bench', secret: 'bench-secret' };
const UNSIGNED = JSON.stringify({ from: '120.15,30.28', to: '120.21,30.25', city: '杭州' });
const FORM_TEXT = { name: 'order_id', value: '20261119000001' };
const BOUNDARY = 'mop-bench';

const uploadMib = Number(process.argv[2] ?? 1024);
// Reading many certificates would count as memory.
delete process.env.NODE_EXTRA_CA_CERTS;

const script = fileURLToPath(new URL('envelope-server.js', import.meta.url));
await withServer([script], async (platform) => {
  await withProxy(platform, ({ url }) => speed(url, platform));
  await withProxy(platform, (proxy) => memoryOfCalls('calls', proxy, platform));
  await withDirectory((directory) => {
    const options = ['--record', join(directory, 'calls.har')];
    const measured = (proxy) => memoryOfCalls('recorded calls', proxy, platform);
    return withProxy(platform, measured, options);
  });
  for (const isSigned of [true, false]) {
    await withProxy(platform, (proxy) => memoryOfUpload(proxy, isSigned));
  }
});

/** Latency of single calls, then calls per second, each by turns through the proxy and directly. */
async function speed(proxy, platform) {
  const agent = new Agent({ connections: IN_FLIGHT });
  const direct = { origin: platform, body: signBody(UNSIGNED, CREDENTIALS).body };
  const proxied = { origin: proxy, body: UNSIGNED };
  const latency = async (target) => {
    const times = [];
    await inFlight(1, SINGLE_CALLS, async () => {
      const start = performance.now();
      await post(agent, target);
      times.push(performance.now() - start);
    });
    return median(times);
  };
  const rate = async (target) =>
    CALLS / (await inFlight(IN_FLIGHT, CALLS, () => post(agent, target)));

  const latencies = await byTurns(latency, proxied, direct);
  const added = latencies.map(([through, without]) => through - without);
  console.log(
    `latency added at the median: ${median(added).toFixed(2)} ms (at most 1.5 wanted; runs ${range(added, 2)}); ${sides(latencies, 2)} ms, ${ratio(latencies)}x`,
  );
  const rates = await byTurns(rate, proxied, direct);
  const through = rates.map(([each]) => each);
  console.log(
    `calls per second, ${IN_FLIGHT} in flight: ${median(through).toFixed(0)} (at least 2000 wanted; runs ${range(through, 0)}); ${sides(rates, 0)}, ${ratio(rates)}x`,
  );
  await agent.close();
}

/** The memory of the proxy over many calls, and the connections that they took. */
async function memoryOfCalls(name, { url, pid }, platform) {
  const agent = new Agent({ connections: IN_FLIGHT });
  const before = await connections(platform);
  let made = 0;
  for (const end of [1000, 10_000, MANY_CALLS / 4, MANY_CALLS / 2, MANY_CALLS]) {
    await inFlight(IN_FLIGHT, end - made, () => post(agent, { origin: url, body: UNSIGNED }));
    made = end;
    console.log(`after ${end} ${name}: proxy ${status(pid, 'VmRSS')} MiB resident`);
  }
  // Asking takes one.
  const used = (await connections(platform)) - before - 1;
  console.log(`${MANY_CALLS} ${name} used ${used} connections to the platform, none failed`);
  await agent.close();
}

/** The memory of the proxy while a large form passes. */
async function memoryOfUpload({ url, pid }, isSigned) {
  const agent = new Agent();
  const upload = (mib) => {
    const { headers } = isSigned ? signHeaders([FORM_TEXT], CREDENTIALS) : { headers: {} };
    return post(agent, {
      origin: url,
      path: '/api/open/file/upload',
      headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      ...formOf(mib * MIB),
    });
  };
  await upload(1);
  const before = status(pid, 'VmRSS');
  // Resets the peak to the present value.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const start = performance.now();
  await upload(uploadMib);
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `form of ${uploadMib} MiB, ${isSigned ? 'already signed' : 'unsigned'}: peak ${status(pid, 'VmHWM')} MiB, ${before} before; ${seconds.toFixed(1)} s`,
  );
  await agent.close();
}

/** A form with a text and a file of `bytes` bytes, made as it is sent, and its length. */
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

/** Throws unless the platform's envelope comes back. */
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

/** Calls `work` `count` times, at most `width` at once. Returns seconds. */
async function inFlight(width, count, work) {
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    while (next++ < count) await work();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return (performance.now() - start) / 1000;
}

/** Pairs of results, after one run of each to warm up. */
async function byTurns(work, a, b) {
  await work(a);
  await work(b);
  const pairs = [];
  for (let i = 0; i < RUNS; i++) pairs.push([await work(a), await work(b)]);
  return pairs;
}

function ratio(pairs) {
  return median(pairs.map(([through, without]) => through / without)).toFixed(2);
}

function sides(pairs, digits) {
  const [through, without] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  return `${through.toFixed(digits)} through the proxy against ${without.toFixed(digits)} directly`;
}

function range(values, digits) {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}

async function connections(platform) {
  return Number(
    await (await fetch(`${platform}/connections`, { headers: { Connection: 'close' } })).text(),
  );
}

/** A figure of a process in whole MiB: `VmRSS` is resident now, `VmHWM` the peak. */
function status(pid, name) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** Runs `use` with a proxy of its own in front of the platform. */
async function withProxy(platform, use, options = []) {
  await withDirectory(async (directory) => {
    const env = {
      MOP_BASE_URL: platform,
      MOP_OPEN_BASE_URL: platform,
      MOP_API_KEY: CREDENTIALS.apiKey,
      MOP_API_SECRET: CREDENTIALS.secret,
      MOP_ENV: 'production',
      MOP_CONFIG_DIR: directory,
    };
    const args = [MOP, 'proxy', '--port', '0', '--json', ...options];
    await withServer(args, (line, { pid }) => use({ url: JSON.parse(line).url, pid }), env);
  });
}

/** Runs `use` with the first line that a server prints, and its process. */
async function withServer(args, use, env = {}) {
  const server = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  server.stderr.on('data', (data) => {
    errors += data;
  });
  try {
    const line = await new Promise((resolve) => server.stdout.once('data', resolve));
    await use(String(line).trim(), server);
  } finally {
    server.kill();
  }
  // Node warns about listeners that pile up.
  if (/Warning/.test(errors)) throw new Error(errors);
}
