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

/** The request with the fault: the signed POST for the descriptor, or the GET of the file. */
export type End = 'descriptor' | 'download';

export const ENDS: readonly End[] = ['descriptor', 'download'];

/** A platform with a fault in one of the two requests. */
export function faultyPlatform(
  end: End,
  fault: Answer,
  script: BillScript = {},
): Promise<ScriptedPlatform> {
  return scriptedPlatform({ ...script, [end === 'descriptor' ? 'call' : 'download']: fault });
}

/** How the connection continues after the bytes. */
export type Afterwards = 'end' | 'reset' | 'stay';

/** Writes bytes instead of a response, even invalid HTTP. */
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
const OLD = 'old content\n';

/** Fetches a bill into a directory. */
export function fetchInto(
  directory: string,
  args: readonly string[],
  world: CliWorld,
): Promise<CliResult> {
  return mop(['bill', 'fetch', '--json', '-o', `${directory}/`, ...args], world);
}

/** The entry of the only bill in the report. */
export function billOf({ stdout }: CliResult): Record<string, unknown> {
  return JSON.parse(stdout).bills[0];
}

/** A platform and its received requests. */
interface TestPlatform
  extends Partial<Pick<ScriptedPlatform, 'requests'> & Pick<SandboxForTest, 'log'>> {
  readonly env: Record<string, string>;
}

export interface Failure {
  readonly code: number;
  readonly message: RegExp;
  readonly hint?: RegExp;
  /** Each attempt begins with a request for the descriptor, if it can be sent. */
  readonly attempts: number;
  /** Requests for the file. */
  readonly gets: number;
}

/**
 * Fetches a bill with `--overwrite` into a directory with an older one, and asserts the failure. The
 * directory is unchanged afterwards. Checks the exit code, the message, the report and the requests.
 */
export async function expectFailure(
  platform: TestPlatform,
  expected: Failure,
  args: readonly string[] = [],
): Promise<CliResult> {
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, FILE), OLD);
  const before = methodsOf(platform)?.length;
  const result = await fetchInto(directory, [...args, '--overwrite'], { env: platform.env });
  expectReported(result, expected);
  const sent = methodsOf(platform)?.slice(before);
  const { attempts, gets } = expected;
  if (sent) expect(tally(sent)).toEqual({ POST: attempts, ...(gets > 0 && { GET: gets }) });
  expect(readdirSync(directory)).toEqual([FILE]);
  expect(readFileSync(join(directory, FILE), 'utf8')).toBe(OLD);
  expectCredentials(platform.requests ?? []);
  return result;
}

function expectReported(result: CliResult, { code, message, hint = /./, attempts }: Failure): void {
  const error = errorOf(result);
  expect(error).toMatchObject({
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
    exit_code: code,
    // Another run may succeed only after exit codes 6 and 7.
    retryable: [6, 7].includes(code),
  });
  expect(result.code).toBe(code);
  expect(billOf(result)).toMatchObject({ status: 'failed', verified: false, attempts, error });
}

/** Options of {@link expectFault}: a transient failure gets two attempts. */
const TWICE = ['--retries', '1'];

/** The failure that a permanent fault causes. */
export interface Fault extends Pick<Failure, 'code' | 'message' | 'hint'> {
  /** Whether the failure is retried. Default: true for network failures and damaged files. */
  readonly transient?: boolean;
  /** Requests for the file in each attempt, if the download fails. Default 1. */
  readonly getsEach?: number;
}

/** {@link expectFailure} for a platform with a fault in one of the two requests. */
export async function expectFault(
  end: End,
  fault: Answer,
  { transient, getsEach = 1, ...expected }: Fault,
  args: readonly string[] = [],
  script: BillScript = {},
): Promise<CliResult> {
  const attempts = (transient ?? [6, 7].includes(expected.code)) ? 2 : 1;
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
  /** Whether standard error is empty. Default: the value of `verified`. */
  readonly quiet?: boolean;
  /** Whether to check the credentials of each request. Default true. */
  readonly credentials?: boolean;
}

/** Fetches the bill and asserts that only the bill and its ledger line are stored. */
export async function expectStored(
  platform: TestPlatform,
  args: readonly string[] = [],
  {
    content = CONTENT,
    attempts = 1,
    verified = true,
    quiet = verified,
    credentials = true,
  }: Success = {},
): Promise<CliResult> {
  const directory = await temporaryDirectory();
  const result = await fetchInto(directory, args, { env: platform.env });
  expect([result.code, result.stderr === '']).toEqual([0, quiet]);
  expect(billOf(result)).toMatchObject({ status: 'downloaded', verified, attempts });
  expect(readdirSync(directory)).toEqual([FILE, 'bills.jsonl']);
  expect(readFileSync(join(directory, FILE))).toEqual(Buffer.from(content));
  if (credentials) expectCredentials(platform.requests ?? []);
  return result;
}

/** The methods of the received requests, in order; undefined if the platform does not record them. */
function methodsOf({ requests, log }: TestPlatform): string[] | undefined {
  return requests?.map(({ method }) => method) ?? log?.map((line) => line.split(' ')[0] ?? '');
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Asserts that each call has a fresh signature, and that only downloads have the authorization. */
function expectCredentials(requests: readonly Received[]): void {
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

/** Asserts that no credential reached a server other than the platform. */
export function expectNoCredentials(requests: readonly unknown[]): void {
  const seen = JSON.stringify(requests);
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  for (const credential of [AUTHORIZATION, QUERY, secret, `"${apiKey}"`]) {
    expect(seen).not.toContain(credential);
  }
}
