import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { LedgerEntry } from '../../src/platform/bills/ledger.ts';
import type { BillType } from '../../src/protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../src/protocol/sandbox.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import type { LogEntry } from '../../src/server/log-entry.ts';
import { NOW } from './cli.ts';
import {
  type Certificate,
  envelope,
  type LoopbackHost,
  type Received,
  serve,
  type TestServer,
} from './server.ts';

/** Environment variables that configure a command for a platform. */
export function pointAt(url: string): Record<string, string> {
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  return { MOP_BASE_URL: url, MOP_OPEN_BASE_URL: url, MOP_API_KEY: apiKey, MOP_API_SECRET: secret };
}

/**
 * A wrong secret whose mistake the sandbox finds at once. A search that finds nothing takes about a
 * second.
 */
export const JOINED_SECRET = `&key=${SANDBOX_CREDENTIALS.secret}`;

export interface SandboxForTest {
  readonly env: Record<string, string>;
  /** The received requests, in order, such as `POST /open/v1/trade/bill 0`. */
  readonly log: string[];
}

/** A sandbox that is closed when the test ends. Its clock is {@link NOW} by default. */
export async function sandbox(
  faults: readonly string[] = [],
  options: SandboxOptions = {},
): Promise<SandboxForTest> {
  const log: string[] = [];
  const { url, close } = await startSandbox({
    now: () => NOW,
    faults: faults.map(parseFault),
    rows: 20,
    log: ({ method, path, code, status }: LogEntry) => {
      log.push(`${method} ${path} ${code ?? status}`);
    },
    ...options,
  });
  onTestFinished(close);
  return { env: pointAt(url), log };
}

export const CONTENT = Buffer.from('order_id,amount\n1,2.50\n2,30.00\n');

/**
 * Answers a request.
 *
 * @param number Counts the requests of its kind from 0.
 * @param correct The correct answer.
 */
export type Answer = (
  response: ServerResponse,
  number: number,
  request: Received,
  correct: Buffer,
) => unknown;

/** The answers of a scripted platform. Default: a valid gzip bill of {@link CONTENT}. */
export interface BillScript {
  /** Replaces fields of the descriptor; undefined removes one. */
  readonly descriptor?: Record<string, unknown>;
  /** Answers a request for the descriptor. */
  readonly call?: Answer;
  readonly download?: Answer;
}

export const AUTHORIZATION = 'authorization-canary-1234';
export const QUERY = 'signature=query-canary-5678';

export type ScriptedPlatform = TestServer & { readonly env: Record<string, string> };

/** A platform with descriptors and downloads set by the test. Does not verify signatures. */
export async function scriptedPlatform(
  script: BillScript = {},
  certificate?: Certificate,
  host?: LoopbackHost,
): Promise<ScriptedPlatform> {
  const { call = sendDescriptor, download = sendCorrect } = script;
  let calls = 0;
  let downloads = 0;
  const server = await serve(
    (request, response) => {
      if (request.method === 'GET') {
        return download(response, downloads++, request, gzipSync(CONTENT));
      }
      const data = {
        hash_type: 'MD5',
        hash_value: md5(CONTENT),
        download_url: `${server.url}/file?${QUERY}`,
        authorization: AUTHORIZATION,
        ...script.descriptor,
      };
      const correct = Buffer.from(JSON.stringify({ code: 0, message: '', data }));
      return call(response, calls++, request, correct);
    },
    certificate,
    host,
  );
  return { ...server, env: pointAt(server.url) };
}

/** Answers 1052 (time range invalid) for days before `first`. */
export function keepingSince(first: string): Answer {
  return (response, _number, { body }, correct) =>
    JSON.parse(body).bill_date < first
      ? envelope(response, 1052, {}, 'date out of range')
      : response.end(correct);
}

const sendCorrect: Answer = (response, _number, _request, correct) => response.end(correct);

const sendDescriptor: Answer = (response, ...rest) =>
  sendCorrect(response.setHeader('Content-Type', 'application/json'), ...rest);

/** A line of the ledger for a bill that does not exist. */
export function noBillEntry(date: string, type: BillType): LedgerEntry {
  return {
    date,
    type,
    profile: 'default',
    environment: 'production',
    status: 'no-bill',
    file: null,
    bytes: null,
    hash_type: null,
    hash_value: null,
    verified: false,
    seq_id: 'seq-1',
    time: '2026-11-20T05:00:00.000Z',
  };
}

/** The MD5 digest in hex, as in the platform's answers. */
export function md5(content: string | Uint8Array): string {
  return createHash('md5').update(content).digest('hex');
}
