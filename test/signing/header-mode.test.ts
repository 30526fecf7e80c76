import { describe, expect, it } from 'vitest';
import type { FormField } from '../../src/http/multipart.ts';
import {
  formMembers,
  type Header,
  type HeaderFields,
  signHeaders,
  unsignedFiles,
} from '../../src/signing/header-mode.ts';
import type { FieldSource } from '../../src/signing/request-fields.ts';
import { readBody } from '../../src/signing/value-text.ts';
import { CountingSource, collectHeaders, credentials, fakeSource, usageError } from './helpers.ts';
import { vectors } from './vectors.ts';

const ownSign = { name: 'X-TMS-Sign', reason: 'the signature does not sign itself' };

/** The headers that are sent, in order, without the signature. */
function sent(fields?: HeaderFields, source: FieldSource = fakeSource): Header[] {
  const { headers, sign } = signHeaders('{}', credentials, fields, source);
  const list = Object.entries(headers);
  expect(list.pop()).toEqual(['X-TMS-Sign', sign]);
  return list;
}

describe.each(vectors)('vector $title', (vector) => {
  const { seqId, timestamp, nonce, headerMode } = vector;
  const headerEntries = headerMode.headers.map(([name, value]) => ({
    name,
    value,
    source: 'header',
  }));
  const expected = {
    canonical: headerMode.canonical,
    sign: headerMode.sign,
    headers: { ...Object.fromEntries(headerMode.headers), 'X-TMS-Sign': headerMode.sign },
    body: headerMode.body,
    entries: [...headerEntries, ...headerMode.businessEntries],
    omitted: [ownSign],
  };

  it('collects the entries of its body', () => {
    expect(collectHeaders([], readBody(vector.text))).toEqual({
      entries: headerMode.businessEntries,
      omitted: [ownSign],
    });
  });

  it('collects the entries of its headers', () => {
    expect(collectHeaders(headerMode.headers, []).entries).toEqual(headerEntries);
  });

  it('signs with given fields', () => {
    const fields = { seqId, timestamp, nonce, headers: headerMode.extraHeaders };
    expect(signHeaders(vector.text, vector.credentials, fields, fakeSource)).toEqual(expected);
  });

  it('signs with generated fields', () => {
    const source = { now: () => timestamp * 1000, seqId: () => seqId, nonce: () => nonce };
    const fields = { headers: headerMode.extraHeaders };
    expect(signHeaders(vector.text, vector.credentials, fields, source)).toEqual(expected);
  });
});

describe('the signed fields of a body', () => {
  const members = readBody('{"a":null,"b":"","c":[null]}');
  const rest = [
    { name: 'b', value: '', source: 'business' },
    { name: 'c', value: '[null]', source: 'business' },
  ];

  it.each([
    [undefined, ''],
    ['empty', ''],
    ['text', 'null'],
  ] as const)('signs null as %s: %j', (nullAs, value) => {
    expect(collectHeaders([], members, nullAs)).toEqual({
      entries: [{ name: 'a', value, source: 'business' }, ...rest],
      omitted: [ownSign],
    });
  });

  it('omits null with nullAs omit', () => {
    expect(collectHeaders([], members, 'omit')).toEqual({
      entries: rest,
      omitted: [{ name: 'a', reason: 'null is left out' }, ownSign],
    });
  });

  it('treats the common fields of body mode as business fields', () => {
    expect(collectHeaders([], readBody('{"sign":"S","nonce":"n"}')).entries).toEqual([
      { name: 'sign', value: 'S', source: 'business' },
      { name: 'nonce', value: 'n', source: 'business' },
    ]);
  });
});

describe('a form', () => {
  it('signs text fields, never files', () => {
    const form: FormField[] = [
      { name: 'city', value: ' 杭州\n' },
      { name: 'photo', file: '/tmp/a.jpg' },
      { name: 'empty', value: '' },
    ];
    expect(formMembers(form)).toEqual([
      { name: 'city', value: { kind: 'string', value: ' 杭州\n' } },
      { name: 'empty', value: { kind: 'string', value: '' } },
    ]);
    expect(unsignedFiles(form)).toEqual([
      { name: 'photo', reason: "a file's content is not signed" },
    ]);
    const { entries, omitted } = signHeaders(form, credentials, {}, fakeSource);
    expect(entries.slice(-2).map(({ name }) => name)).toEqual(['city', 'empty']);
    expect(omitted).toEqual([...unsignedFiles(form), ownSign]);
  });

  it.each([
    [
      'two texts',
      [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    ],
    [
      'a text and a file',
      [
        { name: 'a', value: '1' },
        { name: 'a', file: 'f' },
      ],
    ],
  ] satisfies [string, FormField[]][])('refuses a name that occurs twice: %s', (_, form) => {
    expect(() => formMembers(form)).toThrow(usageError('the field "a" occurs twice'));
  });
});

describe('collectHeaders', () => {
  it('includes X-TMS-* headers in any case, unchanged, except the signature', () => {
    const headers: Header[] = [
      ['Content-Type', 'application/json'],
      ['x-tms-nonce', 'n'],
      ['X-TMS-Trace', ''],
      ['x-TMS-SIGN', 'S'],
      ['X-TMS-Sign-Ver', '2.0'],
      ['TMS-Other', '1'],
    ];
    expect(collectHeaders(headers, [])).toEqual({
      entries: [
        { name: 'x-tms-nonce', value: 'n', source: 'header' },
        { name: 'X-TMS-Trace', value: '', source: 'header' },
        { name: 'X-TMS-Sign-Ver', value: '2.0', source: 'header' },
      ],
      omitted: [ownSign],
    });
  });

  it('puts the headers before the fields of the body', () => {
    const field = { name: 'a', value: '1', source: 'business' };
    expect(collectHeaders([['X-TMS-Nonce', 'n']], readBody('{"a":1}'))).toEqual({
      entries: [{ name: 'X-TMS-Nonce', value: 'n', source: 'header' }, field],
      omitted: [ownSign],
    });
  });
});

describe('signHeaders', () => {
  const standard: readonly Header[] = [
    ['X-TMS-Sign-Ver', '2.0'],
    ['X-TMS-Api-Key', 'key-of-credentials'],
    ['X-TMS-Timestamp', '1795132800'],
    ['X-TMS-Seq-Id', 'generated-seq-id'],
    ['X-TMS-Nonce', 'generated!'],
  ];
  /** The standard headers with one of them changed. */
  const withHeader = (name: string, header: Header): Header[] =>
    standard.map((one) => (one[0] === name ? header : one));

  it('generates the standard headers', () => {
    expect(sent()).toEqual(standard);
  });

  it.each([
    ['s', '1795132800'],
    ['ms', '1795132800999'],
    [undefined, '1795132800'],
  ] as const)('generates the timestamp in the unit %s', (timestampUnit, value) => {
    expect(sent({ timestampUnit })).toEqual(
      withHeader('X-TMS-Timestamp', ['X-TMS-Timestamp', value]),
    );
  });

  it.each([
    ['X-TMS-Api-Key', { apiKey: 'given' }, 'given'],
    ['X-TMS-Timestamp', { timestamp: 1700000000 }, '1700000000'],
    ['X-TMS-Timestamp', { timestamp: 1700000000, timestampUnit: 'ms' }, '1700000000'],
    ['X-TMS-Timestamp', { timestamp: '1700000000123' }, '1700000000123'],
    ['X-TMS-Timestamp', { timestamp: 0 }, '0'],
    ['X-TMS-Seq-Id', { seqId: 'given' }, 'given'],
    ['X-TMS-Nonce', { nonce: 'given' }, 'given'],
    ['X-TMS-Nonce', { nonce: '' }, ''],
  ] satisfies [string, HeaderFields, string][])('sends %s as given: %o', (name, fields, value) => {
    expect(sent(fields)).toEqual(withHeader(name, [name, value]));
  });

  it('treats undefined options as missing', () => {
    const none = { apiKey: undefined, seqId: undefined, timestamp: undefined, nonce: undefined };
    expect(sent({ ...none, headers: undefined, nullAs: undefined })).toEqual(standard);
  });

  it('sends and signs no nonce when it is false', () => {
    const signed = signHeaders('{}', credentials, { nonce: false }, fakeSource);
    expect(Object.keys(signed.headers)).not.toContain('X-TMS-Nonce');
    expect(signed.canonical).not.toContain('Nonce');
  });

  it('adds other X-TMS-* headers after the standard ones, in the given case', () => {
    const headers: Header[] = [
      ['x-tms-Trace', 't 1'],
      ['X-TMS-Empty', ''],
    ];
    expect(sent({ headers })).toEqual([...standard, ...headers]);
    expect(signHeaders('{}', credentials, { headers }, fakeSource).canonical).toMatch(
      /^X-TMS-Api-Key=.*&X-TMS-Empty=&.*&x-tms-Trace=t 1$/,
    );
  });

  it.each(standard.map(([name]) => name))(
    'replaces %s with a header of that name in any case',
    (name) => {
      for (const other of [name, name.toLowerCase(), name.toUpperCase()]) {
        const fields = { headers: [[other, 'mine']] as const };
        expect(sent(fields)).toEqual(withHeader(name, [other, 'mine']));
        expect(signHeaders('{}', credentials, fields, fakeSource).canonical).toContain(
          `${other}=mine`,
        );
      }
    },
  );

  it.each([
    ['X-TMS-Api-Key', { apiKey: 'given' }],
    ['X-TMS-Timestamp', { timestamp: 1700000000 }],
    ['X-TMS-Seq-Id', { seqId: 'given' }],
    ['X-TMS-Nonce', { nonce: 'given' }],
  ])('refuses %s as an option and as a header', (name, fields) => {
    const headers = [[name.toLowerCase(), 'mine']] as const;
    expect(() => signHeaders('{}', credentials, { ...fields, headers }, fakeSource)).toThrow(
      usageError(`${name} is given twice: as an option and as a header`),
    );
  });

  it.each([
    ['of the same case', 'X-TMS-Trace', 'X-TMS-Trace'],
    ['of another case', 'X-TMS-Trace', 'x-tms-trace'],
    ['that replace a standard one', 'X-TMS-Nonce', 'x-tms-nonce'],
  ])('refuses two headers of one name %s', (_, one, other) => {
    const headers: Header[] = [
      [one, '1'],
      [other, '2'],
    ];
    expect(() => signHeaders('{}', credentials, { headers }, fakeSource)).toThrow(
      usageError('is given twice'),
    );
  });

  it.each([
    ['Content-Type', 'application/json', 'the header Content-Type is not part of the signature'],
    ['XTMS-A', '1', 'the header XTMS-A is not part of the signature'],
    ['', '1', 'is not part of the signature'],
    ['X-TMS-Sign', 'S', 'X-TMS-Sign is computed and cannot be given'],
    ['x-tms-SIGN', 'S', 'X-TMS-Sign is computed and cannot be given'],
    ['X-TMS-A B', '1', 'the header name "X-TMS-A B" cannot be sent'],
    ['X-TMS-A:', '1', 'cannot be sent'],
    ['X-TMS-é', '1', 'cannot be sent'],
    ['X-TMS-A\r\nB', '1', 'cannot be sent'],
    ['X-TMS-A', ' 1', 'cannot be sent'],
    ['X-TMS-A', '1\t', 'cannot be sent'],
    ['X-TMS-A', ' ', 'cannot be sent'],
    ['X-TMS-A', '1\n', 'cannot be sent'],
    ['X-TMS-A', '1\r\nX-TMS-B: 2', 'cannot be sent'],
    ['X-TMS-A', '杭', 'cannot be sent'],
    ['X-TMS-A', '\u007f', 'cannot be sent'],
  ])('refuses the header %j with %j', (name, value, message) => {
    const headers = [[name, value]] as const;
    expect(() => signHeaders('{}', credentials, { headers }, fakeSource)).toThrow(
      usageError(message),
    );
  });

  it.each(['a', 'a b', 'a\tb', '~!"\\', ''])('accepts the header value %j', (value) => {
    const header: Header = ['X-TMS-A', value];
    expect(sent({ headers: [header] })).toContainEqual(header);
  });

  it.each([
    ['X-TMS-Api-Key', { apiKey: 'clé' }],
    ['X-TMS-Seq-Id', { seqId: ' 1' }],
    ['X-TMS-Nonce', { nonce: '1\n2' }],
  ])('refuses an option that is not valid in %s', (name, fields) => {
    expect(() => signHeaders('{}', credentials, fields, fakeSource)).toThrow(
      usageError(`the header "${name}" cannot be sent`),
    );
  });

  it('refuses credentials whose api key is not valid in a header', () => {
    expect(() => signHeaders('{}', { ...credentials, apiKey: 'key\n' })).toThrow(
      usageError('the header "X-TMS-Api-Key" cannot be sent'),
    );
  });

  it('refuses a timestamp that is not a whole number', () => {
    expect(() => signHeaders('{}', credentials, { timestamp: '1e9' })).toThrow(
      usageError('the timestamp "1e9" is not a whole number'),
    );
  });

  it.each([
    ['a standard header', '{"X-TMS-Nonce":"n"}', [], 'X-TMS-Nonce'],
    ['a null field and a header', '{"X-TMS-Nonce":null}', [], 'X-TMS-Nonce'],
    ['an added header', '{"a":1,"x-tms-Trace":1}', [['x-tms-Trace', 't']], 'x-tms-Trace'],
    ['a form field', [{ name: 'X-TMS-Seq-Id', value: '1' }], [], 'X-TMS-Seq-Id'],
  ] satisfies [string, string | FormField[], Header[], string][])(
    'refuses a body name equal to a signed header: %s',
    (_, body, headers, name) => {
      expect(() => signHeaders(body, credentials, { headers }, fakeSource)).toThrow(
        usageError(`the body has a field named like the signed header ${name}`),
      );
    },
  );

  it.each([
    ['another case', '{"x-tms-nonce":"n"}', {}],
    ['a header that is not sent', '{"X-TMS-Nonce":"n"}', { nonce: false }],
    ['a field that is not signed', [{ name: 'X-TMS-Nonce', file: 'f' }], {}],
  ] satisfies [string, string | FormField[], HeaderFields][])(
    'accepts a body name like a header: %s',
    (_, body, fields) => {
      expect(() => signHeaders(body, credentials, fields, fakeSource)).not.toThrow();
    },
  );

  it.each([
    ['not JSON', '{a=1}', 'the body is not JSON'],
    ['a form', 'a=1', 'the body is a urlencoded form'],
    ['not an object', '[1]', 'not an object'],
    ['a name twice', '{"a":1,"a":1}', 'the field "a" occurs twice'],
    ['half a surrogate pair', String.raw`{"a":"\ud800"}`, 'half of a surrogate pair'],
  ])('refuses a body that is or has %s', (_, text, message) => {
    expect(() => signHeaders(text, credentials)).toThrow(usageError(message));
  });

  it('refuses half a surrogate pair in a form as in a body', () => {
    expect(() => signHeaders([{ name: 'a', value: '\ud800' }], credentials)).toThrow(
      usageError('half of a surrogate pair'),
    );
  });

  it.each([
    ['empty', '&a=&b=1'],
    ['text', '&a=null&b=1'],
    ['omit', '&b=1'],
  ] as const)('signs null as %s and sends it as null', (nullAs, end) => {
    const text = '{"b":1,"a":null}';
    const { canonical, body } = signHeaders(text, credentials, { nullAs }, fakeSource);
    expect(canonical).toBe(
      'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Seq-Id=generated-seq-id' +
        `&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1795132800${end}`,
    );
    expect(body).toBe(text);
  });

  it('adds nothing to the body', () => {
    expect(signHeaders('{ "a": 1 }', credentials).body).toBe('{"a":1}');
    expect(signHeaders('{}', credentials).body).toBe('{}');
  });

  it('signs a multipart form like JSON with the same texts, and returns no body', () => {
    const form: FormField[] = [
      { name: 'b', value: '1.0' },
      { name: 'photo', file: '/tmp/a.jpg' },
      { name: 'a', value: '' },
    ];
    const signed = signHeaders(form, credentials, {}, fakeSource);
    expect(signed.sign).toBe(signHeaders('{"a":"","b":1.0}', credentials, {}, fakeSource).sign);
    expect(signed.body).toBeNull();
    expect(signed.omitted).toEqual([
      { name: 'photo', reason: "a file's content is not signed" },
      ownSign,
    ]);
  });

  it('supports a source that has state', () => {
    expect(sent({}, new CountingSource()).slice(2)).toEqual([
      ['X-TMS-Timestamp', '1'],
      ['X-TMS-Seq-Id', '2'],
      ['X-TMS-Nonce', '3'],
    ]);
  });

  it('generates the fields from the clock and random numbers by default', () => {
    const { headers } = signHeaders('{}', credentials);
    expect(headers).toMatchObject({
      'X-TMS-Timestamp': expect.stringMatching(/^\d{10}$/),
      'X-TMS-Seq-Id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'X-TMS-Nonce': expect.stringMatching(/^\w{10}$/),
    });
    expect(signHeaders('{}', credentials).headers).not.toEqual(headers);
  });

  it('does not return the secret', () => {
    const signed = signHeaders('{"a":1}', credentials, {}, fakeSource);
    expect(JSON.stringify(signed)).not.toContain(credentials.secret);
  });
});
