import { describe, expect, it } from 'vitest';
import { getUrl, requestParameters } from '../../src/graphql/request.ts';
import {
  asResponse,
  describeError,
  type ResponseError,
  responseError,
} from '../../src/graphql/response.ts';
import { jsonValue, parseJson } from '../../src/json/parse.ts';
import { printJson } from '../../src/json/print.ts';
import { checkRows } from '../support/rows.ts';
import { answering, endpoint, failureOf, parseObject, QUERY } from './support.ts';

const DIGITS = '{"data":{"a":1.0,"b":1e2,"c":-0,"d":1234567890123456789,"e":[0.10]}}';

describe('a response', () => {
  it('has data, errors or both', () =>
    checkRows<[text: string, data: string | undefined, messages: string[]]>(
      [
        ['{"data":{"a":1}}', '{"a":1}', []],
        ['{"data":{}}', '{}', []],
        ['{"data":null}', undefined, []],
        ['{"data":{"a":1},"errors":[]}', '{"a":1}', []],
        ['{"data":{"a":1},"errors":null}', '{"a":1}', []],
        ['{"data":{"a":null},"errors":[{"message":"no"}]}', '{"a":null}', ['no']],
        ['{"data":null,"errors":[{"message":"a"},{"message":"b"}]}', undefined, ['a', 'b']],
        ['{"errors":[{"message":"no"}]}', undefined, ['no']],
        ['{"errors":[{"message":"no"}],"extensions":{"cost":1.0}}', undefined, ['no']],
        ['{"errors":[{}]}', undefined, ['an error without a message']],
        [
          '{"errors":["no",null,{"message":7}]}',
          undefined,
          ['no', ...repeat('an error without a message', 2)],
        ],
        [DIGITS, DIGITS.slice(8, -1), []],
      ],
      ([text, data, messages]) => {
        const response = asResponse(parseJson(text));
        expect(response?.json && printJson(response.json)).toBe(text);
        expect(response?.data && printJson(response.data)).toBe(data);
        expect(response?.errors.map(({ message }) => message)).toEqual(messages);
      },
    ));

  it('is recognised in no other form', () =>
    checkRows(
      [
        '{}',
        '{"errors":[]}',
        '{"errors":null}',
        '{"errors":"no"}',
        '{"errors":{"message":"no"}}',
        '{"errors":"no","data":{}}',
        '{"data":[]}',
        '{"data":"a"}',
        '{"data":1,"errors":[{"message":"no"}]}',
        '{"Data":{}}',
        '{"message":"no"}',
        '[{"data":{}}]',
        '"data"',
        'null',
      ],
      (text) => {
        expect(asResponse(jsonValue(text))).toBeUndefined();
      },
    ));

  it('is not recognised in a missing body', () => {
    expect(asResponse(undefined)).toBeUndefined();
  });

  function repeat(text: string, count: number): string[] {
    return Array.from({ length: count }, () => text);
  }
});

describe('an error of a response', () => {
  const errorIn = (json: string): ResponseError => {
    const [error] = asResponse(parseJson(`{"errors":[${json}]}`))?.errors ?? [];
    return error ?? expect.fail('not a response with an error');
  };

  it('is described with its path and places', () =>
    checkRows(
      [
        ['{"message":"no"}', 'no'],
        ['{"message":"no","path":["bills",2,"total"]}', 'bills.2.total: no'],
        ['{"message":"no","path":[]}', ': no'],
        ['{"message":"no","path":null,"locations":null}', 'no'],
        ['{"message":"no","path":"a","locations":{}}', 'no'],
        ['{"message":"no","path":["a",true]}', 'a.?: no'],
        ['{"message":"no","locations":[{"line":2,"column":3}]}', 'no (q:2:3)'],
        [
          '{"message":"no","path":["a"],"locations":[{"line":2,"column":3},{"line":4,"column":1}]}',
          'a: no (q:2:3, q:4:1)',
        ],
        ['{"message":"no","locations":[{"line":0,"column":3},{"line":-1,"column":-1}]}', 'no'],
        ['{"message":"no","locations":[{"line":"2","column":3},{"line":2},null,7]}', 'no'],
      ],
      ([json, line]) => {
        expect(describeError(errorIn(json), 'q')).toBe(line);
      },
    ));

  it.each([
    ['{"errors":[{"message":"no"}]}', 'the response has an error: no'],
    [
      '{"errors":[{"message":"no","path":["a"]},{"message":"nor"}]}',
      'the response has 2 errors, first: a: no',
    ],
    ['{"data":null}', 'the response has no data'],
  ])('is a failure: %s', async (json, message) => {
    const response = asResponse(parseJson(json)) ?? expect.fail('not a response');
    const error = await failureOf(() => Promise.reject(responseError(response, 'q')));
    expect([error.code, error.message]).toEqual(['graphql', message]);
    expect(responseError(response, 'q', 'do this').details.hint).toBe('do this');
  });

  it('has a hint for its cause, by its message, its code or the status', () =>
    checkRows<[error: string, status: number, hint: string]>(
      [
        ['{"message":"Forbidden"}', 200, 'permission'],
        ['{"message":"Permission denied for a","path":["a"]}', 200, 'permission'],
        ['{"message":"no","extensions":{"code":"FORBIDDEN"}}', 200, 'permission'],
        ['{"message":"no"}', 403, 'permission'],
        ['{"message":"Unauthorized"}', 400, 'requires a credential'],
        ['{"message":"You are not authorized to see this"}', 200, 'requires a credential'],
        ['{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}', 200, 'requires a credential'],
        ['"Could not verify JWT: JWTExpired"', 200, 'requires a credential'],
        ['{"message":"no"}', 401, 'requires a credential'],
        ['{"message":"API rate limit exceeded"}', 200, 'try again later'],
        ['{"message":"Too many requests"}', 200, 'try again later'],
        ['{"message":"no","extensions":{"code":"RATE_LIMITED"}}', 200, 'try again later'],
        ['{"message":"no","extensions":{"code":"THROTTLED"}}', 200, 'try again later'],
        ['{"message":"no"}', 429, 'try again later'],
        [
          '{"message":"blocked as a potential Cross-Site Request Forgery (CSRF)"}',
          400,
          'Preflight',
        ],
        ['{"message":"PersistedQueryNotFound"}', 200, 'registered'],
        ['{"message":"x","path":["a"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}', 200, 'logs'],
        [`{"message":"You don't have permission to view this user's email"}`, 200, 'permission'],
        // The name of a field is not a cause.
        ['{"message":"Validation error (FieldUndefined@[permissions])"}', 200, 'mop gql schema'],
        ['{"message":"Variable $permission is not defined"}', 200, 'mop gql schema'],
        [`{"message":"Cannot query field 'permissions'"}`, 200, 'mop gql schema'],
        ['{"message":"Variable quota of type Int must be positive"}', 200, 'mop gql schema'],
        ['{"message":"Field a is not allowed to be null"}', 200, 'mop gql schema'],
        ['{"message":"Cannot query field \\"permissions\\""}', 200, 'mop gql schema'],
        ['{"message":"Syntax Error"}', 400, 'mop gql schema'],
      ],
      async ([error, status, hint]) => {
        const { client } = await endpoint(answering(status, `{"errors":[${error}]}`));
        const { details } = responseError(await client.send(QUERY), 'q');
        expect(details.hint).toContain(hint);
      },
      ([error, status]) => `${error} ${status}`,
    ));
});

describe('the answer of an endpoint', () => {
  const NO = '{"errors":[{"message":"no"}]}';

  it('is recognised as a GraphQL response by its body, with any status', () =>
    checkRows(
      [
        [200, '{"data":{"a":1}}', 'application/json'],
        [200, '{"data":{"a":null},"errors":[{"message":"no"}]}', 'application/json'],
        [200, NO, 'application/json'],
        [200, DIGITS, 'application/graphql-response+json; charset=utf-8'],
        [400, NO, 'application/graphql-response+json'],
        [401, NO, 'application/json'],
        [405, NO, 'application/json'],
        [429, NO, 'application/json'],
        [500, NO, 'application/json'],
        [503, '{"data":null,"errors":[{"message":"no"}]}', 'text/plain'],
        [200, '\ufeff{"data":{"a":1}}', 'application/json'],
      ],
      async ([status, body, type]) => {
        const { client, requests } = await endpoint(
          answering(status, body, { 'Content-Type': type }),
        );
        const { json } = await client.send(QUERY);
        expect(printJson(json)).toBe(body.replace('\ufeff', ''));
        expect(requests).toHaveLength(1);
      },
    ));

  it('in another encoding is named so', async () => {
    const latin = bytes('{"data":{"a":"', 0xe9, '"}}');
    const type = { 'Content-Type': 'application/json; charset=iso-8859-1' };
    const { client } = await endpoint(answering(200, latin, type));
    const { message } = await failureOf(() => client.send(QUERY));
    expect(message).toContain('with a body that is not UTF-8');
  });

  it('that is not a GraphQL response is an error', () =>
    checkRows<[number, string | Uint8Array, string, string, string]>(
      [
        [200, '<html>Hello</html>', 'api', '"<html>Hello</html>"', 'the address of the endpoint'],
        [200, '', 'api', 'an empty body', 'the address of the endpoint'],
        [204, '', 'api', 'an empty body', 'the address of the endpoint'],
        [200, '{"message":"Hello"}', 'api', 'Hello', 'the address of the endpoint'],
        [200, '{"errors":"no"}', 'api', 'errors', 'the address of the endpoint'],
        [200, '{"errors":[]}', 'api', 'errors', 'the address of the endpoint'],
        [200, '{"data":{"a":1}', 'api', 'data', 'the address of the endpoint'],
        [200, '[{"data":{"a":1}}]', 'api', 'data', 'the address of the endpoint'],
        [200, bytes('{"data":{"a":"', 0xff, '"}}'), 'api', 'data', 'the address of the endpoint'],
        [400, 'Bad Request', 'api', '"Bad Request"', 'the address of the endpoint'],
        [401, '{"error":"who are you?"}', 'api', 'who are you?', 'Authorization: Bearer TOKEN'],
        [403, 'Forbidden', 'api', '"Forbidden"', 'Authorization: Bearer TOKEN'],
        [403, '<p>Rate limit exceeded</p>', 'api', 'Rate', 'limits the rate'],
        [403, '<script>throttle()</script>No', 'api', 'No', 'Authorization: Bearer TOKEN'],
        [404, 'Not Found', 'api', '"Not Found"', '/graphql'],
        [405, '', 'api', 'an empty body', 'GET or POST'],
        [304, '', 'api', 'an empty body', 'the address of the endpoint'],
        [500, '<h1>\n  Oops\n</h1>', 'network', '"<h1> Oops </h1>"', 'try again later'],
        [502, '', 'network', 'an empty body', 'try again later'],
        [503, '{"data":', 'network', 'data', 'try again later'],
        [429, 'slow down', 'network', '"slow down"', 'try again later'],
      ],
      async ([status, body, code, reported, hint]) => {
        const type = { 'Content-Type': 'text/html' };
        const { client, url } = await endpoint(answering(status, body, type), { retries: 0 });
        const error = await failureOf(() => client.send(QUERY));
        expect([error.code, error.details.httpStatus]).toEqual([code, status]);
        expect(error.message).toContain(`${new URL(url).host} answered HTTP ${status} (text/html)`);
        expect(error.message).toContain(reported);
        expect(error.details.hint).toContain(hint);
      },
    ));

  function bytes(start: string, middle: number, end: string): Uint8Array {
    return Buffer.concat([Buffer.from(start), Buffer.from([middle]), Buffer.from(end)]);
  }

  it('may lack a Content-Type', async () => {
    const { client } = await endpoint((_, response) => response.end('hello'));
    expect((await failureOf(() => client.send(QUERY))).message).toContain('(no content type)');
  });

  it.each([
    [301, 'https://new.example/graphql?token=canary#canary', 'https://new.example/graphql'],
    [302, '/login?next=canary', '/login?'],
    [308, 'https://user:canary@new.example/', 'https://new.example/'],
  ])('reports a redirect: HTTP %d to %s', async (status, location, shown) => {
    const { client, requests, trace } = await endpoint(
      answering(status, `<a href="${location}">moved</a>`, { Location: location }),
    );
    const { code, message, details } = await failureOf(() => client.send(QUERY));
    expect([code, details.httpStatus]).toEqual(['api', status]);
    expect(message).toContain(`a redirect to ${shown}`);
    expect(details.hint).toContain('the address of the endpoint');
    expect([message, details.hint].join('\n')).not.toContain('canary');
    expect(trace.filter((line) => /^< location/i.test(line)).join()).not.toContain('canary');
    expect(requests).toHaveLength(1);
  });

  it('sets the wait with Retry-After', () =>
    checkRows(
      [
        [429, '3', 3000],
        [503, '0', 0],
        [503, 'Thu, 01 Jan 1970 00:00:07 GMT', 7000],
        [500, 'soon', undefined],
      ],
      async ([status, retryAfter, wait]) => {
        const headers = { 'Retry-After': retryAfter };
        const { client } = await endpoint(answering(status, 'busy', headers), { retries: 0 });
        const { details } = await failureOf(() => client.send(QUERY));
        expect(details.retryAfterMs).toBe(wait);
      },
    ));

  it('is quoted without a credential that it echoes', async () => {
    const headers = [['Authorization', 'Bearer canary-1234']] as const;
    const { client, trace } = await endpoint(
      ({ headers: { authorization } }, response) =>
        response.writeHead(400).end(`<p>bad ${authorization}, ${authorization?.split(' ')[1]}`),
      { headers },
    );
    const { message } = await failureOf(() => client.send(QUERY));
    expect(message).toContain('bad Bearer <redacted>, <redacted>');
    expect(trace.join('\n')).not.toContain('canary');
  });

  it('is quoted without the beginning of a credential at the end of the excerpt', async () => {
    const headers = [['Authorization', 'Bearer canary-1234567890']] as const;
    const { client } = await endpoint(
      ({ headers: { authorization } }, response) =>
        response.writeHead(400).end(`<p>${'x'.repeat(60)} ${authorization}`),
      { headers },
    );
    expect((await failureOf(() => client.send(QUERY))).message).not.toContain('canary');
  });
});

describe('a request', () => {
  const query = 'query A($v: Float) { a(v: $v) } # "名字" &=+%';
  const variables = parseObject('{"v":1.0,"w":[1234567890123456789,"名字 &"]}');

  it.each([
    [{ kind: 'query', query: '{ a }' }, '{"query":"{ a }"}'],
    [{ kind: 'query', query: '{ a }', variables: parseObject('{}') }, '{"query":"{ a }"}'],
    [
      { kind: 'mutation', query: '{ "\n" }', operationName: 'A' },
      '{"query":"{ \\"\\n\\" }","operationName":"A"}',
    ],
    [
      { kind: 'query', query: '{ a }', operationName: '', variables },
      `{"query":"{ a }","operationName":"","variables":${printJson(variables)}}`,
    ],
  ] as const)('of %j has its parameters', (request, json) => {
    expect(printJson(requestParameters(request))).toBe(json);
  });

  it.each(['https://h.example/graphql', 'https://h.example/graphql?v=1&key=a%20b'])(
    'has them in the address %s',
    (address) => {
      const endpoint = new URL(address);
      const url = getUrl(endpoint, { kind: 'query', query, operationName: 'A', variables });
      expect(url.origin + url.pathname).toBe('https://h.example/graphql');
      expect([...url.searchParams]).toEqual([
        ...endpoint.searchParams,
        ['query', query],
        ['operationName', 'A'],
        ['variables', printJson(variables)],
      ]);
      expect(endpoint.href).toBe(address);
    },
  );
});
