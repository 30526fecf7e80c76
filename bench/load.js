/**
 * A client that works for long against a sandbox: 10,000 signed calls with 50 in flight, then 270
 * bills. Nothing may fail, and memory is to stay flat in both processes.
 *
 * Usage: node --expose-gc bench/load.js (Linux)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { PlatformClient, Transport } from '../dist/esm/index.js';
import { compare, MOP, output, peakMemory, withDirectory, withSandbox } from './measure.js';

const CALLS = 10_000;
const IN_FLIGHT = 50;
const MEASURED_AFTER = [1000, 5000, CALLS];
const DAYS = 90;
const TYPES = ['all', 'paid', 'refund'];

await withSandbox(async (facts, { pid }) => {
  await manyCalls(facts, pid);
  await againstBare(facts);
});
await withSandbox((facts, { pid }) => manyBills(facts, pid));

/** Signed calls, half of them in each mode. */
async function manyCalls(facts, sandbox) {
  const { client, transport } = clientOf(facts);
  const latencies = [];
  const call = async (n) => {
    const start = performance.now();
    await signedCall(client, n);
    latencies.push(performance.now() - start);
  };
  let seconds = 0;
  let warm;
  for (const end of MEASURED_AFTER) {
    seconds += await inFlight(end - latencies.length, call);
    const now = [clientMib(), residentMib(sandbox)];
    warm ??= now;
    const [ours, theirs] = now.map((mib, at) => `${mib.toFixed(0)} MiB (${growth(warm[at], mib)})`);
    console.log(`after ${end} calls: client ${ours}, sandbox ${theirs}`);
  }
  await transport.close();
  latencies.sort((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) =>
    latencies[Math.ceil(CALLS * share) - 1].toFixed(0),
  );
  console.log(
    `${CALLS} signed calls, ${IN_FLIGHT} in flight: ${(CALLS / seconds).toFixed(0)} a second, none failed; p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`,
  );
}

/** Calls by turns: signed by the library, and by undici alone, unsigned. */
async function againstBare(facts) {
  const { client, transport } = clientOf(facts);
  const agent = new Agent({ connections: IN_FLIGHT });
  const bare = async (n) => {
    const body = JSON.stringify({ openId: `o-${n}` });
    const headers = { 'Content-Type': 'application/json' };
    const request = {
      origin: facts.url,
      path: '/open/v1/user/sync',
      method: 'POST',
      headers,
      body,
    };
    await (await agent.request(request)).body.text();
  };
  await compare(
    '2,000 signed calls against as many unsigned POSTs of undici',
    undefined,
    () => inFlight(2000, (n) => signedCall(client, n)),
    () => inFlight(2000, bare),
  );
  await Promise.all([transport.close(), agent.close()]);
}

/** All bills of the window into a directory, twice, and one day for comparison. */
async function manyBills({ url, api_key, api_secret }, sandbox) {
  await withDirectory(async (directory) => {
    const env = {
      MOP_BASE_URL: url,
      MOP_API_KEY: api_key,
      MOP_API_SECRET: api_secret,
      MOP_CONFIG_DIR: join(directory, 'none'),
    };
    const types = TYPES.flatMap((type) => ['--type', type]);
    const fetch = (days, out) => [
      'bill',
      'fetch',
      '--last',
      `${days}`,
      ...types,
      '--json',
      '-o',
      `${join(directory, out)}/`,
    ];
    // Yesterday may be without a bill until 10:00, and one day of the 13th always is.
    const few = await peakMemory(fetch(3, 'few'), env, directory);
    const before = residentMib(sandbox);
    const start = performance.now();
    const all = await peakMemory(fetch(DAYS, 'all'), env, directory);
    const seconds = (performance.now() - start) / 1000;
    const { length } = readdirSync(join(directory, 'all')).filter((name) => /csv$/.test(name));
    console.log(
      `${length} bills of ${DAYS} days: ${seconds.toFixed(1)} s, ${(length / seconds).toFixed(0)} a second; peak memory ${all.toFixed(0)} MiB, of 3 days ${few.toFixed(0)} MiB; sandbox ${growth(before, residentMib(sandbox))} MiB`,
    );
    const { summary } = JSON.parse(await output(MOP, fetch(DAYS, 'all'), env));
    const { unchanged, no_bill, downloaded, failed } = summary;
    if (unchanged !== length || downloaded + failed > 0) throw new Error(JSON.stringify(summary));
    console.log(`again: ${unchanged} unchanged, ${no_bill} without trades`);
  });
}

function clientOf({ url, api_key: apiKey, api_secret: secret }) {
  const transport = new Transport();
  const addresses = { baseUrl: url, openBaseUrl: url };
  // Without retries: what fails is to be seen.
  const options = { ...addresses, credentials: { apiKey, secret }, transport, retries: 0 };
  return { client: new PlatformClient(options), transport };
}

/** Throws unless it comes back with what was sent. */
async function signedCall(client, n) {
  const body = JSON.stringify({ openId: `o-${n}` });
  const { data } = await client.call({ path: '/user/sync', mode: n % 2 ? 'body' : 'header', body });
  if (!JSON.stringify(data).includes(`"o-${n}"`)) throw new Error(JSON.stringify(data));
}

/** Calls `work` so many times, at most {@link IN_FLIGHT} at once. Returns seconds. */
async function inFlight(count, work) {
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return (performance.now() - start) / 1000;
}

/** What is in use where garbage can be collected, else what is resident. */
function clientMib() {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return (globalThis.gc ? heapUsed : rss) / 1024 ** 2;
}

function residentMib(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

function growth(before, now) {
  return `${now < before ? '' : '+'}${(now - before).toFixed(1)}`;
}
