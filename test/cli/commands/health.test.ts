import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { closedPort } from '../../http/support.ts';
import { type CliWorld, errorOf, mop } from '../../support/cli.ts';
import { type Handler, serve } from '../../support/server.ts';
import { expectFailure } from '../support.ts';

const GOOD = '{"status":"ok","rules":120,"version":"0.5","more":1.0}';

async function service(handler: Handler = (_, response) => response.end(GOOD)) {
  const server = await serve(handler);
  const health = (args: readonly string[] = [], world: CliWorld = {}) =>
    mop(['health', ...args], { env: { MOP_DETECT_URL: server.url }, ...world });
  return { ...server, health };
}

/** Sends the answers in turn, and repeats the last one. Closes the connection for an answer without text. */
const byTurns =
  (...answers: readonly (readonly [status: number, body: string] | undefined)[]): Handler =>
  (_, response, index) => {
    const answer = answers[Math.min(index, answers.length - 1)];
    if (answer) response.writeHead(answer[0]).end(answer[1]);
    else response.destroy();
  };

describe('mop health', () => {
  it('prints the state of the service', async () => {
    const { health, requests } = await service();
    const { code, stdout, stderr } = await health();
    expect([code, stdout, stderr]).toEqual([0, 'status   ok\nrules    120\nversion  0.5\n', '']);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/health']);
  });

  it('prints the document with --json, and nothing with --quiet', async () => {
    const { health } = await service();
    expect((await health(['--json'])).stdout).toBe(`${GOOD}\n`);
    expect((await health(['--quiet'])).stdout).toBe('');
  });

  it.each([
    [['--min-rules', '120', '--expect-version', '0.5'], 0, ''],
    [['--min-rules', '121'], 11, 'it has 120 rules, expected 121'],
    [['--expect-version', '0.50'], 11, 'its version is "0.5", expected "0.50"'],
  ])('with %j exits with %d', async (args, code, message) => {
    const { health } = await service();
    const result = await health(args);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect(result.stdout).toContain('status   ok\n');
  });

  it.each([
    [[], 0, ''],
    [['--min-rules', '0'], 0, ''],
    [['--min-rules', '1'], 11, 'it does not report its rules (--min-rules)'],
    [['--expect-version', '0.5'], 11, 'it does not report its version (--expect-version)'],
    [['--min-rules', '1', '--expect-version', '0.5'], 11, '; it does not report its version ('],
  ])(
    'with %j, exits with %d for a service that reports only its status',
    async (args, code, message) => {
      for (const body of ['{"status":"ok"}', '{"status":"ok","rules":null,"version":null}']) {
        const { health } = await service(byTurns([200, body]));
        const result = await health(args);
        expect([result.code, result.stdout]).toEqual([code, 'status   ok\n']);
        expect(result.stderr).toContain(message);
        expect(result.stderr).toContain(code === 0 ? '' : 'leave out a condition');
      }
    },
  );

  it.each([
    [200, '{"status":"degraded"}'],
    [503, '{"status":"down"}'],
  ])('prints an unhealthy answer: HTTP %d with %s', async (status, body) => {
    const { health, requests } = await service(byTurns([status, body]));
    const result = await health(['--json']);
    expect([result.code, result.stdout]).toEqual([11, `${body}\n`]);
    expect(errorOf(result)).toMatchObject({ code: 'unhealthy', exit_code: 11, retryable: true });
    expect((await health()).stdout).toMatch(/^status {3}\w+\n$/);
    expect(requests).toHaveLength(2);
  });

  it('escapes control characters of the service', async () => {
    const body = JSON.stringify({ status: '\u001b[2J', version: '\u009b1m' });
    const { health } = await service(byTurns([200, body]));
    const { stdout, stderr } = await health(['--no-color'], undefined);
    expect(stdout).toBe('status   <U+001B>[2J\nversion  <U+009B>1m\n');
    expect(stderr).not.toMatch(/[^\P{C}\n]/u);
  });

  it.each([
    [200, '{}', 5, 'status is missing'],
    [200, 'ok', 5, 'is not a JSON object'],
    [401, '', 4, 'HTTP 401'],
    [502, 'bad gateway', 6, 'HTTP 502'],
  ])('HTTP %d with %j exits with %d', async (status, body, code, message) => {
    const { health } = await service(byTurns([status, body]));
    expectFailure(await health(), code, message);
  });

  it('reports an unhealthy service even if its output is closed', async () => {
    const { health } = await service(byTurns([200, '{"status":"down"}']));
    expect((await health([], { stdoutError: 'EPIPE' })).code).toBe(11);
  });

  it('requires an address and valid headers', async () => {
    expectFailure(await mop(['health']), 3, 'detect_url is not set', '--env sandbox');
    const { health, requests } = await service();
    await health(['-H', 'X-Api-Key: k']);
    expect(requests[0]?.headers).toMatchObject({ 'x-api-key': 'k' });
    const far = { env: { MOP_DETECT_URL: 'http://h.example' } };
    expectFailure(await mop(['health', '-H', 'X-Api-Key: k'], far), 2, 'looks like a credential');
  });

  it('prints the request with --dry-run', async () => {
    const { health, requests, url } = await service();
    const { stdout } = await health(['--dry-run', '--wait', '5']);
    expect(stdout).toBe(`curl -X GET ${url}/api/health \\\n  -H 'Accept: application/json'\n`);
    expect(requests).toEqual([]);
  });

  it('checks the service of the embedded sandbox', async () => {
    const { code, stdout } = await mop(['health', '--env', 'sandbox', '--json']);
    expect([code, JSON.parse(stdout).status]).toEqual([0, 'ok']);
  });
});

describe('--wait', () => {
  it('retries until all conditions are met', async () => {
    const { health } = await service(
      byTurns(
        undefined,
        [503, 'busy'],
        [503, '{"status":"starting"}'],
        [200, '{"status":"ok"}'],
        [200, GOOD],
      ),
    );
    const { code, stdout, stderr, waits } = await health(['--wait', '60', '--min-rules', '100']);
    expect([code, waits]).toEqual([0, [1000, 2000, 3000, 4000]]);
    expect(stdout).toContain('rules    120');
    expect(stderr.split('\n').map((line) => line.slice(0, 15))).toEqual([
      ...Array(4).fill('not ready yet: '),
      '',
    ]);
  });

  it('prints each reason once, and none with --quiet', async () => {
    const handler = byTurns([503, 'busy'], [503, 'busy'], [503, 'busy'], [200, GOOD]);
    const { health } = await service(handler);
    expect((await health(['--wait', '60'])).stderr.match(/not ready yet/g)).toHaveLength(1);
    const quiet = await service(handler);
    expect((await quiet.health(['--wait', '60', '-q'])).stderr).toBe('');
  });

  it.each([
    [byTurns(undefined, [200, '{"status":"down"}']), 11, 'its status is "down"'],
    [byTurns([200, '{"status":"down"}'], [503, 'busy']), 6, 'HTTP 503'],
    [byTurns([200, '{"status":"down"}'], [200, '{}']), 5, 'status is missing'],
  ])('exits with the last failure', async (handler, code, message) => {
    const { health } = await service(handler);
    const result = await health(['--wait', '1']);
    expect([result.code, result.waits]).toEqual([code, [750]]);
    expect(result.stderr).toContain(message);
  });

  it('waits for a service that does not listen yet', async () => {
    const env = { MOP_DETECT_URL: `http://127.0.0.1:${await closedPort()}` };
    const { code, waits } = await mop(['health', '--wait', '4', '--retries', '3'], { env });
    expect([code, waits]).toEqual([6, [1000, 2000]]);
  });

  it('continues after invalid answers, but not after a refusal', async () => {
    const answers = [
      [404, 'starting'],
      [200, 'starting'],
      [200, '{}'],
    ] as const;
    const { health } = await service(byTurns(...answers, [200, GOOD]));
    expect(await health(['--wait', '60'])).toMatchObject({ code: 0, waits: [1000, 2000, 3000] });
    const closed = await service(byTurns(...answers, [403, '']));
    expect((await closed.health(['--wait', '60'])).code).toBe(4);
    expect(closed.requests).toHaveLength(4);
  });

  it.each<[string, Handler]>([
    ['does not answer', () => {}],
    ['never ends', (_, response) => response.write('{')],
  ])('ends in time when the service %s', async (_, handler) => {
    const { health, requests } = await service(handler);
    expectFailure(await health(['--wait', '0.2']), 6, 'no complete answer within 0.2 s');
    expect(requests).toHaveLength(1);
  });

  it('ends with a signal', async () => {
    const controller = new AbortController();
    const { health } = await service(byTurns([503, 'busy']));
    const { code } = await health(['--wait', '60'], {
      signal: controller.signal,
      sleep: async (_, signal) => {
        controller.abort(new MopError('interrupted', 'interrupted'));
        signal.throwIfAborted();
      },
    });
    expect(code).toBe(130);
  });

  it.each(['0', 'x'])('rejects %s', async (seconds) => {
    const { health, requests } = await service();
    expectFailure(await health(['--wait', seconds]), 2, '--wait');
    expect(requests).toEqual([]);
  });
});
