/** Batches that end when the later lines must fail too (contract section 4). */
import { describe, expect, it } from 'vitest';
import { detectionObject } from '../../detection/support.ts';
import { closedPort } from '../../http/support.ts';
import { errorOf, mop } from '../../support/cli.ts';
import { pointAt } from '../../support/platform.ts';
import { envelope, type Handler, serve } from '../../support/server.ts';

interface Batch {
  readonly argv: readonly string[];
  /** An input that the command accepts. */
  readonly line: string;
  /** Answers a line. */
  readonly good: Handler;
  readonly systematic: readonly (readonly [name: string, answer: Handler, code: number])[];
}

const statuses = (code: number, ...refused: readonly number[]): Batch['systematic'] =>
  refused.map((status) => [
    `HTTP ${status}`,
    (_, response) => response.writeHead(status).end('denied'),
    code,
  ]);

const platformFailures: Batch['systematic'] = [
  ['1002', (_, response) => envelope(response, 1002), 4],
  ['1003', (_, response) => envelope(response, 1003), 4],
  ...statuses(5, 401, 403),
];

const BATCHES: Record<string, Batch> = {
  call: {
    argv: ['call', 'user/sync'],
    line: '{"n":1}',
    good: (_, response) => envelope(response, 0, { n: 1 }),
    systematic: platformFailures,
  },
  decode: {
    argv: ['decode'],
    line: '{"encrypt_data":"a","encrypt_id":"b"}',
    good: (_, response) => envelope(response, 0, { json_string: '{"n":1}' }),
    systematic: platformFailures,
  },
  detect: {
    argv: ['detect'],
    line: '{"text":"a"}',
    good: (_, response) => response.end(JSON.stringify(detectionObject())),
    systematic: statuses(4, 401, 403),
  },
};

describe.each(Object.entries(BATCHES))('mop %s --batch', (_, { argv, line, good, systematic }) => {
  /** Sends five lines, with an empty line after the first. */
  const run = async (url: string, ...options: readonly string[]) => {
    const env = { ...pointAt(url), MOP_DETECT_URL: url };
    const stdin = [line, '', line, line, line, line].join('\n');
    const result = await mop([...argv, '--batch', '-', ...options], { env, stdin });
    const lines = result.stdout.trim().split('\n');
    return { ...result, errors: lines.map((each) => JSON.parse(each).error) };
  };
  const codesOf = ({ errors }: Awaited<ReturnType<typeof run>>): string[] =>
    errors.map((error) => error?.code ?? 'ok');

  it.each(systematic)('skips the lines after %s', async (_, answer, code) => {
    const server = await serve(answer);
    const result = await run(server.url);
    expect([result.code, server.requests.length]).toEqual([code, 1]);
    const [failure, ...skipped] = result.errors;
    expect(failure).toMatchObject({ exit_code: code, message: expect.stringMatching(/^line 1: /) });
    const reason = failure.message.slice('line 1: '.length);
    expect(skipped).toEqual(
      [3, 4, 5, 6].map((number) => ({
        code: 'skipped',
        message: `line ${number}: not tried after this failure: ${reason}`,
        hint: expect.stringContaining('keep-going'),
        exit_code: code,
        retryable: false,
      })),
    );
    expect(result.stderr).toMatch(
      /^mop: 1 of 5 lines failed, 4 skipped \(--keep-going tries all\): .*\nhint: .*\n$/,
    );
  });

  it.each(systematic)('tries all lines after %s with --keep-going', async (_, answer, code) => {
    const server = await serve(answer);
    const result = await run(server.url, '--keep-going');
    expect([result.code, server.requests.length]).toEqual([code, 5]);
    expect(codesOf(result)).not.toContain('skipped');
    expect(result.stderr).toMatch(/^mop: 5 of 5 lines failed, for example: /);
  });

  it('skips the lines after a refused connection', async () => {
    const result = await run(`http://127.0.0.1:${await closedPort()}`, '--retries', '1');
    expect([result.code, result.waits.length]).toEqual([6, 1]);
    expect(codesOf(result)).toEqual(['network', 'skipped', 'skipped', 'skipped', 'skipped']);
    expect(result.errors[1]).toMatchObject({ exit_code: 6, retryable: true });
  });

  it('continues after another failure', async () => {
    const server = await serve((request, response, index) =>
      index === 0 ? response.writeHead(400).end('{}') : good(request, response, index),
    );
    const result = await run(server.url, '--json');
    expect(codesOf(result)).toEqual([expect.any(String), 'ok', 'ok', 'ok', 'ok']);
    expect(errorOf(result).message).toMatch(/^1 of 5 lines failed: /);
  });

  it('exits with the code of the failure that ended it, not of an earlier one', async () => {
    const [, refuse = good, code] = systematic.at(-1) ?? [];
    const server = await serve((request, response, index) =>
      index === 0 ? good(request, response, index) : refuse(request, response, index),
    );
    const env = { ...pointAt(server.url), MOP_DETECT_URL: server.url };
    const stdin = ['not an input {', line, line, line].join('\n');
    const args = [...argv, '--batch', '-', '--concurrency', '1'];
    const result = await mop(args, { env, stdin });
    const errors = result.stdout.trim().split('\n');
    const codes = errors.map((each) => JSON.parse(each).error?.code ?? 'ok');
    expect([result.code, codes]).toEqual([code, ['usage', 'ok', expect.any(String), 'skipped']]);
  });

  it('has --keep-going only for a batch', async () => {
    const { code, stderr } = await mop([...argv, 'x', '--keep-going'], {
      env: pointAt('http://127.0.0.1:1'),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--keep-going')]);
  });
});
