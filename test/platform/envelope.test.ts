import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';
import {
  envelopeError,
  isSuccess,
  platformViolation,
  readEnvelope,
} from '../../src/platform/envelope.ts';
import { FIND_MISTAKE_IN_FILE, RESULT_CODES } from '../../src/protocol/result-codes.ts';

describe('readEnvelope', () => {
  it.each([
    ['{"code":0}', { code: 0, message: '', data: undefined }],
    ['{"code":-1,"message":"busy","data":null}', { code: -1, message: 'busy', data: undefined }],
    ['{"message":null,"code":1002}', { code: 1002, message: '', data: undefined }],
    ['{"code":0,"message":7}', { code: 0, message: '', data: undefined }],
    ['{"code":0,"data":{}}', { code: 0, message: '', data: { kind: 'object', members: [] } }],
    // The data of a failure may be of any kind.
    ['{"code":1001,"data":[]}', { code: 1001, message: '', data: { kind: 'array', items: [] } }],
    ['\n{"code" : 12345678901 }\n', { code: 12345678901, message: '', data: undefined }],
  ])('reads %s', (text, expected) => {
    expect(readEnvelope(text)).toEqual({ ...expected, json: parseJson(text) });
  });

  it.each(['', '{', '<html>', '[]', '"code"', '0', 'null', '{"code":0} x', "{'code':0}"])(
    'returns undefined for %j',
    (text) => {
      expect(readEnvelope(text)).toBeUndefined();
    },
  );

  it.each([
    ['{}', 'is missing'],
    ['{"Code":0}', 'is missing'],
    ['{"data":{"code":0}}', 'is missing'],
    ['{"code":"0"}', 'is not an integer'],
    ['{"code":null}', 'is not an integer'],
    ['{"code":true}', 'is not an integer'],
    ['{"code":1.5}', 'is not an integer'],
    ['{"code":1e3}', 'is not an integer'],
    ['{"code":123456789012}', 'is not an integer'],
  ])('refuses %s: its code %s', (text, fault) => {
    expect(() => readEnvelope(text)).toThrow(
      expect.objectContaining({
        code: 'api',
        message: `the platform's answer breaks the contract: code ${fault}`,
        details: { hint: expect.stringContaining('verbose') },
      }),
    );
  });
});

it.each(['{"code":0,"code":1002}', '{"code":0,"data":{},"data":{"a":1}}'])(
  'refuses %s, because parsers disagree about it',
  (text) => {
    expect(() => readEnvelope(text)).toThrow('occurs 2 times');
  },
);

describe('the data of a success', () => {
  it.each([
    ['"x"', 'a string'],
    ['[]', 'an array'],
    ['1.0', 'a number'],
    ['true', 'a boolean'],
  ])('must not be %s', (data, kind) => {
    for (const code of [0, 2303]) {
      expect(() => readEnvelope(`{"code":${code},"data":${data}}`)).toThrow(
        `the platform's answer breaks the contract: data is not an object but ${kind}`,
      );
    }
  });
});

describe('platformViolation', () => {
  it('keeps other details', () => {
    expect(platformViolation('data.x', 'is not a text', { seqId: 's', hint: 'h' })).toMatchObject({
      code: 'api',
      message: "the platform's answer breaks the contract: data.x is not a text",
      details: { seqId: 's', hint: 'h' },
    });
  });
});

describe('isSuccess', () => {
  it.each([
    [0, true],
    [2303, true],
    [-1, false],
    [1001, false],
    [2302, false],
    [200, false],
  ])('classifies %i', (code, expected) => {
    expect(isSuccess({ code })).toBe(expected);
  });
});

describe('envelopeError', () => {
  it.each([
    [-1, 'busy', 'network', 'the platform answered -1: busy — Service error', 'try again later'],
    [
      1002,
      'bad',
      'auth',
      'the platform answered 1002: bad — Authentication error',
      FIND_MISTAKE_IN_FILE,
    ],
    [1003, '', 'auth', 'the platform answered 1003: api_key invalid', 'environment'],
    // The text of the document is not repeated.
    [1055, 'TIMESTAMP invalid', 'auth', 'the platform answered 1055: Timestamp invalid', 'clock'],
    [
      1001,
      'x',
      'api',
      'the platform answered 1001: x — Parameter error',
      'correct the fields of the request',
    ],
    [2000, '', 'api', 'the platform answered 2000: Illegal operation', 'the mode'],
    [1004, '', 'api', 'the platform answered 1004: Mobile number invalid', 'correct the fields'],
    [2302, '', 'api', 'the platform answered 2302: No savings-card stock', 'top-up'],
    [4711, 'odd', 'api', 'the platform answered 4711: odd', 'do not list'],
    [4711, '', 'api', 'the platform answered 4711', 'do not list'],
  ])('for code %i and %j is %s', (platformCode, message, code, text, hint) => {
    const error = envelopeError({ code: platformCode, message }, { seqId: 's' });
    expect(error).toMatchObject({ code, message: text, details: { platformCode, seqId: 's' } });
    expect(error.details.hint).toContain(hint);
  });

  it('has a hint for every code of the document', () => {
    for (const { code } of RESULT_CODES) {
      const { details } = envelopeError({ code, message: '' }, {});
      expect(details.hint, String(code)).toMatch(/./);
    }
  });

  it('keeps other details', () => {
    const details = { httpStatus: 503, retryAfterMs: 7, hint: 'h' };
    const error = envelopeError({ code: -1, message: '' }, details);
    expect(error.details).toEqual({ ...details, platformCode: -1 });
  });
});
