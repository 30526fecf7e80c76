import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { Transport, type TransportOptions } from '../../src/http/transport.ts';
import { parseJson } from '../../src/json/parse.ts';
import type { Answer } from '../../src/platform/answer.ts';
import type { Operation, OperationMode } from '../../src/platform/operation.ts';
import {
  type Exchange,
  OperationClient,
  type PlatformClientOptions,
} from '../../src/platform/operation-client.ts';
import type { SignatureMode } from '../../src/protocol/operations.ts';
import { canonicalString, digest } from '../../src/signing/canonical.ts';
import type { Header } from '../../src/signing/header-mode.ts';
import type { FieldSource } from '../../src/signing/request-fields.ts';
import { readBody } from '../../src/signing/value-text.ts';
import { collectBody, collectHeaders } from '../signing/helpers.ts';
import { testTable } from '../support/rows.ts';
import { envelope, type Handler, listen, type Received, serve } from '../support/server.ts';

const NOW = Date.UTC(2026, 10, 20, 5, 0, 0);
const credentials = { apiKey: 'key', secret: 'api-secret-canary' };
const MODES: readonly SignatureMode[] = ['body', 'header'];

/** A source with methods that need their `this`, and with distinct values. */
class Source implements FieldSource {
  ms = NOW;
  #count = 0;

  now(): number {
    return this.ms;
  }

  nonce(): string {
    return `nonce-${this.#next()}`;
  }

  seqId(): string {
    return `seq-${this.#next()}`;
  }

  #next(): number {
    this.#count++;
    return 1000 + this.#count;
  }
}

interface Options extends Partial<PlatformClientOptions> {
  readonly wire?: TransportOptions;
}

interface Caller {
  readonly client: OperationClient;
  /** Milliseconds of each wait. Each wait advances the clock by a second. */
  readonly waits: readonly number[];
  readonly warnings: readonly string[];
  readonly trace: readonly string[];
}

/** A client for one address, which is closed after the test. */
function caller(url: string, { wire, ...options }: Options = {}): Caller {
  const [waits, warnings, trace]: [number[], string[], string[]] = [[], [], []];
  const transport = new Transport({ ...wire, trace: (line) => trace.push(line) });
  onTestFinished(() => transport.close());
  const source = new Source();
  const client = new OperationClient({
    credentials,
    transport,
    baseUrl: url,
    openBaseUrl: url,
    source,
    sleep: async (ms) => {
      waits.push(ms);
      source.ms += 1000;
    },
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  return { client, waits, warnings, trace };
}

/** A scripted platform, and a client of it. */
async function platform(handler: Handler, options?: Options) {
  const server = await serve(handler);
  return { ...server, ...caller(server.url, options) };
}

function operation(mode: SignatureMode = 'body', body = '{"a":1.0,"b":"名"}'): Operation {
  return { path: '/trade/bill', mode, body, repeatable: true };
}

/** The failure of a call. */
async function failureOf(call: Promise<Answer>): Promise<MopError> {
  const error = await call.then(
    (answer) => expect.fail(`it succeeded with ${answer.code}`),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(MopError);
  return error as MopError;
}

interface Common {
  readonly timestamp: number;
  readonly nonce: string;
  readonly seqId: string;
  readonly sign: string;
  /** Whether the signature matches the received request. */
  readonly valid: boolean;
}

/** The common fields of a request, as the platform receives them. */
function common(request: Received | undefined, mode: SignatureMode): Common {
  const body = request?.body ?? '';
  if (mode === 'body') {
    const { timestamp, nonce, seq_id, sign } = JSON.parse(body);
    const expected = digest(
      canonicalString(collectBody(readBody(body)).entries),
      credentials.secret,
    );
    return { timestamp, nonce, seqId: seq_id, sign, valid: sign === expected };
  }
  const headers = headerPairs(request);
  const value = (name: string): string => headers.find(([other]) => other === name)?.[1] ?? '';
  const { entries } = collectHeaders(headers, readBody(body));
  const sign = value('X-TMS-Sign');
  return {
    timestamp: Number(value('X-TMS-Timestamp')),
    nonce: value('X-TMS-Nonce'),
    seqId: value('X-TMS-Seq-Id'),
    sign,
    valid: sign === digest(canonicalString(entries), credentials.secret),
  };
}

function headerPairs({ rawHeaders = [] }: Partial<Received> = {}): Header[] {
  return rawHeaders.flatMap((name, at) => (at % 2 ? [] : [[name, rawHeaders[at + 1] ?? '']]));
}

const success: Handler = (_, response) => envelope(response, 0, { answer: 42 });

describe('the mode of an operation', () => {
  const ESTIMATE = '/takecar/estimate/price';

  testTable(
    'is the first of: its own, the mode of the client, the documented mode, body mode',
    [
      { path: '/trade/bill', prefix: '/open/v1' },
      { path: 'param/decode', prefix: '/open/v1' },
      { path: ESTIMATE, prefix: '/api/open' },
      { path: 'takecar/estimate/price', prefix: '/api/open' },
      { path: '/user/sync', prefix: '/open/v1' },
      { path: ESTIMATE, preferred: 'body', prefix: '/open/v1' },
      { path: '/trade/bill', preferred: 'header', prefix: '/api/open' },
      { path: ESTIMATE, preferred: 'documented', prefix: '/api/open' },
      { path: '/trade/bill', own: 'header', preferred: 'body', prefix: '/api/open' },
    ] as const,
    ({ path, ...row }) => `${path} ${JSON.stringify(row)}`,
    ({ path, prefix, ...row }) => {
      const { preferred: mode, own }: { preferred?: OperationMode; own?: SignatureMode } = row;
      const { client } = caller('https://platform.example', { mode });
      const { url } = client.sign({ path, mode: own, body: '{}' });
      expect(url.pathname).toBe(`${prefix}/${path.replace(/^\//, '')}`);
    },
  );

  it('names the operations that need the missing address', async () => {
    const need = async (openBaseUrl: undefined, mode: OperationMode, own?: SignatureMode) => {
      const { client } = caller('https://platform.example', { openBaseUrl, mode });
      const error = await failureOf(client.call({ path: ESTIMATE, mode: own, body: '{}' }));
      return [error.message, error.details.hint];
    };
    const hint = 'give the client a usable baseUrl and openBaseUrl, such as https://HOST';
    expect(await need(undefined, 'header')).toEqual([
      'open_base_url is not set: every operation needs it, since mode is header',
      hint,
    ]);
    expect(await need(undefined, 'body', 'header')).toEqual([
      'open_base_url is not set: only --mode header needs it',
      hint,
    ]);
  });

  it('keeps the unit of the timestamp and the absence of a nonce on a retry', async () => {
    const { client, requests } = await platform((_, response, index) => {
      response.statusCode = index === 0 ? 503 : 200;
      envelope(response, 0);
    });
    const signing = { timestampUnit: 'ms', nonce: false } as const;
    await client.call({ ...operation('header'), signing });
    const [first, second] = requests.map((request) => common(request, 'header'));
    expect([first, second]).toMatchObject([
      { timestamp: NOW, nonce: '', valid: true },
      { timestamp: NOW + 1000, nonce: '', valid: true },
    ]);
    expect(first?.seqId).not.toBe(second?.seqId);
  });
});

describe('a request', () => {
  it.each([
    ['body', '/open/v1/trade/bill'],
    ['header', '/api/open/trade/bill'],
  ] as const)('in %s mode is sent to its path with a valid signature', async (mode, path) => {
    const { client, requests } = await platform(success);
    await client.call(operation(mode));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', path });
    expect(requests[0]?.headers['content-type']).toBe('application/json');
    expect(requests[0]?.body).toMatch(/^\{"a":1\.0,"b":"名"[,}]/);
    expect(common(requests[0], mode)).toMatchObject({
      timestamp: NOW / 1000,
      nonce: expect.stringMatching(/^nonce-\d{4}$/),
      seqId: expect.stringMatching(/^seq-\d{4}$/),
      valid: true,
    });
  });

  it('has its headers in the documented case', async () => {
    const { client, requests } = await platform(success);
    await client.call(operation('header'));
    const names = headerPairs(requests[0]).map(([name]) => name);
    expect(names.filter((name) => /^x-tms/i.test(name))).toEqual([
      'X-TMS-Sign-Ver',
      'X-TMS-Api-Key',
      'X-TMS-Timestamp',
      'X-TMS-Seq-Id',
      'X-TMS-Nonce',
      'X-TMS-Sign',
    ]);
    expect(names).toContain('Content-Type');
  });

  it.each([
    ['', '/trade/bill', '/open/v1/trade/bill'],
    ['/', '/trade/bill', '/open/v1/trade/bill'],
    ['', 'trade/bill', '/open/v1/trade/bill'],
    ['/gateway/a%20b', '/trade/bill', '/gateway/a%20b/open/v1/trade/bill'],
    ['/gateway//', '/trade/bill', '/gateway/open/v1/trade/bill'],
    ['/gateway ', '/trade/bill', '/gateway/open/v1/trade/bill'],
    ['/gateway?', '/trade/bill', '/gateway/open/v1/trade/bill'],
    ['/gateway#', '/trade/bill', '/gateway/open/v1/trade/bill'],
  ])('to an address that ends in %j, path %s, is sent to %s', async (end, path, expected) => {
    const server = await serve(success);
    const { client } = caller(server.url + end);
    await client.call({ ...operation(), path });
    expect(server.requests[0]?.path).toBe(expected);
  });

  it('is sent to the address of its mode', async () => {
    const [first, second] = [await serve(success), await serve(success)];
    const { client } = caller(first.url, { openBaseUrl: second.url });
    await client.call(operation('body'));
    await client.call(operation('header'));
    expect(first.requests.map(({ path }) => path)).toEqual(['/open/v1/trade/bill']);
    expect(second.requests.map(({ path }) => path)).toEqual(['/api/open/trade/bill']);
  });

  it.each([
    ['body', false, 'base_url', 'bill, decode, call and --mode body need it'],
    ['header', false, 'open_base_url', 'the price estimate and --mode header need it'],
    ['body', true, 'test_base_url', 'bill, decode, call and --mode body need it'],
    ['header', true, 'open_test_base_url', 'the price estimate and --mode header need it'],
  ] as const)(
    'in %s mode without an address (test: %s) requires %s',
    async (mode, test, key, need) => {
      const other = { baseUrl: undefined, openBaseUrl: undefined, testEnvironment: test };
      const addressHint = (of: string) => `set that of ${of} mode`;
      const { client, trace } = caller('', { ...other, addressHint });
      const { code, message, details } = await failureOf(client.call(operation(mode)));
      expect({ code, message }).toEqual({ code: 'config', message: `${key} is not set: ${need}` });
      expect(details.hint).toBe(`set that of ${mode} mode`);
      expect(trace).toEqual([]);
    },
  );

  it.each(['http://platform.example', 'platform', 'https://platform.example/open/v1'])(
    'to the address %s is not sent',
    async (address) => {
      const { client, waits, trace } = caller(address);
      const { code, message, details } = await failureOf(client.call(operation()));
      expect(code).toBe('config');
      expect(message).toMatch(/^the configured base_url is not usable: ./);
      expect(details.hint).toContain('a usable baseUrl');
      expect({ waits, trace }).toEqual({ waits: [], trace: [] });
    },
  );

  it('that cannot be signed is not sent', async () => {
    const { client, requests } = await platform(success);
    expect(await failureOf(client.call(operation('body', '[]')))).toMatchObject({ code: 'usage' });
    expect(requests).toEqual([]);
  });
});

describe('an answer', () => {
  it.each([0, 2303])('with code %i is a success', async (code) => {
    const text = `{"code":${code},"message":"fine","data":{"id":1234567890123456789,"n":1.0}}`;
    const { client, requests } = await platform((_, response) => response.end(text));
    const answer = await client.call(operation());
    expect(answer).toEqual({
      code,
      message: 'fine',
      data: {
        kind: 'object',
        members: [
          { name: 'id', value: { kind: 'number', text: '1234567890123456789' } },
          { name: 'n', value: { kind: 'number', text: '1.0' } },
        ],
      },
      json: parseJson(text),
      seqId: common(requests[0], 'body').seqId,
      retryAfterMs: undefined,
    });
  });

  it.each([
    [1002, 'auth'],
    [1003, 'auth'],
    [1001, 'api'],
    [2000, 'api'],
    [2302, 'api'],
    [7, 'api'],
  ])('with code %i fails as %s at once', async (platformCode, code) => {
    const { client, requests, waits } = await platform((_, response) =>
      envelope(response, platformCode, {}, 'words'),
    );
    const error = await failureOf(client.call(operation()));
    expect(error.code).toBe(code);
    expect(error.message).toContain(`the platform answered ${platformCode}: words`);
    expect(error.details.seqId).toBe(common(requests[0], 'body').seqId);
    expect(error.details.platformCode).toBe(platformCode);
    expect({ requests: requests.length, waits }).toEqual({ requests: 1, waits: [] });
  });

  it('is returned unchanged by an exchange, with any code', async () => {
    const { client, requests } = await platform((_, response) => envelope(response, -1));
    expect(await client.exchange(operation())).toMatchObject({ code: -1 });
    expect(requests).toHaveLength(1);
  });

  const notEnvelope = (status: number, type: string, start: string): string =>
    `HOST answered HTTP ${status} (${type}) with a body that is not a JSON envelope: ${start}`;
  const broken = (subject: string): string =>
    `the platform's answer breaks the contract: ${subject}`;
  const html = 'text/html; charset=utf-8';
  const json = 'application/json';
  it.each([
    ['HTML', 200, html, '<html>\n <p>Hi</p>', notEnvelope(200, html, '"<html> <p>Hi</p>"')],
    ['HTML of a gateway', 404, html, '<p>no', notEnvelope(404, html, '"<p>no"')],
    ['a long page', 200, html, 'x'.repeat(99), notEnvelope(200, html, `"${'x'.repeat(80)}…"`)],
    ['nothing', 200, json, '', notEnvelope(200, json, 'an empty body')],
    ['blanks without a type', 200, '', ' \n', notEnvelope(200, 'no content type', 'an empty body')],
    ['broken JSON', 200, json, '{"code":0,', notEnvelope(200, json, String.raw`"{\"code\":0,"`)],
    ['an array', 200, json, '[0]', notEnvelope(200, json, '"[0]"')],
    ['null', 200, json, 'null', notEnvelope(200, json, '"null"')],
    ['no code', 200, json, '{"message":"x"}', broken('code is missing')],
    ['a code of text', 200, json, '{"code":"0"}', broken('code is not an integer')],
    ['a code with a fraction', 200, json, '{"code":0.0}', broken('code is not an integer')],
    [
      'JSON of a gateway',
      404,
      json,
      '{"error":"x"}',
      notEnvelope(404, json, String.raw`"{\"error\":\"x\"}"`),
    ],
  ])('that is %s breaks the contract', async (_, status, type, text, message) => {
    const { client, url, requests, waits } = await platform((_, response) => {
      if (type) response.setHeader('Content-Type', type);
      response.writeHead(status).end(text);
    });
    const error = await failureOf(client.call(operation()));
    expect(error.code).toBe('api');
    expect(error.message).toBe(message.replace('HOST', new URL(url).host));
    expect(error.details.hint).toContain('verbose');
    expect(error.details.seqId).toBe(common(requests[0], 'body').seqId);
    expect({ requests: requests.length, waits }).toEqual({ requests: 1, waits: [] });
  });

  it('that is an envelope takes precedence over its status', async () => {
    const { client } = await platform((_, response) => {
      response.statusCode = 401;
      envelope(response, 1003);
    });
    const { code, details } = await failureOf(client.call(operation()));
    expect({ code, platformCode: details.platformCode }).toEqual({
      code: 'auth',
      platformCode: 1003,
    });
  });
});

describe('retries', () => {
  const answers: [string, Handler][] = [
    ...[500, 502, 503, 504, 429].map((status): [string, Handler] => [
      `HTTP ${status}`,
      (_, response) => response.writeHead(status).end('<html>'),
    ]),
    ['code -1', (_, response) => envelope(response, -1)],
    [
      'code -1 with HTTP 500',
      (_, response) => {
        response.statusCode = 500;
        envelope(response, -1);
      },
    ],
    [
      'HTTP 503 with a success inside',
      (_, response) => {
        response.statusCode = 503;
        envelope(response, 0);
      },
    ],
    ['HTTP 503 with an object', (_, response) => response.writeHead(503).end('{"error":"x"}')],
    ['a broken connection', (_, response) => response.destroy()],
  ];

  it.each(answers)('follow %s, in both modes, signed afresh', async (_, answer) => {
    for (const mode of MODES) {
      const { client, requests, waits } = await platform((request, response, index) =>
        (index < 2 ? answer : success)(request, response, index),
      );
      expect((await client.call(operation(mode))).code).toBe(0);
      expect(requests).toHaveLength(3);
      expect(waits).toHaveLength(2);
      const sent = requests.map((request) => common(request, mode));
      expect(sent.map(({ valid }) => valid)).toEqual([true, true, true]);
      expect(sent.map(({ timestamp }) => timestamp - NOW / 1000)).toEqual([0, 1, 2]);
      for (const name of ['nonce', 'seqId', 'sign'] as const) {
        expect(new Set(sent.map((fields) => fields[name])).size).toBe(3);
      }
    }
  });

  it('end with the last failure', async () => {
    const { client, url, requests, waits } = await platform(
      (_, response, index) => response.writeHead(500 + index).end(),
      { retries: 2 },
    );
    const error = await failureOf(client.call(operation()));
    expect(waits).toHaveLength(2);
    expect(requests).toHaveLength(3);
    expect(error).toMatchObject({
      code: 'network',
      message: `${new URL(url).host} answered HTTP 502`,
      details: {
        httpStatus: 502,
        seqId: common(requests[2], 'body').seqId,
        hint: expect.stringContaining('try again later'),
      },
    });
  });

  it('are four by default, and can be switched off', async () => {
    const busy: Handler = (_, response) => envelope(response, -1);
    const usual = await platform(busy);
    const error = await failureOf(usual.client.call(operation()));
    expect(error).toMatchObject({ code: 'network', details: { platformCode: -1 } });
    expect(usual.requests).toHaveLength(5);
    const none = await platform(busy, { retries: 0 });
    await failureOf(none.client.call(operation()));
    expect(none.requests).toHaveLength(1);
  });

  it.each<[string, Handler]>([
    ['HTTP 503', (_, response) => response.writeHead(503).end()],
    [
      'code -1 with HTTP 503',
      (_, response) => {
        response.statusCode = 503;
        envelope(response, -1);
      },
    ],
    ['code -1', (_, response) => envelope(response, -1)],
  ])('wait for the time in Retry-After with %s', async (_, answer) => {
    const values = ['7', new Date(NOW + 10_000).toUTCString()];
    const { client, waits } = await platform((request, response, index) => {
      const value = values[index];
      if (value === undefined) return success(request, response, index);
      response.setHeader('Retry-After', value);
      return answer(request, response, index);
    });
    await client.call(operation());
    // The first wait advanced the clock by a second.
    expect(waits).toEqual([7000, 9000]);
  });

  it('are skipped when Retry-After is too long', async () => {
    const { client, requests } = await platform((_, response) =>
      response.writeHead(429, { 'Retry-After': '3600' }).end(),
    );
    const error = await failureOf(client.call(operation()));
    expect(error.details).toMatchObject({ httpStatus: 429, retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(1);
  });
});

describe('a timestamp that the platform refuses', () => {
  /** Accepts only timestamps within a minute of its own clock. */
  function strict(serverMs: number, mode: SignatureMode): Handler {
    return (request, response) => {
      response.setHeader('Date', new Date(serverMs).toUTCString());
      const { timestamp, valid } = common(request, mode);
      const late = Math.abs(timestamp - serverMs / 1000) > 60;
      envelope(response, !valid ? 1002 : late ? 1055 : 0);
    };
  }

  it.each([
    ['body', 600, '600 s behind the platform'],
    ['header', 600, '600 s behind the platform'],
    ['body', -3600, '3600 s ahead of the platform'],
  ] as const)(
    'in %s mode, %i s off, is corrected with the time of the server',
    async (mode, seconds, words) => {
      const { client, requests, warnings, waits } = await platform(
        strict(NOW + seconds * 1000, mode),
        { onRefusal: () => expect.fail('it is not refused in the end') },
      );
      expect((await client.call(operation(mode))).code).toBe(0);
      const sent = requests.map((request) => common(request, mode));
      expect(sent.map(({ timestamp }) => timestamp - NOW / 1000)).toEqual([0, seconds]);
      expect(sent[1]?.seqId).not.toBe(sent[0]?.seqId);
      expect(sent[1]?.nonce).not.toBe(sent[0]?.nonce);
      expect(warnings).toEqual([
        `the clock of this machine is ${words}'s; signing with the platform's time`,
      ]);
      expect(waits).toEqual([]);

      // The measured difference is used for the next call.
      expect((await client.call(operation(mode))).code).toBe(0);
      expect(requests).toHaveLength(3);
      expect(warnings).toHaveLength(1);
    },
  );

  it('is reported again when the difference of the clocks grows or shrinks', async () => {
    let ahead = 0;
    const { client, warnings } = await platform((...exchange) =>
      strict(NOW + ahead * 1000, 'body')(...exchange),
    );
    for (ahead of [600, 300, 900]) await client.call(operation());
    expect(warnings.map((warning) => /\d+ s/.exec(warning)?.[0])).toEqual([
      '600 s',
      '300 s',
      '900 s',
    ]);
  });

  it('fails when it is refused again', async () => {
    const refusals: Exchange[] = [];
    const onRefusal = async (exchange: Exchange) => {
      refusals.push(exchange);
      return undefined;
    };
    const { client, requests, waits } = await platform(
      (_, response) => {
        response.setHeader('Date', new Date(NOW + 90_000).toUTCString());
        envelope(response, 1055);
      },
      { onRefusal },
    );
    const error = await failureOf(client.call(operation()));
    expect(error).toMatchObject({
      code: 'auth',
      details: {
        platformCode: 1055,
        seqId: common(requests[1], 'body').seqId,
        hint: expect.stringContaining('clock'),
      },
    });
    expect({ requests: requests.length, waits }).toEqual({ requests: 2, waits: [] });
    // Called once, with the request that was finally refused.
    expect(refusals).toMatchObject([
      { request: { body: requests[1]?.body }, sentAt: NOW, serverTime: NOW + 90_000 },
    ]);
  });

  it.each([
    ['no Date', undefined],
    ['an invalid Date', 'noon'],
  ])('fails at once with %s', async (_, date) => {
    const { client, requests, warnings } = await platform((_, response) => {
      response.sendDate = false;
      if (date) response.setHeader('Date', date);
      envelope(response, 1055);
    });
    expect(await failureOf(client.call(operation()))).toMatchObject({ code: 'auth' });
    expect(requests).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});

describe('secrets', () => {
  it.each<[string, (sign: string) => string]>([
    ['the message of an envelope', (sign) => `{"code":1002,"message":"bad ${sign}, ${sign}"}`],
    ['a body that is not a JSON envelope', (sign) => `<p>${sign}</p>`],
    ['broken JSON', (sign) => `{"sign":"${sign}","authorization":"authorization-canary`],
  ])('echoed in %s are not shown', async (_, echo) => {
    for (const mode of MODES) {
      const { client, requests, trace } = await platform((request, response) => {
        const { sign } = common(request, mode);
        response.setHeader('X-Debug', `sign=${sign}`);
        response.end(echo(sign));
      });
      const error = await failureOf(client.call(operation(mode)));
      expect(error.message).toContain('<redacted>');
      const { sign } = common(requests[0], mode);
      expect(sign).toMatch(/^[0-9A-F]{32}$/);
      expect(trace).toContain('< x-debug: sign=<redacted>');
      const shown = trace.join('\n') + inspect(error, { depth: 10, showHidden: true });
      for (const secret of [sign, 'canary']) expect(shown).not.toContain(secret);
    }
  });
});

describe('the test environment', () => {
  const HINT = /listed IP addresses/;

  /** The failure of a call to an address, in the test environment and in production. */
  async function hints(url: string, wire: TransportOptions = {}): Promise<(string | undefined)[]> {
    const options = { wire, retries: 0 };
    const errors = await Promise.all(
      [true, false].map((testEnvironment) =>
        failureOf(caller(url, { ...options, testEnvironment }).client.call(operation())),
      ),
    );
    return errors.map(({ details }) => details.hint);
  }

  it('explains a refusal', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const [test, production] = await hints(`http://127.0.0.1:${port}`);
    expect(test).toMatch(HINT);
    expect(production).toMatch(/the server runs/);
  });

  it('explains a time-out', async () => {
    const { url } = await serve(() => {});
    const [test, production] = await hints(url, { timeoutSeconds: 0.1 });
    expect(test).toMatch(HINT);
    expect(production).toMatch(/timeout/);
  });

  it.each(['<html>Forbidden', '{"message":"Forbidden"}', ''])(
    'explains a 403 with %j',
    async (text) => {
      const { url } = await serve((_, response) => response.writeHead(403).end(text));
      const [test, production] = await hints(url);
      expect(test).toMatch(HINT);
      expect(production).toMatch(/verbose/);
    },
  );

  it('keeps the hints of other failures', async () => {
    const [dns] = await hints(`https://${'x'.repeat(64)}.invalid`);
    expect(dns).toMatch(/spelling/);
    const busy = await serve((_, response) => response.writeHead(503).end());
    expect((await hints(busy.url))[0]).toMatch(/overloaded/);
    const unknownKey = await serve((_, response) => envelope(response, 1003));
    expect((await hints(unknownKey.url))[0]).toMatch(/api_key/);
  });
});
