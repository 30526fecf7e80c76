import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { type CliResult, type CliWorld, errorOf, mop, temporaryDirectory } from '../support/cli.ts';
import {
  type Answer,
  AUTHORIZATION,
  type BillScript,
  CONTENT,
  QUERY,
  type SandboxForTest,
  type ScriptedPlatform,
  scriptedPlatform,
} from '../support/platform.ts';
import type { Received } from '../support/server.ts';

/** Where a fault strikes: the signed POST for the descriptor, or the GET of the file. */
export type End = 'descriptor' | 'download';

export const ENDS: readonly End[] = ['descriptor', 'download'];

/** A platform that is good but for one end. */
export function faultyPlatform(
  end: End,
  fault: Answer,
  script: BillScript = {},
): Promise<ScriptedPlatform> {
  return scriptedPlatform({ ...script, [end === 'descriptor' ? 'call' : 'download']: fault });
}

/** How a connection goes on after what was written to it. */
export type Afterwards = 'end' | 'reset' | 'stay';

/** Writes bytes in the place of a response, whatever HTTP says to them. */
export function raw(
  bytes: (good: Buffer) => readonly (string | Uint8Array)[],
  afterwards: Afterwards = 'end',
): Answer {
  return ({ socket }, _number, _request, good) => {
    socket?.write(joined(...bytes(good)), () => {
      if (afterwards === 'end') socket.end();
      if (afterwards === 'reset') socket.resetAndDestroy();
    });
  };
}

export function joined(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
}

/** The head of a response with status 200. */
export function head(...headers: readonly string[]): string {
  return ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n');
}

export const FILE = 'bill_2026-11-19_all.csv';
const OLD = 'what was there before\n';

/** Fetches a bill into a directory. */
export function fetchInto(
  directory: string,
  args: readonly string[],
  world: CliWorld,
): Promise<CliResult> {
  return mop(['bill', 'fetch', '--json', '-o', `${directory}/`, ...args], world);
}

/** What the report says of the one bill. */
export function billOf({ stdout }: CliResult): Record<string, unknown> {
  return JSON.parse(stdout).bills[0];
}

/** A platform and what was asked of it. */
interface Asked extends Partial<Pick<ScriptedPlatform, 'requests'> & Pick<SandboxForTest, 'log'>> {
  readonly env: Record<string, string>;
}

export interface Failure {
  readonly code: number;
  readonly message: RegExp;
  readonly hint?: RegExp;
  /** Each begins with a request for the descriptor, if that can be sent. */
  readonly attempts: number;
  /** Requests for the file. */
  readonly gets: number;
}

/**
 * Fetches a bill twice, which fails: into an empty directory, where nothing is left, and with
 * `--overwrite` where a file stands, which survives. Both times the code, what is said, the report
 * and what was sent are as they should be.
 *
 * @returns The first of the two.
 */
export async function expectFailure(
  platform: Asked,
  expected: Failure,
  args: readonly string[] = [],
): Promise<CliResult> {
  const directory = await temporaryDirectory();
  const fetchOnce = async (more: readonly string[]): Promise<CliResult> => {
    const before = methodsOf(platform)?.length;
    const result = await fetchInto(directory, [...args, ...more], { env: platform.env });
    expectSaid(result, expected);
    const sent = methodsOf(platform)?.slice(before);
    const { attempts, gets } = expected;
    if (sent) expect(tally(sent)).toEqual({ POST: attempts, ...(gets > 0 && { GET: gets }) });
    return result;
  };
  const first = await fetchOnce([]);
  expect(readdirSync(directory)).toEqual([]);

  writeFileSync(join(directory, FILE), OLD);
  await fetchOnce(['--overwrite']);
  expect(readdirSync(directory)).toEqual([FILE]);
  expect(readFileSync(join(directory, FILE), 'utf8')).toBe(OLD);
  expectSound(platform.requests ?? []);
  return first;
}

function expectSaid(result: CliResult, { code, message, hint = /./, attempts }: Failure): void {
  const error = errorOf(result);
  expect(error).toMatchObject({
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
    exit_code: code,
    // By its exit code: 6 and 7 are worth another run.
    retryable: [6, 7].includes(code),
  });
  expect(result.code).toBe(code);
  expect(billOf(result)).toMatchObject({ status: 'failed', verified: false, attempts, error });
}

/** How often each failure that may pass is tried in {@link expectFault}. */
const TWICE = ['--retries', '1'];

/** Of a failure, what a fault that stays makes of it. */
export interface Fault extends Pick<Failure, 'code' | 'message' | 'hint'> {
  /** Whether it is tried again; by default network failures and damaged files are. */
  readonly passing?: boolean;
  /** Requests for the file in each attempt, where they are what fails; default 1. */
  readonly getsEach?: number;
}

/** {@link expectFailure} of a platform that is good but for one end. */
export async function expectFault(
  end: End,
  fault: Answer,
  { passing, getsEach = 1, ...expected }: Fault,
  args: readonly string[] = [],
  script: BillScript = {},
): Promise<CliResult> {
  const attempts = (passing ?? [6, 7].includes(expected.code)) ? 2 : 1;
  return expectFailure(
    await faultyPlatform(end, fault, script),
    { ...expected, attempts, gets: end === 'download' ? attempts * getsEach : 0 },
    [...TWICE, ...args],
  );
}

export interface Success {
  /** Default {@link CONTENT}. */
  readonly content?: Uint8Array;
  readonly attempts?: number;
  readonly verified?: boolean;
  /** Whether standard error says nothing; by default when the bill is verified. */
  readonly quiet?: boolean;
  /** Whether each download carries the authorization. Default true. */
  readonly sound?: boolean;
}

/** Fetches the bill, which is then in its place with its line in the ledger, and nothing else. */
export async function expectStored(
  platform: Asked,
  args: readonly string[] = [],
  {
    content = CONTENT,
    attempts = 1,
    verified = true,
    quiet = verified,
    sound = true,
  }: Success = {},
): Promise<CliResult> {
  const directory = await temporaryDirectory();
  const result = await fetchInto(directory, args, { env: platform.env });
  expect([result.code, result.stderr === '']).toEqual([0, quiet]);
  expect(billOf(result)).toMatchObject({ status: 'downloaded', verified, attempts });
  expect(readdirSync(directory)).toEqual([FILE, 'bills.jsonl']);
  expect(readFileSync(join(directory, FILE))).toEqual(Buffer.from(content));
  if (sound) expectSound(platform.requests ?? []);
  return result;
}

/** The methods of what was asked, in order; undefined for a platform that cannot tell. */
function methodsOf({ requests, log }: Asked): string[] | undefined {
  return requests?.map(({ method }) => method) ?? log?.map((line) => line.split(' ')[0] ?? '');
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/**
 * Whether requests to the platform are as they should be: each call signed afresh, and the
 * authorization where it belongs.
 */
function expectSound(requests: readonly Received[]): void {
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const fresh: string[] = [];
  for (const { method, path, headers, body } of requests) {
    if (method === 'POST') {
      const { sign, ...fields } = JSON.parse(body);
      expect(path).toBe('/open/v1/trade/bill');
      expect(sign).toBe(signBody(JSON.stringify(fields), { apiKey, secret }).sign);
      expect(headers.authorization).toBeUndefined();
      fresh.push(sign, fields.nonce, fields.seq_id);
    } else {
      expect(body).toBe('');
      expect(headers).toMatchObject({
        authorization: AUTHORIZATION,
        'accept-encoding': 'identity',
      });
    }
  }
  expect(new Set(fresh).size).toBe(fresh.length);
}

/** Nothing of what proves who we are reached a server that is not the platform's. */
export function expectNoCredentials(requests: readonly unknown[]): void {
  const seen = JSON.stringify(requests);
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  for (const credential of [AUTHORIZATION, QUERY, secret, `"${apiKey}"`]) {
    expect(seen).not.toContain(credential);
  }
}
