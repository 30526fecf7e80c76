import { describe, expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import type { RequestFields } from '../../src/signing/request-fields.ts';
import { readBody } from '../../src/signing/value-text.ts';
import { CountingSource, collectBody, credentials, fakeSource, usageError } from './helpers.ts';
import { vectors } from './vectors.ts';

/** The body that is sent, without its signature. */
function sent(text: string, fields?: RequestFields): string {
  const { body, sign } = signBody(text, credentials, fields, fakeSource);
  const end = `,"sign":"${sign}"}`;
  expect(body.endsWith(end)).toBe(true);
  return `${body.slice(0, -end.length)}}`;
}

describe.each(vectors)('vector $title', (vector) => {
  const { seqId, timestamp, nonce, bodyMode } = vector;

  it('collects its entries', () => {
    expect(collectBody(readBody(bodyMode.body)).entries).toEqual(bodyMode.entries);
  });

  it('signs with given fields', () => {
    const fields = { seqId, timestamp, nonce };
    const signed = signBody(vector.text, vector.credentials, fields, fakeSource);
    expect(signed).toMatchObject(bodyMode);
  });

  it('signs with generated fields', () => {
    const source = { now: () => timestamp * 1000, seqId: () => seqId, nonce: () => nonce };
    expect(signBody(vector.text, vector.credentials, {}, source)).toMatchObject(bodyMode);
  });
});

describe('collectBody', () => {
  it('distinguishes business and common fields, in the order of the body', () => {
    expect(collectBody(readBody('{"nonce":"n","b":1,"api_key":"k","Nonce":"x"}')).entries).toEqual([
      { name: 'nonce', value: 'n', source: 'common' },
      { name: 'b', value: '1', source: 'business' },
      { name: 'api_key', value: 'k', source: 'common' },
      { name: 'Nonce', value: 'x', source: 'business' },
    ]);
  });

  it('omits the signature and nulls, each with its reason', () => {
    expect(collectBody(readBody('{"sign":"X","a":null,"nonce":null,"b":"null"}'))).toEqual({
      entries: [{ name: 'b', value: 'null', source: 'business' }],
      omitted: [
        { name: 'sign', reason: 'the signature does not sign itself' },
        { name: 'a', reason: 'null is left out' },
        { name: 'nonce', reason: 'null is left out' },
      ],
    });
  });

  it('omits a null signature as a signature, not as null', () => {
    expect(collectBody(readBody('{"sign":null}')).omitted).toEqual([
      { name: 'sign', reason: 'the signature does not sign itself' },
    ]);
  });

  it.each(['""', '0', 'false', '[]', '{}'])('includes the empty value %s', (text) => {
    expect(collectBody(readBody(`{"a":${text}}`)).entries).toHaveLength(1);
  });

  it('includes a null that is inside a value', () => {
    expect(collectBody(readBody('{"a":{"b":null}}')).entries).toEqual([
      { name: 'a', value: '{"b":null}', source: 'business' },
    ]);
  });
});

describe('signBody', () => {
  const generated = {
    api_key: '"api_key":"key-of-credentials"',
    seq_id: '"seq_id":"generated-seq-id"',
    timestamp: '"timestamp":1795132800',
    nonce: '"nonce":"generated!"',
  };

  it('generates missing fields, after the given ones, in whole seconds', () => {
    const { api_key, seq_id, timestamp, nonce } = generated;
    expect(sent('{"z":1,"a":2}')).toBe(`{"z":1,"a":2,${api_key},${seq_id},${timestamp},${nonce}}`);
  });

  it('signs an empty body', () => {
    expect(sent('{}')).toBe(`{${Object.values(generated).join(',')}}`);
  });

  it.each([
    ['api_key', '"mine"'],
    ['seq_id', '"mine"'],
    ['timestamp', '1600000000'],
    ['timestamp', '"1600000000"'],
    ['timestamp', '1.6e9'],
    ['nonce', '"mine"'],
    ['nonce', '""'],
    ['nonce', 'false'],
  ] as const)('keeps %s %s of the body in its place', (name, value) => {
    const { [name]: _, ...rest } = generated;
    expect(sent(`{"a":1,"${name}":${value},"b":2}`)).toBe(
      `{"a":1,"${name}":${value},"b":2,${Object.values(rest).join(',')}}`,
    );
  });

  it.each(['api_key', 'seq_id', 'timestamp', 'nonce'] as const)(
    'generates a null %s and appends it',
    (name) => {
      expect(sent(`{"a":1,"${name}":null,"b":2}`)).toBe(
        `{"a":1,"b":2,${Object.values(generated).join(',')}}`,
      );
    },
  );

  const options = [
    ['api_key', { apiKey: 'given' }, '"given"'],
    ['seq_id', { seqId: 'given' }, '"given"'],
    ['seq_id', { seqId: '' }, '""'],
    ['timestamp', { timestamp: 1700000000 }, '1700000000'],
    ['timestamp', { timestamp: 0 }, '0'],
    ['timestamp', { timestamp: '1700000000' }, '1700000000'],
    ['nonce', { nonce: 'given' }, '"given"'],
  ] as const;

  it.each(options)('replaces %s with the option, in the same place: %o', (name, fields, value) => {
    const { [name]: _, ...rest } = generated;
    for (const own of ['"mine"', '1', 'null']) {
      expect(sent(`{"a":1,"${name}":${own},"b":2}`, fields)).toBe(
        `{"a":1,"${name}":${value},"b":2,${Object.values(rest).join(',')}}`,
      );
    }
  });

  it.each(options)('appends %s given as an option: %o', (name, fields, value) => {
    const all = { ...generated, [name]: `"${name}":${value}` };
    expect(sent('{"a":1}', fields)).toBe(`{"a":1,${Object.values(all).join(',')}}`);
  });

  it('treats undefined options as missing', () => {
    const none = { apiKey: undefined, seqId: undefined, timestamp: undefined, nonce: undefined };
    expect(sent('{}', none)).toBe(sent('{}'));
  });

  it('replaces a signature of the body and puts the new one last', () => {
    const { body, sign, omitted } = signBody('{"sign":"OLD","a":1}', credentials, {}, fakeSource);
    expect(body).toBe(`{"a":1,${Object.values(generated).join(',')},"sign":"${sign}"}`);
    expect(omitted).toEqual([{ name: 'sign', reason: 'the signature does not sign itself' }]);
  });

  it('sends a null business field without signing it', () => {
    const signed = signBody('{"a":null}', credentials, {}, fakeSource);
    expect(signed.body).toContain('"a":null,');
    expect(signed.omitted).toEqual([{ name: 'a', reason: 'null is left out' }]);
    expect(signed.sign).toBe(signBody('{}', credentials, {}, fakeSource).sign);
  });

  it('refuses a timestamp with leading zeros, which JSON cannot hold', () => {
    expect(() => signBody('{}', credentials, { timestamp: '0017' })).toThrow(
      usageError('the timestamp "0017"'),
    );
  });

  it('refuses a timestamp that is not a whole number', () => {
    expect(() => signBody('{}', credentials, { timestamp: 1.5 })).toThrow(
      usageError('the timestamp "1.5" is not a whole number'),
    );
  });

  it.each([
    ['not JSON', '{a=1}', 'the body is not JSON'],
    ['a form', 'a=1', 'the body is a urlencoded form'],
    ['not an object', '[1]', 'not an object'],
    ['a name twice', '{"nonce":"a","nonce":"b"}', 'the field "nonce" occurs twice'],
    ['the signature twice', '{"sign":"a","sign":"b"}', 'the field "sign" occurs twice'],
    ['half a surrogate pair', String.raw`{"a":"\ud800"}`, 'half of a surrogate pair'],
  ])('refuses a body that is or has %s', (_, text, message) => {
    expect(() => signBody(text, credentials)).toThrow(usageError(message));
  });

  it.each([{ apiKey: '\ud800' }, { seqId: '\ud800' }, { nonce: '\ud800' }])(
    'refuses half a surrogate pair in an option: %j',
    (fields) => {
      expect(() => signBody('{}', credentials, fields, fakeSource)).toThrow(
        usageError('half of a surrogate pair'),
      );
    },
  );

  it('supports a source that has state', () => {
    expect(signBody('{}', credentials, {}, new CountingSource()).body).toContain(
      '"seq_id":"1","timestamp":2,"nonce":"3"',
    );
  });

  it('generates the fields from the clock and random numbers by default', () => {
    const { body } = signBody('{}', credentials);
    expect(body).toMatch(
      /^\{"api_key":"key-of-credentials","seq_id":"[0-9a-f-]{36}","timestamp":\d{10},"nonce":"\w{10}",/,
    );
    expect(signBody('{}', credentials).body).not.toBe(body);
  });

  it('does not return the secret', () => {
    const signed = signBody('{"a":1}', credentials, {}, fakeSource);
    expect(JSON.stringify(signed)).not.toContain(credentials.secret);
  });
});
