import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectionObject } from '../detection/support.ts';
import { closedPort } from '../http/support.ts';
import { type CliResult, errorOf, mop } from '../support/cli.ts';
import { type Answer, pointAt, scriptedPlatform } from '../support/platform.ts';
import { head, raw } from './support.ts';

/** Commands that send one request, with the number of attempts after a transient failure. */
const COMMANDS = {
  call: { argv: ['call', 'x'], attempts: 1 },
  decode: { argv: ['decode', 'data', 'id'], attempts: 5 },
  estimate: { argv: ['estimate', '--city', '330100', '--lat', '30.27'], attempts: 5 },
  detect: { argv: ['detect', 'a text'], attempts: 5 },
  health: { argv: ['health'], attempts: 5 },
  gql: { argv: ['gql', '{ bills { id } }'], attempts: 5 },
  mutation: { argv: ['gql', 'mutation { pay }'], attempts: 1 },
} as const;

const NAMES = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

/** Runs a command against a server of the kind that it requires. */
async function run(name: keyof typeof COMMANDS, url: string): Promise<CliResult> {
  const env = { ...pointAt(url), MOP_DETECT_URL: url, MOP_GQL_URL: `${url}/graphql` };
  const result = await mop([...COMMANDS[name].argv, '--json'], { env });
  // Standard output is empty or one JSON document.
  if (result.stdout !== '') JSON.parse(result.stdout);
  return result;
}

interface Expected {
  readonly code: number;
  readonly message: RegExp;
  /** Whether a retry may succeed. */
  readonly transient: boolean;
}

const BROKE: Expected = {
  code: 6,
  message: /^the connection to 127\.0\.0\.1:\d+ broke: ./,
  transient: true,
};

/** A valid answer of each service, which the faults truncate. */
const GOOD = '{"code":0,"status":"ok","data":{"n":1}}';
const sized = head(`Content-Length: ${GOOD.length}`);

/** Answers with this Content-Encoding. */
const coded =
  (coding: string, content: Uint8Array): Answer =>
  (response) =>
    response.setHeader('Content-Encoding', coding).end(content);

const page =
  (status: number): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>Log in</title>');

const FAULTS: [string, Answer, Expected][] = [
  ['a reset before the headers', ({ socket }) => socket?.resetAndDestroy(), BROKE],
  ['an end before the headers', ({ socket }) => socket?.end(), BROKE],
  ['a body truncated by a reset', raw(() => [sized, GOOD.slice(0, 20)], 'reset'), BROKE],
  ['a body truncated by an end', raw(() => [sized, GOOD.slice(0, 20)]), BROKE],
  [
    'a truncated chunked body',
    raw(() => [head('Transfer-Encoding: chunked'), '27\r\n', GOOD, '\r\n']),
    BROKE,
  ],
  ['garbage', raw(() => ['SSH-2.0-OpenSSH_9.9\r\n']), BROKE],
  [
    'an HTML page with status 200',
    page(200),
    { code: 5, message: /HTTP 200 \(text\/html\) .*<!doctype html>/, transient: false },
  ],
  [
    'truncated compressed content',
    coded('gzip', gzipSync(GOOD).subarray(0, -8)),
    { code: 6, message: /sent compressed data \("gzip"\) that ends too early/, transient: true },
  ],
  [
    'an unsupported Content-Encoding',
    coded('zstd', gzipSync(GOOD)),
    { code: 5, message: /Content-Encoding "zstd", which is not supported/, transient: false },
  ],
  ['HTTP 503', page(503), { code: 6, message: /answered HTTP 503/, transient: true }],
];

describe.each(NAMES)('mop %s', (name) => {
  it('reports a refused connection', async () => {
    const result = await run(name, `http://127.0.0.1:${await closedPort()}`);
    expect([result.code, result.stdout]).toEqual([6, '']);
    // Every command retries an unsent request.
    expect(result.waits).toHaveLength(4);
    expect(errorOf(result)).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ refused the connection$/),
      hint: expect.stringMatching(/./),
      retryable: true,
    });
  });

  it.each(FAULTS)('reports %s', async (_, fault, { code, message, transient }) => {
    // The command sends a POST (call) or a GET (download); both get the fault.
    const server = await scriptedPlatform({ call: fault, download: fault });
    const result = await run(name, server.url);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(errorOf(result)).toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/./),
      exit_code: code,
      retryable: transient,
    });
    expect(server.requests).toHaveLength(transient ? COMMANDS[name].attempts : 1);
  });
});

it.each([
  ['call', GOOD, '{"n":1}'],
  ['estimate', GOOD, '{"n":1}'],
  ['decode', '{"code":0,"data":{"json_string":"{\\"n\\":1}"}}', '{"n":1}'],
  ['detect', JSON.stringify(detectionObject()), '"overall_risk":"high"'],
  ['health', '{"status":"ok","rules_loaded":1,"time":"x"}', '"status":"ok"'],
  ['gql', GOOD, '"data":{"n":1}'],
] as const)(
  'mop %s reads an answer that is compressed although it did not accept compression',
  async (name, good, printed) => {
    for (const [coding, encode] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
    ] as const) {
      const { url } = await scriptedPlatform({
        call: coded(coding, encode(good)),
        download: coded(coding, encode(good)),
      });
      const { code, stdout, stderr } = await run(name, url);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(printed);
    }
  },
);

describe('a change that the server may have carried out', () => {
  const fault: Answer = ({ socket }) => socket?.resetAndDestroy();
  const hint = /check before you repeat it/;

  it('is not repeated: mop call', async () => {
    const { url } = await scriptedPlatform({ call: fault });
    expect(errorOf(await run('call', url)).hint).toMatch(hint);
  });

  it('is not repeated: a mutation', async () => {
    const { url } = await scriptedPlatform({ call: fault });
    expect(errorOf(await run('mutation', url)).hint).toMatch(hint);
  });
});
