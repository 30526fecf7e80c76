import { EventEmitter, once } from 'node:events';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Transport } from '../../../src/http/transport.ts';
import { CATEGORIES } from '../../../src/protocol/detection.ts';
import { parseFault } from '../../../src/sandbox/faults.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { serve } from '../../support/server.ts';
import { NOW, type Reply, send, start } from '../support.ts';

const RISKY = 'You only need me. The bus leaves at ten.';

/** A sandbox for all tests of detection without a model, which keeps no state: it compiles the rules once. */
let url: string;

beforeAll(async () => {
  const sandbox = await startSandbox({ now: () => NOW });
  url = sandbox.url;
  return () => sandbox.close();
});

function json({ body }: Reply): Record<string, unknown> {
  return JSON.parse(body.toString('utf8'));
}

async function detect(url: string, body: string | Uint8Array): Promise<Reply> {
  const headers = { 'Content-Type': 'application/json' };
  return send(`${url}/api/detect`, { method: 'POST', headers, body });
}

test('a detection result has the fields of D2 2.2', async () => {
  const reply = await detect(url, JSON.stringify({ text: RISKY, extra: true }));
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(json(reply)).toEqual({
    text: RISKY,
    overall_risk: 'high',
    risk_score: expect.any(Number),
    results: [
      {
        rule_id: 'dependency.only-me',
        rule_name: expect.any(String),
        level: 'high',
        category: 'dependency',
        matched_text: 'You only need me',
        start: 0,
        end: 16,
        why: expect.any(String),
      },
    ],
    ai_analysis: {
      status: 'ok',
      provider: 'embedded',
      version: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{8}$/),
      level: expect.any(String),
      score: expect.any(Number),
      probability: expect.any(Number),
      families: Object.fromEntries(CATEGORIES.map((family) => [family, expect.any(Number)])),
      words: expect.arrayContaining([
        {
          text: expect.any(String),
          start: expect.any(Number),
          end: expect.any(Number),
          weight: expect.any(Number),
        },
      ]),
    },
    safe_rewrite: expect.stringMatching(/^I am glad .* The bus leaves at ten\.$/),
    // Noon of Shanghai, and no zone.
    detected_at: '2026-11-20T12:05:06',
  });
});

test.each([
  ['zh-CN,zh;q=0.9', /[\u4e00-\u9fff]/],
  ['fr,en;q=0.5', /^[A-Z]/],
])('rules are named in the language of the reader, for %s', async (language, expected) => {
  const headers = { 'Accept-Language': language };
  const body = JSON.stringify({ text: RISKY });
  const reply = json(await send(`${url}/api/detect`, { method: 'POST', headers, body }));
  expect(reply).toMatchObject({
    results: [{ rule_name: expect.stringMatching(expected), why: expect.stringMatching(expected) }],
  });
});

test('a rewrite contains no risky sentence', async () => {
  const text = `${'You only need me. '.repeat(12)}The bus leaves at ten.`;
  expect(json(await detect(url, JSON.stringify({ text })))).toMatchObject({
    safe_rewrite: expect.stringMatching(/^I am glad [^.]*\. The bus leaves at ten\.$/),
  });
});

test('text without risk comes back unchanged', async () => {
  const text = ' The bus leaves at ten. \n';
  expect(json(await detect(url, JSON.stringify({ text })))).toMatchObject({
    text,
    overall_risk: 'none',
    risk_score: 0,
    results: [],
    safe_rewrite: text,
  });
});

test('the time is that of the zone of the sandbox', async () => {
  const { url } = await start({ timeZone: 'America/St_Johns' });
  expect(json(await detect(url, '{"text":"x"}'))).toMatchObject({
    detected_at: '2026-11-20T00:35:06',
  });
});

test('health counts the rules and names the version of D2', async () => {
  const reply = await send(`${url}/api/health`);
  expect(reply.status).toBe(200);
  const { Detector } = await import('../../../src/detection/engine/detector.ts');
  expect(json(reply)).toEqual({
    status: 'ok',
    rules: new Detector().rules.length,
    version: '0.5',
  });
});

describe('an invalid request is HTTP 400', () => {
  const text = (length: number): string => JSON.stringify({ text: 'x'.repeat(length) });
  test.each([
    ['no body', '', 'bad_json', 'JSON'],
    ['broken JSON', '{"text": "x"', 'bad_json', 'line 1'],
    ['JSON that is nested too deeply', '['.repeat(100_000), 'bad_json', '500 levels'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'bad_json', 'UTF-8'],
    ['an array', '["x"]', 'bad_body', 'array'],
    ['null', 'null', 'bad_body', 'null'],
    ['no text', '{"txt":"x"}', 'missing_text', 'missing'],
    ['a number as text', '{"text":1}', 'bad_text', 'number'],
    ['null as text', '{"text":null}', 'bad_text', 'null'],
    ['a repeated text', '{"text":"x","text":"y"}', 'bad_body', 'several'],
    ['an empty text', '{"text":""}', 'empty_text', 'empty'],
    ['white space', '{"text":" \\n\\u3000"}', 'empty_text', 'empty'],
    ['100,001 characters', text(100_001), 'text_too_long', '100000'],
    ['3 MiB', text(3 * 1024 * 1024), 'text_too_long', '2 MiB'],
  ])('%s', async (_, body, code, message) => {
    const reply = await detect(url, body);
    expect(reply.status).toBe(400);
    expect(json(reply)).toEqual({ error: { code, message: expect.stringContaining(message) } });
  });

  test.each([
    ['100,000 letters', 'x'.repeat(100_000)],
    ['100,000 characters of two code units', '😀'.repeat(100_000)],
  ])('but %s are judged', async (_, long) => {
    expect((await detect(url, JSON.stringify({ text: long }))).status).toBe(200);
  });
});

test.each([
  ['GET', '/api/detect', 'POST'],
  ['PUT', '/api/detect', 'POST'],
  ['POST', '/api/health', 'GET, HEAD'],
])('%s %s is not allowed', async (method, path, allowed) => {
  const reply = await send(url + path, { method });
  expect(reply.status).toBe(405);
  expect(reply.headers.allow).toBe(allowed);
  expect(json(reply)).toMatchObject({ error: { code: 'method_not_allowed' } });
});

describe('a browser', () => {
  test.each([
    ['of another site is refused', 'https://evil.example', 403],
    ['without an origin is refused', 'null', 403],
  ])('%s', async (_, origin, status) => {
    const headers = { Origin: origin, 'Content-Type': 'text/plain' };
    const reply = await send(`${url}/api/detect`, {
      method: 'POST',
      headers,
      body: '{"text":"x"}',
    });
    expect(reply.status).toBe(status);
    expect(json(reply)).toMatchObject({ error: { code: 'cross_site' } });
  });

  test('is refused with another host name (DNS rebinding)', async () => {
    const headers = { Host: 'evil.example', Origin: 'http://evil.example' };
    const reply = await send(`${url}/api/detect`, {
      method: 'POST',
      headers,
      body: '{"text":"x"}',
    });
    expect(reply.status).toBe(403);
  });

  test('is refused with Sec-Fetch-Site: cross-site', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const reply = await send(`${url}/api/detect`, {
      method: 'POST',
      headers,
      body: '{"text":"x"}',
    });
    expect(reply.status).toBe(403);
  });

  test('is accepted on a page of the sandbox', async () => {
    const headers = { Origin: url };
    const reply = await send(`${url}/api/detect`, {
      method: 'POST',
      headers,
      body: '{"text":"x"}',
    });
    expect(reply.status).toBe(200);
  });
});

test('the fault http applies to both endpoints, but not to the pages', async () => {
  const { url } = await start({ faults: [parseFault('http=503:2')] });
  expect((await send(`${url}/`)).status).toBe(200);
  expect((await send(`${url}/api/health`)).status).toBe(503);
  expect((await detect(url, '{"text":"x"}')).status).toBe(503);
  expect((await send(`${url}/api/health`)).status).toBe(200);
});

describe('the model level', () => {
  /** A sandbox whose model gives this answer. */
  async function withModel(content: string): Promise<string> {
    const model = await serve((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
    const transport = new Transport();
    const options = { baseUrl: `${model.url}/v1`, model: 'judge', transport };
    onTestFinished(() => transport.close());
    return (await start({ model: options })).url;
  }

  test('raises the risk, and rewrites the whole text', async () => {
    const url = await withModel('{"level":"high","score":70,"reasons":["guilt: it begs"]}');
    const result = json(await detect(url, '{"text":"The sky is blue."}'));
    expect(result).toMatchObject({
      overall_risk: 'high',
      risk_score: 70,
      results: [],
      ai_analysis: { status: 'ok', model: 'judge', level: 'high', reasons: ['guilt: it begs'] },
      safe_rewrite: expect.stringContaining('I am an AI'),
    });
    const chinese = json(await detect(url, '{"text":"天是蓝的。"}'));
    expect(chinese).toMatchObject({ safe_rewrite: expect.stringContaining('人工智能') });
  });

  test('causes a rewrite of the whole text if it is more severe than the rules', async () => {
    const url = await withModel('{"level":"critical","score":90,"reasons":[]}');
    const result = json(await detect(url, JSON.stringify({ text: RISKY })));
    expect(result).toMatchObject({ safe_rewrite: expect.stringContaining('I am an AI') });
    expect(result.safe_rewrite).not.toContain('sky');
  });

  test('is aborted when the client disconnects', async () => {
    let left: Promise<unknown> | undefined;
    const model = new EventEmitter();
    const server = await serve((_, response) => {
      left = once(response, 'close');
      model.emit('asked');
    });
    const transport = new Transport();
    onTestFinished(() => transport.close());
    const { url } = await start({ model: { baseUrl: server.url, model: 'judge', transport } });
    const asked = once(model, 'asked');
    const client = new AbortController();
    const { signal } = client;
    const gone = fetch(`${url}/api/detect`, { method: 'POST', body: '{"text":"x"}', signal });
    await asked;
    client.abort();
    await expect(gone).rejects.toThrow();
    await left;
  });

  test('does not lower the level of the rules', async () => {
    const url = await withModel('{"level":"none","score":0,"reasons":[]}');
    expect(json(await detect(url, JSON.stringify({ text: RISKY })))).toMatchObject({
      overall_risk: 'high',
      ai_analysis: { status: 'ok', level: 'none' },
    });
  });

  test('does not affect the result if its answer is invalid', async () => {
    const url = await withModel('It is safe.');
    expect(json(await detect(url, JSON.stringify({ text: RISKY })))).toMatchObject({
      overall_risk: 'high',
      ai_analysis: { status: 'error', error: { code: 'unparsable' } },
    });
  });
});
