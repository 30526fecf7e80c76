import { Agent } from 'undici';
import { signBody, signHeaders } from '../../dist/esm/index.js';
import { alternate, cpuOf, inFlight, rate, startSandbox, timed } from '../measure.js';

export const title = 'The sandbox as a server';
export const notes =
  '`mop sandbox` on one core, 50 calls in flight, half of them in each signature mode. The client (undici) signs them in advance.';
export const needs = ['taskset'];

const CALLS = 5000;
const IN_FLIGHT = 50;

export async function* rows() {
  const { url: origin, pid, credentials } = await startSandbox({ core: 0 });
  const agent = new Agent({ connections: IN_FLIGHT });
  const call = async (request) => {
    const { body } = await agent.request({ origin, method: 'POST', ...request });
    const text = await body.text();
    if (!text.startsWith('{"code":0')) throw new Error(text);
  };
  const side = () => {
    const requests = Array.from({ length: CALLS }, (_, n) => signed(n, credentials));
    return timed(
      () => inFlight(IN_FLIGHT, CALLS, (n) => call(requests[n])),
      () => cpuOf(pid),
    );
  };
  yield rate('signed calls', 3000, CALLS, 'calls', await alternate([side], 5));
  await agent.close();
}

function signed(n, credentials) {
  const business = JSON.stringify({ openId: `o-${n}` });
  const headers = { 'Content-Type': 'application/json' };
  if (n % 2) {
    const { body } = signBody(business, credentials);
    return { path: '/open/v1/user/sync', headers, body };
  }
  const { headers: signature } = signHeaders(business, credentials);
  return { path: '/api/open/user/sync', headers: { ...headers, ...signature }, body: business };
}
