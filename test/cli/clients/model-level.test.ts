import { describe, expect, test } from 'vitest';
import { mop } from '../../support/cli.ts';
import { type Handler, serve, type TestServer } from '../../support/server.ts';
import { expectFailure } from '../support.ts';

const KEY = 'key-of-the-model-1234';
const SANDBOX = ['--env', 'sandbox', '--json'];

const answering =
  (content: string): Handler =>
  (_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  };

function variables({ url }: TestServer): Record<string, string> {
  return { MOP_AI_BASE_URL: `${url}/v1`, MOP_AI_MODEL: 'judge', MOP_AI_KEY: KEY };
}

describe('the model level of the embedded sandbox', () => {
  test('receives the key, and raises the risk', async () => {
    const server = await serve(answering('{"level":"high","score":61,"reasons":["guilt: begs"]}'));
    const result = await mop(['detect', 'The sky is blue.', ...SANDBOX], {
      env: variables(server),
    });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      overall_risk: 'high',
      risk_score: 61,
      ai_analysis: { status: 'ok', model: 'judge' },
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
    });
  });

  test('never prints its key', async () => {
    const server = await serve((_, response) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ error: { message: `the key ${KEY} is tired` } }));
    });
    const result = await mop(['detect', 'x', '--verbose', ...SANDBOX], { env: variables(server) });
    expect(JSON.parse(result.stdout)).toMatchObject({
      overall_risk: 'none',
      ai_analysis: { status: 'error', error: { code: 'http' } },
    });
    expect(result.stdout + result.stderr).not.toContain(KEY);
  });

  test('only prints a warning when its request fails', async () => {
    const server = await serve(answering('I think it is safe.'));
    const env = variables(server);
    const result = await mop(['detect', 'x', '--fail-on', 'low', '--env', 'sandbox'], { env });
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/^mop: warning: .*model/m);
  });

  test('times out before the client of the sandbox does', async () => {
    const server = await serve(() => {});
    const result = await mop(['detect', 'x', '--timeout', '2', '--retries', '0', ...SANDBOX], {
      env: variables(server),
    });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      ai_analysis: { status: 'error', error: { code: 'timeout' } },
    });
  });

  test('is not used when the variables are missing or empty', async () => {
    const env = { MOP_AI_BASE_URL: '', MOP_AI_MODEL: '', MOP_AI_KEY: '' };
    const { stdout } = await mop(['detect', 'x', ...SANDBOX], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      ai_analysis: { status: 'ok', provider: 'embedded' },
    });
  });

  test.each([
    ['no model', { MOP_AI_BASE_URL: 'https://api.example/v1' }, 'MOP_AI_MODEL is not'],
    ['no address', { MOP_AI_MODEL: 'judge' }, 'MOP_AI_BASE_URL is not'],
    ['no URL', { MOP_AI_MODEL: 'judge', MOP_AI_BASE_URL: 'api.example' }, 'not an http'],
    [
      'a key over plain http',
      { MOP_AI_MODEL: 'judge', MOP_AI_BASE_URL: 'http://api.example/v1', MOP_AI_KEY: KEY },
      'plain http',
    ],
  ])('rejects %s as invalid configuration', async (_, env, message) => {
    expectFailure(await mop(['detect', 'x', '--env', 'sandbox'], { env }), 3, message);
    expectFailure(await mop(['sandbox', '--port', '0'], { env }), 3, message);
  });

  test('is ignored by other commands', async () => {
    const env = { MOP_AI_MODEL: 'judge' };
    expect((await mop(['decode', '--help'], { env })).code).toBe(0);
    const estimate = ['estimate', '--city', '330100', '--lat', '30.2', '--env', 'sandbox'];
    expect((await mop(estimate, { env })).code).toBe(0);
  });
});
