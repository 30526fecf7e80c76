import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { failure, PLAIN_BODY, readRight, SIGNED_BODY, SIGNED_HEADERS } from './support.ts';

class AxiosHeaders {
  constructor(headers: object) {
    Object.assign(this, headers);
  }
  get [Symbol.toStringTag]() {
    return 'AxiosHeaders';
  }
}

function config(data: unknown, headers: object = { 'Content-Type': 'application/json' }) {
  return {
    transitional: { silentJSONParsing: true, clarifyTimeoutError: false },
    adapter: ['xhr', 'http', 'fetch'],
    transformRequest: [function transformRequest() {}],
    timeout: 0,
    xsrfCookieName: 'XSRF-TOKEN',
    env: { FormData: class FormData {}, Blob: class Blob {} },
    validateStatus: () => true,
    headers: new AxiosHeaders({ Accept: 'application/json, text/plain, */*', ...headers }),
    baseURL: 'https://host/',
    method: 'post',
    url: '/open/v1/x',
    data,
    signal: undefined,
  };
}

/** An error thrown by axios. */
function axiosError(config: object): Error {
  const request = { method: 'POST', path: '/x', agent: new Map([[1, 2]]), self: {} };
  request.self = request;
  const error = new Error('Request failed with status code 401');
  const response = { status: 401, config, request, data: { code: 1002 } };
  return Object.assign(error, { code: 'ERR_BAD_REQUEST', config, request, response });
}

const ADDRESS = { format: 'log' };

describe('an error of axios', () => {
  it('is read as JSON', async () => {
    const { message } = axiosError({});
    const json = { message, name: 'AxiosError', config: config(SIGNED_BODY), code: 'X', status: 1 };
    for (const text of [JSON.stringify(json), `failed: ${JSON.stringify(json, null, 2)}\n`]) {
      expect(await readRight(text)).toMatchObject({ ...ADDRESS, body: SIGNED_BODY });
    }
  });

  it.each([[{}], [{ depth: 0 }], [{ breakLength: 200 }], [{ compact: false }]])(
    'is read as printed by console.log: %o',
    async (options) => {
      const error = axiosError(config(SIGNED_BODY));
      const text = `request failed\n${inspect(error, { depth: 2, ...options })}\n`;
      if ('depth' in options) {
        expect(await failure(`axios\n${text}`)).toContain(
          'util.inspect (console.log) did not print in full',
        );
      } else {
        expect(await readRight(text)).toMatchObject({ ...ADDRESS, body: SIGNED_BODY });
      }
    },
  );

  it('is read with a multi-line string, which console.log prints as a sum', async () => {
    const pretty = JSON.stringify(JSON.parse(SIGNED_BODY), null, 2);
    const text = inspect(axiosError(config(pretty)));
    expect(text).toContain("\\n' +\n");
    expect((await readRight(text)).body).toBe(pretty);
  });

  it('is read with signed headers', async () => {
    const error = axiosError(config(PLAIN_BODY, Object.fromEntries(SIGNED_HEADERS)));
    const { headers } = await readRight(inspect(error).replace('/open/v1/x', '/api/open/x'));
    expect(headers).toEqual(SIGNED_HEADERS);
  });

  it.each<[subject: string, text: string]>([
    ['data that were not printed', inspect(axiosError(config({ a: { b: {} } })))],
    ['headers that were not printed', "AxiosError {config: {headers: [Object], data: '{}'}}"],
    ['a text that was cut', inspect(axiosError(config('x'.repeat(30))), { maxStringLength: 20 })],
  ])('with %s is rejected', async (_, text) => {
    expect(await failure(text)).toBe(
      'read as a log: it contains objects or texts that util.inspect (console.log) did not print in full',
    );
  });
});
