import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Reply, send } from '../sandbox/support.ts';
import { mop } from '../support/cli.ts';
import {
  hasProc,
  requestBill,
  type SandboxProcess,
  startSandboxProcess,
} from './sandbox-process.ts';
import { times } from './scale.ts';

const sandbox = await startSandboxProcess();
afterAll(sandbox.end);

const ANY_V4 = '00000000';
const LOOPBACK_V4 = '0100007F';
const LOOPBACK_V6 = '00000000000000000000000001000000';

/** The addresses that listen on a port, in the notation of the kernel. */
function listening(port: number): readonly string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    [...readFileSync(table, 'utf8').matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)]
      .filter(([, , at]) => at === hexPort)
      .map(([, address = '']) => address),
  );
}

/** The addresses at which other machines reach this one. */
const externalAddresses = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  .map(({ address }) => address);

/** Connects. Returns `connected`, or the code of the error. */
function tryToConnect(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve('connected'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
    onTestFinished(() => void socket.destroy());
  });
}

/** Starts a sandbox that ends with the test. */
async function startSandbox(...args: readonly string[]): Promise<SandboxProcess> {
  const created = await startSandboxProcess(args);
  onTestFinished(created.end);
  return created;
}

describe('the sandbox listens', () => {
  it('only on loopback by default', async () => {
    if (hasProc) expect(listening(sandbox.port)).toEqual([LOOPBACK_V4]);
    for (const address of externalAddresses) {
      expect(await tryToConnect(address, sandbox.port)).toBe('ECONNREFUSED');
    }
  });

  it.each([
    ['localhost', [LOOPBACK_V4, LOOPBACK_V6]],
    ['::1', [LOOPBACK_V6]],
    ['127.0.0.2', ['0200007F']],
  ])('only on %s with --host', async (host, addresses) => {
    const created = await startSandbox('--host', host);
    // The machine resolves localhost to one of the two addresses.
    if (hasProc) expect(addresses).toContain(listening(created.port).join());
    for (const address of externalAddresses) {
      expect(await tryToConnect(address, created.port)).toBe('ECONNREFUSED');
    }
  });

  it('on all addresses with --allow-remote', async () => {
    const created = await startSandbox('--host', '0.0.0.0', '--allow-remote');
    if (hasProc) expect(listening(created.port)).toEqual([ANY_V4]);
    for (const address of externalAddresses.filter((each) => each.includes('.'))) {
      expect(await tryToConnect(address, created.port)).toBe('connected');
    }
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com', '0', '', ' '])(
    'not on %j without --allow-remote, and exits with 2',
    async (host) => {
      const stop = new AbortController();
      const onStdout = () => stop.abort();
      const argv = ['sandbox', '--port', '0', '--host', host];
      const { code, stdout } = await mop(argv, { onStdout, signal: stop.signal });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );
});

describe('the link to a bill', () => {
  function open(url: string, Authorization: string): Promise<Reply> {
    return send(url, { headers: { Authorization } });
  }

  it('refuses guessed authorizations and changed addresses', async () => {
    const { download_url: url = '', authorization = '' } = await requestBill(sandbox);
    expect((await open(url, authorization)).status).toBe(200);
    const guesses = Array.from({ length: times(25, 20_000) }, (_, at) => {
      const place = at % authorization.length;
      const letter = String.fromCharCode(33 + (at % 94));
      return authorization.slice(0, place) + letter + authorization.slice(place + 1);
    }).filter((guess) => guess !== authorization);
    for (const guess of guesses) expect((await open(url, guess)).status).toBe(403);
    for (const changed of [
      url.replace('tar=stream', 'tar=gzip'),
      url.replace('type=all', 'type=paid'),
      url.replace(/expires=(\d+)/, 'expires=9$1'),
      url.replace(/expires=\d+/, 'expires='),
      url.replace(/expires=/, 'expires=0'),
      url.replace('date=', 'date=2020-01-01&date='),
    ]) {
      expect(changed).not.toBe(url);
      expect((await open(changed, authorization)).status).toBe(403);
    }
  });

  it('refuses the authorization of another bill', async () => {
    const [all, paid] = [await requestBill(sandbox, 0), await requestBill(sandbox, 1)];
    const mixed = await open(all.download_url ?? '', paid.authorization ?? '');
    expect([mixed.status, mixed.body.toString()]).toEqual([
      403,
      expect.stringMatching(/^not authorized/),
    ]);
  });

  it('is refused by another sandbox', async () => {
    const { download_url = '', authorization = '' } = await requestBill(sandbox);
    const otherUrl = download_url.replace(sandbox.url, (await startSandbox()).url);
    expect((await open(otherUrl, authorization)).status).toBe(403);
  });

  it('is refused after it has expired', async () => {
    const late = await startSandbox('--fault', 'expire');
    const { download_url = '', authorization = '' } = await requestBill(late);
    const { status, body } = await open(download_url, authorization);
    expect([status, body.toString()]).toEqual([403, 'the link has expired: request a new one']);
    const extended = download_url.replace(/expires=\d+/, `expires=${Date.now() + 60_000}`);
    expect((await open(extended, authorization)).status).toBe(403);
  });
});
