import { describe, expect, it } from 'vitest';
import {
  type Refusal,
  refusalError,
  retryAfterMs,
  textResponse,
  unexpectedBody,
} from '../../src/http/response.ts';
import { get } from './support.ts';

const NOW = Date.UTC(2026, 10, 20, 5, 0, 0);

function head(status: number, headers: Readonly<Record<string, string>> = {}) {
  return { status, header: (name: string) => headers[name] };
}

describe('textResponse', () => {
  it.each([
    [[0xef, 0xbb, 0xbf, 0x61], 'a', true],
    [[0x61, 0xff], 'a\ufffd', false],
    [[], '', true],
  ])('decodes %j', (bytes, text, isUtf8) => {
    expect(textResponse(head(200), Uint8Array.from(bytes))).toMatchObject({ text, isUtf8 });
  });
});

describe('refusalError', () => {
  const refusal: Refusal = { server: 'platform', message: 'm', hint: 'h', details: { seqId: 's' } };

  it.each([500, 503, 599, 429])('of HTTP %i is a network error', (httpStatus) => {
    const hint = 'the platform is down, overloaded or limits the rate of requests; try again later';
    const error = refusalError(head(httpStatus, { 'retry-after': '7' }), refusal, NOW);
    expect(error).toMatchObject({ code: 'network', message: 'm' });
    expect(error.details).toEqual({ seqId: 's', httpStatus, hint, retryAfterMs: 7000 });
  });

  it.each([401, 403])('of HTTP %i has the code and hint of its service', (httpStatus) => {
    const plain = refusalError(head(httpStatus), refusal, NOW);
    expect(plain).toMatchObject({ code: 'api', details: { httpStatus, hint: 'h', seqId: 's' } });
    const auth = refusalError(head(httpStatus), { ...refusal, unauthorized: 'auth' }, NOW);
    expect(auth).toMatchObject({ code: 'auth', details: { httpStatus, seqId: 's' } });
    expect(auth.details.hint).toContain('Authorization: Bearer TOKEN');
  });

  it.each([200, 302, 400, 404, 418])('of HTTP %i is an api error', (httpStatus) => {
    const response = head(httpStatus, { 'retry-after': '7' });
    const error = refusalError(response, { ...refusal, unauthorized: 'auth' }, NOW);
    expect(error.code).toBe('api');
    expect(error.details).toEqual({ seqId: 's', httpStatus, hint: 'h' });
  });
});

describe('unexpectedBody', () => {
  it.each([
    ['text/html; charset=hunter22', 'text/html; charset=<redacted>'],
    [undefined, 'no content type'],
  ])('names the type %j without secrets', (type, shown) => {
    const request = { ...get('http://api.example/x'), secrets: ['hunter22'] };
    const response = head(418, type === undefined ? {} : { 'content-type': type });
    expect(unexpectedBody(response, request, 'is not a JSON envelope')).toBe(
      `api.example answered HTTP 418 (${shown}) with a body that is not a JSON envelope`,
    );
  });
});

describe('retryAfterMs', () => {
  it.each([
    [undefined, undefined],
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['Fri, 20 Nov 2026 05:00:30 GMT', 30_000],
    ['Friday, 20-Nov-26 05:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 04:59:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ])('reads %j', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
