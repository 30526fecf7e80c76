import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { PlatformClient, Transport } from '../../dist/esm/index.js';
import {
  alternate,
  inFlight,
  MIB,
  MOP,
  memoryOf,
  newDirectory,
  rate,
  ratio,
  run,
  runWithPeak,
  startSandbox,
  timed,
} from '../measure.js';

export const title = 'Load';
export const notes =
  'The library, 50 calls in flight, half of them in each signature mode, against `mop sandbox`; then all bills of 90 days and three types with `mop bill fetch`. Every call must succeed.';

const CALLS = 10_000;
/** The memory of the sandbox stops growing after some thousand calls. */
const WARM = 10_000;
const IN_FLIGHT = 50;
const TYPES = ['all', 'paid', 'refund'].flatMap((type) => ['--type', type]);

export async function* rows() {
  yield* calls(await startSandbox());
  yield* bills(await startSandbox());
}

async function* calls({ url, credentials, pid }) {
  const transport = new Transport();
  const addresses = { baseUrl: url, openBaseUrl: url };
  const client = new PlatformClient({ ...addresses, credentials, transport, retries: 0 });
  const latencies = [];
  const signed = async (n) => {
    const start = performance.now();
    const body = JSON.stringify({ openId: `o-${n}` });
    const mode = n % 2 ? 'body' : 'header';
    const { data } = await client.call({ path: '/user/sync', mode, body });
    latencies.push(performance.now() - start);
    if (!JSON.stringify(data).includes(`"o-${n}"`)) throw new Error(JSON.stringify(data));
  };
  const signedCalls = (count) => timed(() => inFlight(IN_FLIGHT, count, signed));

  await signedCalls(WARM);
  const [heap, resident] = [heapMib(), memoryOf(pid, 'VmRSS')];
  latencies.length = 0;
  const times = await signedCalls(CALLS);
  latencies.sort((a, b) => a - b);
  const [half, most] = [0.5, 0.99].map((share) => latencies[Math.ceil(CALLS * share) - 1]);
  const text = `half within ${half.toFixed(0)} ms, 99 % within ${most.toFixed(0)}`;
  yield { ...rate('signed calls', undefined, CALLS, 'calls', [[times]]), text };
  const growth = (subject, value) => ({ subject, atMost: 40, value, unit: 'MiB' });
  yield growth('growth of the client’s heap during these calls', heapMib() - heap);
  yield growth('growth of the sandbox during these calls', memoryOf(pid, 'VmRSS') - resident);

  const agent = new Agent({ connections: IN_FLIGHT });
  const headers = { 'Content-Type': 'application/json' };
  const bare = async (n) => {
    const request = { origin: url, path: '/open/v1/user/sync', method: 'POST', headers };
    const body = JSON.stringify({ openId: `o-${n}` });
    await (await agent.request({ ...request, body })).body.text();
  };
  const sides = [() => signedCalls(2000), () => timed(() => inFlight(IN_FLIGHT, 2000, bare))];
  yield ratio(
    'signed calls, against unsigned calls with undici',
    undefined,
    await alternate(sides, 5),
  );
  await Promise.all([transport.close(), agent.close()]);
}

async function* bills({ env }) {
  const directory = newDirectory();
  const fetch = (days, out) => {
    const place = ['-o', `${join(directory, out)}/`];
    return ['bill', 'fetch', '--last', `${days}`, ...TYPES, '--force', '--quiet', ...place];
  };
  const few = await runWithPeak(fetch(3, 'few'), { env });
  const all = await runWithPeak(fetch(90, 'all'), { env });
  const { length } = readdirSync(join(directory, 'all')).filter((name) => name.endsWith('.csv'));
  const text = `${length} bills; peak memory ${all.peak.toFixed(0)} MiB, for 3 days ${few.peak.toFixed(0)}`;
  yield { ...rate('bills of 90 days', undefined, length, 'bills', [[all]]), text };
  const again = await run(process.execPath, [MOP, ...fetch(90, 'all')], { env });
  yield rate('the same bills again, all unchanged', undefined, length, 'bills', [[again]]);
}

function heapMib() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / MIB;
}
