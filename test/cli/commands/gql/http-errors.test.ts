import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { answer, jsonLines, service, withResolvers } from './support.ts';

const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

describe('an answer that is not a GraphQL response', () => {
  const HTML = '<!doctype html>\n<html><head><title>canary-title</title></head>';

  it('is reported with its status, type and beginning, and not retried', () =>
    checkRows<{ name: string; handler: Handler; code: number; message: string[]; hint?: string }>(
      [
        {
          name: 'HTML with HTTP 200',
          handler: answer(HTML, 200, 'text/html; charset=utf-8'),
          code: 5,
          message: [
            'HTTP 200 (text/html; charset=utf-8)',
            '<!doctype html> <html><head><title>canary-title',
          ],
          hint: 'check the address of the endpoint',
        },
        {
          name: 'a truncated document with the right length',
          handler: answer('{"data":{"a":1'),
          code: 5,
          message: ['HTTP 200 (application/json)', '{\\"data\\":{\\"a\\":1'],
        },
        { name: 'nothing', handler: answer(''), code: 5, message: ['an empty body'] },
        {
          name: 'an empty body without a type',
          handler: (_, response) => response.end(),
          code: 5,
          message: ['HTTP 200 (no content type)', 'an empty body'],
        },
        {
          name: 'HTTP 204',
          handler: (_, response) => response.writeHead(204).end(),
          code: 5,
          message: ['HTTP 204', 'an empty body'],
        },
        {
          name: 'bytes that are not UTF-8',
          handler: (_, response) =>
            response.end(
              Buffer.concat([Buffer.from('{"data":{"a":"'), Buffer.from([0xff, 0x22, 0x7d, 0x7d])]),
            ),
          code: 5,
          message: ['not a GraphQL response'],
        },
        {
          name: 'compression that is not supported',
          handler: (_, response) =>
            response
              .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd' })
              .end(gzipSync('{"data":{"a":1}}')),
          code: 5,
          message: ['answered with the Content-Encoding "zstd"'],
          hint: 'up to two of gzip, deflate and br',
        },
        {
          name: 'HTTP 400',
          handler: answer('bad', 400, 'text/plain'),
          code: 5,
          message: ['HTTP 400 (text/plain)', '"bad"'],
        },
        {
          name: 'HTTP 401',
          handler: answer('who?', 401),
          code: 5,
          message: ['HTTP 401'],
          hint: 'Authorization: Bearer TOKEN',
        },
        {
          name: 'HTTP 403',
          handler: answer('no', 403),
          code: 5,
          message: ['HTTP 403'],
          hint: 'Authorization: Bearer TOKEN',
        },
        {
          name: 'HTTP 404',
          handler: answer(HTML, 404, 'text/html'),
          code: 5,
          message: ['HTTP 404'],
          hint: '/graphql',
        },
        {
          name: 'HTTP 405',
          handler: answer('', 405),
          code: 5,
          message: ['HTTP 405'],
          hint: 'GET or POST',
        },
        {
          name: 'HTTP 406',
          handler: (_, response) => response.writeHead(406, { Accept: 'text/html' }).end(),
          code: 5,
          message: ['HTTP 406'],
          hint: 'the server offers no type that the request accepts',
        },
        {
          name: 'HTTP 415',
          handler: answer('{"error":"type"}', 415),
          code: 5,
          message: ['HTTP 415', 'type'],
        },
        {
          name: 'HTTP 422',
          handler: answer('{"message":"m"}', 422),
          code: 5,
          message: ['HTTP 422'],
        },
      ],
      async ({ handler, code, message, hint = '' }) => {
        const { gql, url, requests } = await service(handler);
        const result = await gql(['{ a }']);
        expectFailure(result, code, `${new URL(url).host} answered`, hint);
        for (const reported of message) expect(result.stderr).toContain(reported);
        expect([requests.length, result.waits]).toEqual([1, []]);
      },
    ));

  it('is reported with its status as JSON', async () => {
    const { gql } = await service(answer(HTML, 503, 'text/html'));
    const result = await gql(['{ a }', '--json', '--retries', '0']);
    expect([result.code, result.stdout, jsonLines(result.stderr)]).toEqual([
      6,
      '',
      [
        {
          error: {
            code: 'network',
            message: expect.stringContaining('HTTP 503 (text/html)'),
            hint: expect.any(String),
            exit_code: 6,
            retryable: true,
            http_status: 503,
          },
        },
      ],
    ]);
  });

  it('excludes a GraphQL response with HTTP 4xx or 5xx', () =>
    checkRows([400, 403, 500, 503], async (status) => {
      const body = { errors: [{ message: 'no such field' }] };
      const { gql, requests } = await service(answer(body, status, GRAPHQL_TYPE));
      const result = await gql(['{ a }']);
      expect([result.code, JSON.parse(result.stdout)]).toEqual([14, body]);
      expect(result.stderr).toContain('the response has an error: no such field\n');
      expect(requests).toHaveLength(1);
    }));

  it('excludes errors with HTTP 406, whose hint names other transports', async () => {
    const { gql } = await service(answer({ errors: [{ message: 'no' }] }, 406));
    const { code, stderr } = await gql(['{ a }', '-H', 'Accept: text/html']);
    expect([code, stderr]).toEqual([
      14,
      expect.stringContaining('hint: the server offers no type'),
    ]);
  });

  it('may be a redirect, which is reported without secrets and not followed', () =>
    checkRows(
      [
        [
          301,
          'https://other.example/graphql?token=canary#canary',
          'https://other.example/graphql?<redacted>',
        ],
        [302, '/v2/graphql?token=canary', '/v2/graphql?<redacted>'],
        [303, '/login', 'a redirect to /login'],
        [307, 'https://user:canary@other.example/graphql', 'https://other.example/graphql'],
        [308, '//other.example/graphql', '//other.example/graphql'],
      ],
      async ([status, to, shown]) => {
        const { gql, requests } = await service((_, response) =>
          response.writeHead(status, { Location: to }).end(),
        );
        for (const args of [['{ a }'], ['mutation { a }'], ['{ a }', '--get', '--verbose']]) {
          const { code, stdout, stderr } = await gql(args);
          expect([code, stdout]).toEqual([5, '']);
          expect(stderr).toContain(`HTTP ${status}`);
          expect(stderr).toContain(shown);
          expect(stderr).toContain('check the address of the endpoint');
          expect(stderr).not.toContain('canary');
        }
        expect(requests).toHaveLength(3);
      },
    ));

  it('is quoted in one line without control characters', async () => {
    const { gql } = await service(answer('a\u001b[2J\u009b1m\n\u202e', 400, 'text/plain\u00a0x'));
    const { stderr } = await gql(['{ a }']);
    expect(stderr).toMatch(/^mop: [^\p{C}]+\nhint: [^\p{C}]+\n$/u);
  });

  it('may not exceed 256 MiB, or 511 MiB with --max-response', async () => {
    const { gql } = await service((_, response) => {
      response.setHeader('Content-Length', 512 * 1024 ** 2).flushHeaders();
      setImmediate(() => response.destroy());
    });
    const hint = 'raise --max-response if an answer can be that large';
    expectFailure(await gql(['{ a }']), 5, 'answered with more than 256 MiB', hint);
    const raised = await gql(['{ a }', '--max-response', '999999999']);
    expectFailure(raised, 5, 'answered with more than 511 MiB', 'request less');
  });

  it('may not exceed --max-response', async () => {
    const block = Buffer.alloc(1 << 20, ' ');
    const { promise: left, resolve } = withResolvers();
    const { gql, requests } = await service((_, response) => {
      const endless = Readable.from(
        (function* () {
          for (;;) yield block;
        })(),
      );
      endless.pipe(response.on('close', () => resolve()));
    });
    expectFailure(
      await gql(['{ a }', '--max-response', '70000000']),
      5,
      'more than 70000000 bytes',
    );
    expect(requests).toHaveLength(1);
    await left;
  });
});

describe('a header that names a member of every object', () => {
  it.each([
    ['Content-Type', 0],
    ['Content-Encoding', 5],
  ])('is an unknown value: %s', async (name, code) => {
    const { gql } = await service((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', [name]: 'constructor' });
      response.end('{"data":{"a":1}}');
    });
    expect((await gql(['{ a }'])).code).toBe(code);
  });
});
