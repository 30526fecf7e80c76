import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { type Envelope, envelopeOf, postJson, signed } from '../sandbox/support.ts';
import { mop } from '../support/cli.ts';
import { pointAt } from '../support/platform.ts';
import { spawnMop } from '../support/process.ts';

/** Whether the system reports memory, files and sockets of processes in /proc. */
export const hasProc = existsSync('/proc/self/status');

/** A process of `mop sandbox`, on a free port and with the machine's clock. */
export interface SandboxProcess {
  readonly url: string;
  readonly port: number;
  /** The peak of its memory, in MiB. */
  peakMemory(): number;
  /** The number of its open files and sockets. */
  openFiles(): number;
  /** The signal or exit code that ended it; undefined while it runs. */
  ending(): string | undefined;
  end(): Promise<void>;
}

/**
 * Starts a sandbox, and returns after its first answer, with its rules loaded.
 *
 * @param nodeOptions Additional options of Node.
 */
export async function startSandboxProcess(
  args: readonly string[] = [],
  nodeOptions = '',
): Promise<SandboxProcess> {
  const child = runSandbox(args, nodeOptions);
  const closed = once(child, 'close');
  const [announced] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(announced)) as { url: string };
  const status = (name: string): number => {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
  };
  const sandbox: SandboxProcess = {
    url,
    port: Number(new URL(url).port),
    peakMemory: () => status('VmHWM'),
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    ending: () => child.signalCode ?? child.exitCode?.toString(),
    async end() {
      child.kill('SIGKILL');
      await closed;
    },
  };
  await expectServing(sandbox);
  return sandbox;
}

/** Starts `mop sandbox`, and returns without waiting for its output. */
function runSandbox(args: readonly string[], nodeOptions = '') {
  const env = { NODE_OPTIONS: nodeOptions, MOP_CONFIG_DIR: '/nonexistent' };
  const child = spawnMop(['sandbox', '--port', '0', '--json', ...args], env);
  // An unread pipe would fill.
  child.stderr.resume();
  return child;
}

/** Checks that the sandbox answers an ordinary client: `mop health`, and a correctly signed call. */
export async function expectServing({ url }: Pick<SandboxProcess, 'url'>): Promise<void> {
  const world = { env: { ...pointAt(url), MOP_DETECT_URL: url }, now: Date.now };
  const health = await mop(['health', '--json'], world);
  const call = await mop(['call', 'user/sync', '{"openId":"o-1"}', '--json'], world);
  expect([health.code, call]).toMatchObject([0, { code: 0, stderr: '' }]);
}

/** A request body with the current time, signed with `secret` or the secret of the sandbox. */
export function signedNow(fields: object, secret?: string): string {
  return signed(fields, { timestamp: Math.floor(Date.now() / 1000) }, secret);
}

/**
 * Requests the bill of the 15th of last month, which is always available and not empty.
 */
export async function requestBill(
  { url }: Pick<SandboxProcess, 'url'>,
  bill_type = 0,
): Promise<Envelope['data']> {
  const day = new Date();
  day.setUTCDate(0);
  const bill_date = `${day.toISOString().slice(0, 8)}15`;
  const body = signedNow({ bill_date, bill_type, tar_type: 0 });
  return envelopeOf(await postJson(`${url}/open/v1/trade/bill`, body)).data;
}

/** A raw connection, and its received bytes. */
export interface RawConnection {
  readonly socket: Socket;
  /** The received bytes, one character for each. */
  received(): string;
  /** All received bytes; resolves when the connection is closed. */
  readonly closed: Promise<string>;
}

/** Connects. The caller or the sandbox closes the connection. */
export async function openRaw(
  { port }: Pick<SandboxProcess, 'port'>,
  host = '127.0.0.1',
): Promise<RawConnection> {
  const socket = connect(port, host);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  await once(socket, 'connect');
  // The sandbox may close the connection early.
  socket.on('error', () => {});
  return { socket, received: () => received, closed };
}

/** The answer to raw bytes, until the sandbox closes the connection. */
export async function exchangeRaw(
  sandbox: Pick<SandboxProcess, 'port'>,
  bytes: string | Uint8Array,
): Promise<string> {
  const { socket, closed } = await openRaw(sandbox);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return closed;
}

/** The status of each answer in received text. */
export function statusesIn(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** The text after the headers of the first answer. */
export function bodyIn(received: string): string {
  return received.slice(received.indexOf('\r\n\r\n') + 4);
}
