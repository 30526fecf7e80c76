import { describe, expect, it } from 'vitest';
import { DetectionClient } from '../../src/detection/client.ts';
import type { MopError } from '../../src/errors.ts';
import { Transport } from '../../src/http/transport.ts';
import { MAX_TEXT_LENGTH } from '../../src/protocol/detection.ts';
import { closedPort } from '../http/support.ts';
import type { Handler } from '../support/server.ts';
import { detectionObject, service } from './support.ts';

const GOOD = JSON.stringify(detectionObject());

const failureOf = (call: Promise<unknown>): Promise<MopError> =>
  call.then(
    () => expect.fail('it succeeded'),
    (error: MopError) => error,
  );

/** A handler that answers with a status and a body. */
const answering =
  (status: number, body: string | Uint8Array = '', headers = {}): Handler =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('detect', () => {
  it('sends the text as JSON and reads the answer', async () => {
    const { client, requests } = await service(answering(200, GOOD));
    const text = 'Tu n’as que moi.\n"\ud800" 😀\r\n';
    expect((await client.detect(text)).overallRisk).toBe('high');
    const [request] = requests;
    expect([request?.method, request?.path]).toEqual(['POST', '/api/detect']);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({ text });
  });

  it.each(['/', '/prefix', '/prefix//'])('keeps the prefix %s of the address', async (prefix) => {
    const { client, url, requests } = await service(answering(200, GOOD));
    const transport = new Transport();
    const there = new DetectionClient({ baseUrl: url + prefix, transport });
    await there.detect('a');
    await client.detect('a');
    await transport.close();
    const expected = prefix === '/' ? '/api/detect' : '/prefix/api/detect';
    expect(requests.map(({ path }) => path)).toEqual([expected, '/api/detect']);
  });

  it.each(['', ' \n\t', '\u3000\ufeff', 'a\0b', '\0'])('does not send %j', async (text) => {
    const { client, requests } = await service(answering(200, GOOD));
    expect(await failureOf(client.detect(text))).toMatchObject({ code: 'usage' });
    expect(requests).toEqual([]);
  });

  it('counts characters, not code units, and refuses a text that is too long', async () => {
    const { client, requests } = await service(answering(200, GOOD));
    await client.detect('😀'.repeat(MAX_TEXT_LENGTH));
    const error = await failureOf(client.detect('a'.repeat(MAX_TEXT_LENGTH + 1)));
    expect(error.message).toBe('the text is too long: at most 100000 characters');
    expect(requests).toHaveLength(1);
  });

  it.each([
    [
      400,
      '{"error":{"code":"bad_text","message":"no text"}}',
      'api',
      'HTTP 400: bad_text: no text',
    ],
    [404, '<h1>Not\n found</h1>', 'api', 'is not a JSON object: "<h1>Not found</h1>"'],
    [405, '{}', 'api', 'HTTP 405: "{}"'],
    [422, '{"error":"no"}', 'api', 'HTTP 422'],
    [401, '', 'auth', 'HTTP 401: an empty body'],
    [403, '{"error":{"message":"cross site"}}', 'auth', 'HTTP 403: cross site'],
    [301, '', 'api', 'HTTP 301'],
    [200, 'fine', 'api', 'is not a JSON object: "fine"'],
    [200, '[]', 'api', 'is not a JSON object'],
    [204, '', 'api', 'is not a JSON object: an empty body'],
    [200, '{}', 'api', 'breaks the contract: risk_score is missing'],
    [200, `{"success":false,${GOOD.slice(1)}`, 'api', 'answered with success: false'],
    [200, `{"success":"false",${GOOD.slice(1)}`, 'api', 'answered with success: false'],
    [200, `{"success":true,"success":false,${GOOD.slice(1)}`, 'api', 'success occurs more'],
    [200, `{"success":false,"message":"busy",${GOOD.slice(1)}`, 'api', 'success: false: busy'],
    [200, `{"error":"model failed",${GOOD.slice(1)}`, 'api', 'with an error: model failed'],
    [200, `{"error":{"code":"x","message":"y"},${GOOD.slice(1)}`, 'api', 'an error: x: y'],
    [200, `{"error":{},${GOOD.slice(1)}`, 'api', 'answered with an error'],
    [200, '{"overall_risk":"high"', 'api', 'is not a JSON object'],
    [200, new Uint8Array([0x7b, 0xff, 0x7d]), 'api', 'the body is not UTF-8'],
  ])('HTTP %d with %j is %s', async (status, body, code, message) => {
    const { client, requests } = await service(answering(status, body));
    const error = await failureOf(client.detect('a'));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.details.hint).toBeTruthy();
    expect(requests).toHaveLength(1);
  });

  it.each(['"success":true', '"success":null', '"error":null', '"error":""', '"error":false'])(
    'accepts an answer with %s',
    async (member) => {
      const { client } = await service(answering(200, `{${member},${GOOD.slice(1)}`));
      expect((await client.detect('a')).riskScore).toBe(72);
    },
  );

  it.each([429, 500, 502, 503, 504])(
    'retries after HTTP %d, after the time in Retry-After',
    async (status) => {
      const { client, requests, waits } = await service((_, response, index) =>
        index === 0
          ? response.writeHead(status, { 'Retry-After': '3' }).end('busy')
          : response.end(GOOD),
      );
      expect((await client.detect('a')).riskScore).toBe(72);
      expect([requests.length, waits]).toEqual([2, [3000]]);
    },
  );

  it('fails after the last retry', async () => {
    const { client, requests } = await service(answering(503, 'busy'), { retries: 2 });
    const error = await failureOf(client.detect('a'));
    expect(error).toMatchObject({ code: 'network', details: { httpStatus: 503 } });
    expect(error.message).toContain('HTTP 503: "busy"');
    expect(requests).toHaveLength(3);
  });

  it('reports a refused connection', async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const { client, waits } = await service(answering(200), { baseUrl, retries: 1 });
    const error = await failureOf(client.detect('a'));
    expect([error.code, waits.length]).toEqual(['network', 1]);
  });
});

describe('headers', () => {
  it('are sent unchanged, and replace the default headers', async () => {
    const headers = [
      ['aCCEPT', 'application/json;q=0.5'],
      ['X-Trace', '1'],
      ['User-Agent', 'mine'],
    ] as const;
    const { client, requests } = await service(answering(200, GOOD), { headers });
    await client.detect('a');
    const raw = requests[0]?.rawHeaders ?? [];
    const named = raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(named.filter((name) => /^(?:accept|user-agent)$/.test(name))).toEqual([
      'accept',
      'user-agent',
    ]);
    expect(raw).toEqual(expect.arrayContaining(['aCCEPT', 'X-Trace', 'mine']));
  });

  it.each([
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'X-Api-Key',
    'API-KEY',
    'X-Session-Token',
    'My-Secret',
    'X-PASSWORD',
    'X-Credential',
    'X-Session',
    'X-Passwd',
    'X-Signature',
    'X-JWT',
    'Bearer',
  ])('%s is sent only over https or to this machine', async (name) => {
    const transport = { sendForText: () => expect.fail('it was sent') };
    const make = (baseUrl: string) =>
      new DetectionClient({ baseUrl, transport, headers: [[name, 'canary']] });
    for (const url of ['https://h.example', 'http://127.0.0.1:1', 'http://localhost']) make(url);
    expect(() => make('http://h.example')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('canary') }),
    );
  });

  it.each(['Bearer canary', 'basic canary'])(
    'the value %s is sent only over https or to this machine',
    (value) => {
      const options = { transport: new Transport(), headers: [['X-Foo', value]] as const };
      const make = (baseUrl: string) => new DetectionClient({ ...options, baseUrl });
      make('https://h.example');
      expect(() => make('http://h.example')).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it.each([
    ['X-A', 'a\nb'],
    ['X-A', '密'],
    ['X A', 'a'],
    ['', 'a'],
    ['Content-Length', '1'],
    ['Transfer-Encoding', 'chunked'],
  ])('%j: %j cannot be sent', (name, value) => {
    const options = { baseUrl: 'https://h.example', transport: new Transport() };
    expect(() => new DetectionClient({ ...options, headers: [[name, value]] })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });

  it('redact each echoed cookie, but no common word', async () => {
    const { client } = await service(
      ({ headers }, response) =>
        response
          .writeHead(400)
          .end(`no session ${headers.cookie?.match(/canary-\d/g)?.join(' ')}, at 1`),
      { headers: [['Cookie', 'a=1; theme=canary-1;sid="canary-2" ; x=canary-3']] },
    );
    expect((await failureOf(client.detect('a'))).message).toContain(
      '"no session <redacted> <redacted> <redacted>, at 1"',
    );
  });

  it('with credentials do not appear in traces or errors', async () => {
    const lines: string[] = [];
    const transport = new Transport({ trace: (line) => lines.push(line) });
    const { url } = await service(({ headers }, response) =>
      response
        .writeHead(400)
        .end(
          `{"error":{"message":"bad ${headers['x-api-key']} ${headers.authorization?.split(' ')[1]}"}}`,
        ),
    );
    const headers = [
      ['X-Api-Key', 'canary-1'],
      ['Authorization', 'Bearer canary-2'],
    ] as const;
    const client = new DetectionClient({ baseUrl: url, transport, headers });
    const error = await failureOf(client.detect('a'));
    await transport.close();
    expect(error.message).toContain('bad <redacted> <redacted>');
    expect(lines.join('\n')).toContain('X-Api-Key: <redacted>');
    expect(lines.join('\n')).not.toContain('canary');
  });
});

describe('the address', () => {
  it.each(['', 'h.example', 'ftp://h.example', 'https://h.example/api/detect', 'https://u:p@h'])(
    '%j is not usable',
    (baseUrl) => {
      const make = () => new DetectionClient({ baseUrl, transport: new Transport() });
      expect(make).toThrow(expect.objectContaining({ code: 'config' }));
    },
  );
});

describe('health', () => {
  it('reads the fields that D2 shows', async () => {
    const { client, requests } = await service(
      answering(200, '{"status":"ok","rules":120,"version":"0.5"}'),
    );
    expect(await client.health()).toMatchObject({ status: 'ok', rules: 120, version: '0.5' });
    expect([requests[0]?.method, requests[0]?.path, requests[0]?.body]).toEqual([
      'GET',
      '/api/health',
      '',
    ]);
  });

  it('accepts a report of bad health with HTTP 5xx', async () => {
    const { client, requests } = await service(answering(503, '{"status":"down"}'));
    expect(await client.health()).toMatchObject({
      status: 'down',
      rules: undefined,
      version: undefined,
      httpStatus: 503,
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [503, 'down', 'network', 'HTTP 503'],
    [503, '{"status":7}', 'network', 'HTTP 503'],
    [200, '{}', 'api', 'status is missing'],
    [200, '{"status":true}', 'api', 'status is not a string but'],
    [200, '{"status":"ok","rules":"120"}', 'api', 'rules is not a number but'],
    [200, '{"status":"ok","rules":1.5}', 'api', 'rules is not a count'],
    [200, '{"status":"ok","version":0.5}', 'api', 'version is not a string but'],
    [200, 'ok', 'api', 'is not a JSON object'],
    [401, '{"status":"ok"}', 'auth', 'HTTP 401'],
    [404, '{"status":"ok"}', 'api', 'HTTP 404'],
  ])('HTTP %d with %j is %s', async (status, body, code, message) => {
    const { client } = await service(answering(status, body), { retries: 0 });
    const error = await failureOf(client.health());
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });
});
