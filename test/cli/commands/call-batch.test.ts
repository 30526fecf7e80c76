import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { mop } from '../../support/cli.ts';
import { pointAt, sandbox } from '../../support/platform.ts';
import { checkRows } from '../../support/rows.ts';
import { envelope, type Handler, serve } from '../../support/server.ts';
import { expectFailure, file } from '../support.ts';

const batch = (...args: readonly string[]) => ['call', 'user/sync', '--batch', '-', ...args];

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `{"n":${index}}\n`).join('');

/** A platform with scripted answers. */
async function platform(handler: Handler) {
  const server = await serve(handler);
  return { ...server, env: pointAt(server.url) };
}

const numberOf = (body: string): number => JSON.parse(body).n;

describe('mop call --batch', () => {
  it.each(['body', 'header'])('prints data in the order of the input in %s mode', async (mode) => {
    const { env, log } = await sandbox();
    const stdin = '{"a":1.0}\n\n {"b":12345678901234567890} \r\n{"c":"名"}';
    const result = await mop(batch('--mode', mode), { env, stdin });
    expect(result).toMatchObject({
      code: 0,
      stdout: '{"a":1.0}\n{"b":12345678901234567890}\n{"c":"名"}\n',
      stderr: '',
    });
    const prefix = mode === 'body' ? '/open/v1' : '/api/open';
    expect(log).toEqual(Array(3).fill(`POST ${prefix}/user/sync 0`));
  });

  it('reads a file, and prints whole envelopes with --envelope', async () => {
    const { env } = await sandbox();
    const path = await file('{"a":1}\n{"a":2}\n');
    const { stdout } = await mop(['call', 'user/sync', '--batch', path, '--envelope'], { env });
    const answers = stdout.trim().split('\n');
    expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
      { code: 0, data: { a: 1 } },
      { code: 0, data: { a: 2 } },
    ]);
  });

  it('keeps the order of the input, with 4 or --concurrency calls in flight', async () => {
    for (const [args, most] of [
      [[], 4],
      [['--concurrency', '2'], 2],
    ] as const) {
      let [now, seen] = [0, 0];
      const { env } = await platform(async ({ body }, response) => {
        seen = Math.max(seen, ++now);
        // The first call in flight is answered last.
        for (let turn = 0; turn < 40 - 2 * numberOf(body); turn++) await nextTurn();
        now--;
        envelope(response, 0, { n: numberOf(body) });
      });
      const { stdout } = await mop(batch(...args), { env, stdin: lines(12) });
      expect(stdout).toBe(lines(12));
      expect(seen).toBe(most);
    }
  });

  it('prints failures in place, and exits with their common code', async () => {
    const { env } = await platform(({ body }, response) => {
      const n = numberOf(body);
      envelope(response, n === 1 || n === 3 ? 1004 : 0, { n }, 'no');
    });
    const shared = await mop(batch('--envelope'), { env, stdin: lines(4) });
    expect(shared.code).toBe(5);
    const answers = shared.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { data: { n: 0 } },
      { error: { code: 'api', platform_code: 1004, exit_code: 5 } },
      { data: { n: 2 } },
      { error: { message: expect.stringMatching(/^line 4: /) } },
    ]);
    expect(shared.stderr).toContain('2 of 4 lines failed');
    expect((await mop(batch(), { env, stdin: `${lines(2)}[]\n` })).code).toBe(12);
  });

  it('retries a call that may have been executed only with --retries', async () => {
    for (const [args, code, count] of [
      [[], 6, 3],
      [['--retries', '2'], 0, 4],
    ] as const) {
      const seen = new Set<string>();
      const { env, requests } = await platform(({ body }, response) => {
        const again = seen.size === 2;
        seen.add(String(numberOf(body)));
        response.statusCode = numberOf(body) === 1 && !again && seen.size === 2 ? 503 : 200;
        envelope(response, 0);
      });
      const argv = batch(...args, '--concurrency', '1');
      const result = await mop(argv, { env, stdin: lines(3) });
      expect([result.code, requests.length]).toEqual([code, count]);
    }
  });

  it.each([
    { args: [], code: 130, hint: 'run the lines from 7 on' },
    { args: ['--max-time', '0.5'], code: 6, hint: 'run the lines from 7 on' },
    { args: ['--retries', '1'], code: 130, hint: '' },
  ])('names the lines in flight when it is interrupted $args', async ({ args, code, hint }) => {
    const controller = new AbortController();
    const { env } = await platform(({ body }, response) => {
      if (numberOf(body) < 3) envelope(response, numberOf(body) === 1 ? 1004 : 0, {}, 'no');
      else if (numberOf(body) === 4 && code === 130) {
        controller.abort(new MopError('interrupted', 'interrupted'));
      }
    });
    const path = await file(`\n${lines(40)}`);
    const argv = ['call', 'x', '--batch', path, '--concurrency', '2', ...args];
    const result = await mop(argv, { env, signal: controller.signal });
    expect(result.code).toBe(code);
    const [subject = '', next = ''] = result.stderr.split('\n');
    const isRepeatable = args.includes('--retries');
    const inFlight = isRepeatable ? '2 not finished' : '2 sent without an answer (lines 5 to 6)';
    expect(subject).toMatch(/^mop: (?:interrupted|not done within 0\.5 s \(--max-time\)): /);
    expect(subject.endsWith(`: 2 lines done, 1 failed, ${inFlight}`)).toBe(true);
    expect(next).toContain(hint);
    const printed = result.stdout.trim().split('\n');
    expect(printed).toHaveLength(5);
    for (const line of isRepeatable ? [] : printed.slice(3)) {
      expect(JSON.parse(line).error.hint).toContain('the server may have executed the request');
    }
  });

  it('prints a request for each line with --dry-run', async () => {
    const { env, requests } = await platform((_, response) => envelope(response, 0));
    const world = { env, stdin: lines(2) };
    const curl = await mop(batch('--dry-run', '--mode', 'header'), world);
    expect(curl.stdout.match(/^curl -X POST .*\/api\/open\/user\/sync \\$/gm)).toHaveLength(2);
    expect(curl.stdout.match(/--data-raw '\{"n":[01]\}'$/gm)).toHaveLength(2);
    const json = await mop(batch('--dry-run', '--json'), world);
    const bodies = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(JSON.parse(line).body));
    expect(bodies).toMatchObject([{ n: 0, sign: '<redacted>' }, { n: 1 }]);
    expect(requests).toEqual([]);
  });

  it('rejects other bodies, and --concurrency without --batch', async () => {
    const { env, log } = await sandbox();
    const photo = await file('x');
    const rows = [
      ...[['{}'], ['-F', 'a=1'], ['-f', 'a=1'], ['--form', 'a=1'], ['--file', `a=@${photo}`]].map(
        (args) => ({
          argv: batch('--mode', 'header', ...args),
          message: '--batch cannot be combined',
        }),
      ),
      { argv: ['call', 'x', '--concurrency', '2'], message: '--concurrency belongs to --batch' },
      { argv: batch('--concurrency', '0'), message: '--concurrency' },
      { argv: ['call', 'x', '--batch', '/does/not/exist'], message: 'there is no such file' },
      { argv: ['call', '../x', '--batch', '-'], message: 'it has a . or .. segment' },
      { argv: batch('--mode', 'header', '-H', 'Accept: a'), message: 'not part of the signature' },
    ];
    await checkRows(rows, async ({ argv, message }) =>
      expectFailure(await mop(argv, { env, stdin: lines(2) }), 2, message),
    );
    expect(log).toEqual([]);
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
