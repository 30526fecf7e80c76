import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type Finding, failed, ok, skipped } from './finding.ts';
import { type NetworkOptions, networkFailure, step } from './step.ts';

/** The check `dns`: whether this machine finds the host, the way every program does. */
export async function examineName(url: URL, options: NetworkOptions): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return skipped(`${host} is no name to look up`);
  try {
    const found = await step(url, options, () => lookup(host, { all: true }));
    return ok(`${host} is ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return failed(networkFailure(error, options));
  }
}
