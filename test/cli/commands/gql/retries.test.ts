import { describe, expect, it } from 'vitest';
import { closedPort } from '../../../http/support.ts';
import { NOW } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure } from '../../support.ts';
import { answer, gqlAt, service } from './support.ts';

describe('a failed request', () => {
  const HTML = '<!doctype html>\n<html><head><title>canary-title</title></head>';

  it.each([
    [[], 4],
    [['--retries', '2'], 2],
    [['--retries', '0'], 0],
  ])('HTML with HTTP 500 is retried with %j', async (args, retries) => {
    const { gql, requests } = await service(answer(HTML, 500, 'text/html'));
    const result = await gql(['{ a }', ...args]);
    expectFailure(result, 6, 'HTTP 500 (text/html) with a body that is not a GraphQL response');
    expect(result.stderr).toContain('"<!doctype html> <html>');
    expect([requests.length, result.waits.length]).toEqual([retries + 1, retries]);
    expect(result.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(20_000);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  it('is retried once after HTTP 5xx or 429', () =>
    checkRows([500, 502, 503, 504, 429], async (status) => {
      const { gql, requests } = await service((request, response, index) =>
        answer(index === 0 ? 'busy' : { data: {} }, index === 0 ? status : 200)(
          request,
          response,
          index,
        ),
      );
      const { code, stdout, stderr } = await gql(['{ a }']);
      expect([code, stdout, stderr, requests.length]).toEqual([0, '{"data":{}}\n', '', 2]);
    }));

  it('HTTP 429 waits for Retry-After, up to a limit', () =>
    checkRows<[after: string, waits: (waits: readonly number[]) => boolean, requests: number]>(
      [
        ['3', (waits) => waits.length === 4 && waits.every((wait) => wait >= 3000), 5],
        [
          new Date(NOW + 7000).toUTCString(),
          (waits) => waits.length === 2 && waits.every((wait) => wait >= 7000),
          3,
        ],
        ['60', (waits) => waits.length === 0, 1],
        ['soon', (waits) => waits.length === 4, 5],
      ],
      async ([after, isRight, count]) => {
        const { gql, requests } = await service((_, response) =>
          response.writeHead(429, { 'Retry-After': after }).end('slow down'),
        );
        const result = await gql(['{ a }']);
        expectFailure(result, 6, 'HTTP 429');
        expect(result.waits).toSatisfy(isRight);
        expect(requests).toHaveLength(count);
      },
    ));

  it.each<[name: string, handler: Handler]>([
    [
      'in the middle of the body',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
        response.write('{"data":{', () => response.destroy());
      },
    ],
    [
      'in the middle of a chunked body',
      (_, response) => void response.write('{"data":{"a":1}}', () => response.destroy()),
    ],
    ['before the answer', (_, response) => response.destroy()],
  ])('a connection that breaks %s is retried', async (_, handler) => {
    const { gql, requests } = await service((request, response, index) =>
      index < 2
        ? handler(request, response, index)
        : answer({ data: {} })(request, response, index),
    );
    expect((await gql(['{ a }'])).code).toBe(0);
    expect(requests).toHaveLength(3);
    const broken = await service(handler);
    const result = await broken.gql(['{ a }', '--retries', '1']);
    expectFailure(result, 6, 'the connection to 127.0.0.1:');
    expect([broken.requests.length, result.waits.length]).toEqual([2, 1]);
  });
});

describe('a mutation', () => {
  const busy = answer('busy', 503);
  const cut: Handler = (_, response) => response.destroy();

  it('is retried only with --retries or when a retry is harmless', () =>
    checkRows<[name: string, document: string, args: string[], handler: Handler, requests: number]>(
      [
        ['a busy server', 'mutation { a }', [], busy, 1],
        ['a busy server, with --retries', 'mutation { a }', ['--retries', '2'], busy, 3],
        ['a broken connection', 'mutation { a }', [], cut, 1],
        ['a broken connection, with --retries', 'mutation { a }', ['--retries', '1'], cut, 2],
        ['a query', '{ a }', [], busy, 5],
        ['a query and a broken connection', '{ a }', [], cut, 5],
        [
          'a mutation selected from several operations',
          'query Q { a } mutation M { a }',
          ['--operation', 'M'],
          busy,
          1,
        ],
        [
          'a query selected from several operations',
          'query Q { a } mutation M { a }',
          ['--operation', 'Q'],
          busy,
          5,
        ],
      ],
      async ([_, document, args, handler, count]) => {
        const { gql, requests } = await service(handler);
        const { code, stdout, waits } = await gql([document, ...args]);
        expect([code, stdout]).toEqual([6, '']);
        expect([requests.length, waits.length]).toEqual([count, count - 1]);
      },
    ));

  it('is retried when nothing reached the server', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}/graphql`;
    const mutation = await gqlAt(endpoint)(['mutation { a }']);
    expectFailure(mutation, 6, 'refused the connection');
    expect(mutation.waits).toHaveLength(4);
    const once = await gqlAt(endpoint)(['mutation { a }', '--retries', '0']);
    expect([once.code, once.waits]).toEqual([6, []]);
  });
});
