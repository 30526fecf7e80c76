import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Readings } from '../../../src/protocol/readings.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import { CATALOGUE } from '../../../src/signing/diagnosis/catalogue.ts';
import { DIAGNOSIS_IDS } from '../../../src/signing/diagnosis/mistake.ts';
import { explainSignature } from '../../../src/signing/explain.ts';
import { type Header, signHeaders } from '../../../src/signing/header-mode.ts';
import { capitalizedName } from '../../../src/signing/header-name.ts';
import type { ReceivedRequest } from '../../../src/signing/received-request.ts';
import { examineSignature, verifySignature } from '../../../src/signing/verification/verify.ts';
import { CHARACTER } from '../../support/character.ts';
import { credentials, fakeSource, usageError } from '../helpers.ts';

const { secret } = credentials;
const NOW = 1_795_132_800;

/** A body that carries the right signature. */
function signedBody(body: object): string {
  return signBody(JSON.stringify(body), credentials, {}, fakeSource).body;
}

function signedHeaders(body: object, headers?: readonly Header[]): ReceivedRequest {
  const signed = signHeaders(JSON.stringify(body), credentials, { headers }, fakeSource);
  return { body: signed.body ?? '', headers: Object.entries(signed.headers) };
}

/** The same body with the signature of another string. */
function withSignatureOf(body: string, message: string): string {
  const { sign } = JSON.parse(body) as { sign: string };
  return body.replace(sign, md5(message));
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex').toUpperCase();
}

function verify(request: ReceivedRequest, readings?: Readings) {
  return verifySignature(request, secret, { now: NOW, readings });
}

describe('a right signature', () => {
  it('is valid in body mode', () => {
    const body = signedBody({ b: 'x y', a: [1.5, null], none: null, empty: '' });
    expect(verify({ body })).toMatchObject({
      valid: true,
      mode: 'body',
      received: JSON.parse(body).sign,
      expected: JSON.parse(body).sign,
      diagnosis: [],
      candidates: 1,
      warnings: [],
    });
  });

  it('is valid in header mode, additional headers included', () => {
    const request = signedHeaders({ a: null, b: '' }, [['X-TMS-Trace', '1']]);
    const { valid, mode, canonical, warnings } = verify(request);
    expect({ valid, mode }).toEqual({ valid: true, mode: 'header' });
    expect(canonical).toContain('X-TMS-Trace=1&a=&b=');
    expect(warnings).toEqual([expect.stringContaining('the reading null-in-header=empty;')]);
  });

  it('is valid for a multipart form, whose files are not signed', () => {
    const form = [
      { name: 'b', value: 'x' },
      { name: 'file', file: 'a.png', content: Uint8Array.of(0, 255) },
    ];
    const { headers } = signHeaders(form, credentials, {}, fakeSource);
    expect(verify({ body: form, headers: Object.entries(headers) }).valid).toBe(true);
  });

  it('is explained stage by stage', () => {
    const body = signedBody({ b: 1, none: null });
    const { sign } = JSON.parse(body) as { sign: string };
    expect(explainSignature({ body }, secret)).toMatchObject({
      mode: 'body',
      entries: expect.arrayContaining([{ name: 'b', value: '1', source: 'business' }]),
      omitted: [
        { name: 'none', reason: 'null is left out' },
        { name: 'sign', reason: 'the signature does not sign itself' },
      ],
      signature: sign,
    });
  });
});

describe('the search', () => {
  it('starts from the right signature for any request', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: CHARACTER }).filter((text) => text.isWellFormed()),
    );
    const fields = fc.dictionary(
      fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('sign', 'nonce', 'A', 'a', '_', '10')),
      value,
      { maxKeys: 8 },
    );
    fc.assert(
      fc.property(fields, fc.boolean(), (body, inHeaders) => {
        const text = JSON.stringify(body);
        fc.pre(text.isWellFormed());
        const request = inHeaders ? signedHeaders(body) : { body: signedBody(body) };
        const { verdict, signer } = examineSignature(request, secret, { now: NOW });
        expect(verdict.valid).toBe(true);
        expect(signer?.canonical).toBe(verdict.canonical);
        expect(signer?.signature).toBe(verdict.expected);
      }),
      { seed: 20261121, numRuns: 30 },
    );
  });

  it('has exactly one mistake for each id of the contract', () => {
    // A wrong version is not a mistake of the signer.
    const ids = [
      ...Object.values(CATALOGUE)
        .flat()
        .map(({ id }) => id),
      'version',
    ];
    expect(ids.sort()).toEqual([...DIAGNOSIS_IDS].sort());
  });

  it('prefers one mistake to two', () => {
    const body = signedBody({ a: '', b: 'x' });
    const { canonical } = verify({ body });
    const wrong = withSignatureOf(body, canonical.replace('a=&', '') + secret);
    expect(verify({ body: wrong }).diagnosis).toEqual([
      {
        id: 'empty-dropped',
        title: 'fields with an empty value were left out',
        fields: ['a'],
        fix: expect.stringMatching(/: a=$/),
      },
    ]);
  });

  it('reports one of several mistakes with the same result, and lists the others', () => {
    const body = signedBody({ a: '' });
    const { canonical } = verify({ body });
    const wrong = withSignatureOf(body, canonical.replace('a=&', '') + secret);
    const { diagnosis, alternatives } = verify({ body: wrong });
    expect(diagnosis.map(({ id }) => id)).toEqual(['empty-dropped']);
    expect(alternatives).toEqual(['field-missing']);
  });

  it('finds sets of unsigned fields, and reports headers separately', () => {
    const request = signedHeaders({ a: '1', b: '2', c: '3', d: '4' });
    const { canonical } = verify(request);
    const signed = canonical.replace(/&?X-TMS-Nonce=[^&]*|&[abc]=\d/g, '');
    const headers = (request.headers ?? []).map(
      ([name, value]): Header => [name, name === 'X-TMS-Sign' ? md5(signed + secret) : value],
    );
    const { diagnosis } = verify({ ...request, headers });
    expect(diagnosis.map(({ id, fields }) => [id, fields])).toEqual([
      ['field-missing', ['a', 'b', 'c']],
      ['header-unsigned', ['X-TMS-Nonce']],
    ]);
  });

  it('finds a few signed fields among many', () => {
    const names = Array.from({ length: 20 }, (_, index) => `field_${index + 10}`);
    const body = signedBody(Object.fromEntries(names.map((name) => [name, name])));
    const wrong = withSignatureOf(body, `field_11=field_11&field_12=field_12${secret}`);
    const { diagnosis } = verify({ body: wrong });
    expect(diagnosis.map(({ id }) => id)).toEqual(['field-missing']);
    expect(diagnosis[0]?.fields).toHaveLength(22);
    expect(diagnosis[0]?.fields).not.toContain('field_11');
  });

  it('finds a third mistake besides two of json.dumps', () => {
    const body = signedBody({ o: { k: '中', n: [1, 2] } });
    const { canonical } = verify({ body });
    const dumped = canonical.replace('{"k":"中","n":[1,2]}', '{"k": "\\u4e2d", "n": [1, 2]}');
    const { diagnosis } = verify({ body: withSignatureOf(body, `${dumped}&key=${secret}`) });
    expect(diagnosis.map(({ id }) => id)).toEqual([
      'secret-joined',
      'nested-spacing',
      'nested-escaped-unicode',
    ]);
  });

  it.each([
    [
      'f"{k}={v}" of Python',
      "flag=True&list=[{'n': '湖'}, 1.5]&n=2.5&nonce=generated!&none=None",
      ['null-included', 'number-reformatted', 'boolean-reformatted', 'nested-flattened'],
    ],
    [
      'the same with json.dumps for lists, null left out',
      'flag=True&list=[{"n": "\\u6e56"}, 1.5]&n=2.5&nonce=generated!',
      ['number-reformatted', 'boolean-reformatted', 'nested-spacing', 'nested-escaped-unicode'],
    ],
    [
      '"$k=$v" of PHP with json_encode for lists',
      'flag=1&list=[{"n":"\\u6e56"},1.5]&n=2.5&nonce=generated!',
      ['number-reformatted', 'boolean-reformatted', 'nested-escaped-unicode'],
    ],
    [
      'http_build_query of PHP',
      'flag=1&list%5B0%5D%5Bn%5D=%E6%B9%96&list%5B1%5D=1.5&n=2.5&nonce=generated%21',
      ['value-url-encoded', 'number-reformatted', 'boolean-reformatted', 'nested-flattened'],
    ],
    [
      '%v of Go',
      'flag=true&list=[map[n:湖] 1.5]&n=2.5&nonce=generated!&none=<nil>',
      ['null-included', 'number-reformatted', 'nested-flattened'],
    ],
    [
      'String(v) of JavaScript',
      'flag=true&list=[object Object],1.5&n=2.5&nonce=generated!&none=null',
      ['null-included', 'number-reformatted', 'nested-flattened'],
    ],
  ])('names every mistake of %s', (how, fields, ids) => {
    const json = '{"flag":true,"list":[{"n":"湖"},1.50],"n":2.50,"none":null}';
    const { body } = signBody(json, credentials, {}, fakeSource);
    const time = how === '%v of Go' ? '1.7951328e+09' : '1795132800';
    const signed = `api_key=key-of-credentials&${fields}&seq_id=generated-seq-id&timestamp=${time}`;
    const { diagnosis } = verify({ body: withSignatureOf(body, signed + secret) });
    expect(diagnosis.map(({ id }) => id)).toEqual(ids);
  });

  it('includes the mistakes that the signature itself shows', () => {
    const body = signedBody({ a: '', b: 'x y' });
    const { sign } = JSON.parse(body) as { sign: string };
    const { canonical } = verify({ body });
    const sha1 = createHash('sha1')
      .update(`${canonical.replace('a=&', '').replace('x y', 'x%20y')}${secret}`)
      .digest('hex');
    const { diagnosis } = verify({ body: body.replace(sign, sha1) });
    expect(diagnosis.map(({ id }) => id)).toEqual([
      'empty-dropped',
      'hex-lowercase',
      'digest-other',
      'value-url-encoded',
    ]);
  });

  it.each([
    ['sha256', 'base64', 'digest-other'],
    ['md5', 'base64', 'digest-other'],
    ['sha1', 'hex', 'digest-other'],
  ] as const)('finds an HMAC-%s in %s', (name, form, id) => {
    const body = signedBody({ a: '1' });
    const { sign } = JSON.parse(body) as { sign: string };
    const mac = createHmac(name, secret).update(verify({ body }).canonical).digest(form);
    const { diagnosis } = verify({
      body: body.replace(sign, form === 'hex' ? mac.toUpperCase() : mac),
    });
    expect(diagnosis).toMatchObject([{ id, title: expect.stringContaining('HMAC') }]);
  });

  it.each(['x'.repeat(32), 'ABC!', 'F'.repeat(33), '签名'])(
    'tries nothing for %s, which is not a digest',
    (sign) => {
      const body = JSON.stringify({ ...JSON.parse(signedBody({ a: '1' })), sign });
      expect(verify({ body })).toMatchObject({ valid: false, diagnosis: [], candidates: 0 });
    },
  );

  it('also tries the secrets of other accounts', () => {
    const body = signedBody({ a: '1' });
    const secrets = [
      { name: 'mine', secret: 'other' },
      { name: 'theirs', secret },
    ];
    expect(verifySignature({ body }, secrets).diagnosis).toMatchObject([
      { id: 'secret-other-profile', title: expect.stringContaining('theirs'), fields: [] },
    ]);
  });
});

it('diagnoses a mistake in the secret of a large request', () => {
  const body = signedBody({ text: 'x'.repeat(1_000_000) });
  const { canonical } = verify({ body });
  const { diagnosis } = verify({ body: withSignatureOf(body, `${canonical}&key=${secret}`) });
  expect(diagnosis.map(({ id }) => id)).toEqual(['secret-joined']);
});

describe('the clock', () => {
  const clockOf = (request: ReceivedRequest, now: number, maxSkewSeconds?: number) =>
    verifySignature(request, secret, { now, maxSkewSeconds });
  const body = signedBody({});

  it('may differ by one minute from the timestamp', () => {
    expect(clockOf({ body }, NOW - 60)).toMatchObject({
      clock: { timestamp: NOW, now: NOW - 60, skewSeconds: 60, withinLimit: true },
      warnings: [],
    });
    expect(clockOf({ body }, NOW + 61)).toMatchObject({
      valid: true,
      clock: { skewSeconds: -61, withinLimit: false },
      warnings: [expect.stringContaining('61 s behind the clock')],
    });
  });

  it.each([
    [NOW + 60, undefined],
    [NOW - 61, '61 s ahead of the time of sending; '],
    [NOW + 8 * 3600, '(8 hours behind: a time in UTC was read as a local time of UTC+8); '],
    [NOW - 5 * 3600 + 30, '(5 hours ahead: a local time of UTC+5 was read as UTC); '],
    [NOW + 15 * 3600, '54000 s behind the time of sending; '],
  ])('refuses a timestamp if the time of sending was %i', (sentAt, reason) => {
    const { valid, refused, warnings } = verifySignature({ body }, secret, { sentAt, now: NOW });
    expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
    if (reason === undefined) expect(refused).toBeUndefined();
    else expect(refused?.reason).toContain(reason);
    const wrong = verifySignature({ body: withSignatureOf(body, 'x') }, secret, {
      sentAt,
      effort: 0,
    });
    expect(wrong.refused).toBeUndefined();
    expect(wrong.warnings).toEqual(refused ? [refused.reason] : []);
  });

  it('may have another limit', () => {
    expect(clockOf({ body }, NOW + 61, 100).clock.withinLimit).toBe(true);
  });

  it('is compared in seconds when the timestamp is in milliseconds', () => {
    const timestamp = String(NOW * 1000 + 999);
    const { body, headers } = signHeaders('{}', credentials, { timestamp }, fakeSource);
    const request = { body: body ?? '', headers: Object.entries(headers) };
    expect(clockOf(request, NOW + 5)).toMatchObject({
      clock: { timestamp: NOW, skewSeconds: -5 },
      warnings: [],
    });
  });

  it('is unknown without a timestamp', () => {
    const body = `{"a":"1","sign":"${md5(`a=1${secret}`)}"}`;
    const { valid, clock, warnings } = clockOf({ body }, NOW);
    expect(valid).toBe(true);
    expect(clock).toEqual({ timestamp: null, now: NOW, skewSeconds: null, withinLimit: null });
    expect(warnings).toContain('the request has no numeric timestamp');
    expect(warnings).toContain('api_key is missing; every request needs it');
  });
});

describe('header names', () => {
  const request = signedHeaders({ a: '1' }, [['X-TMS-Trace-Id', '7']]);

  /** The request with names in another case, signed in that case or in the documented one. */
  function spelled(change: (name: string) => string, isSignedSo = false): ReceivedRequest {
    const headers = (request.headers ?? []).map(([name, value]): Header => [change(name), value]);
    if (!isSignedSo) return { ...request, headers };
    const { signature } = explainSignature({ ...request, headers }, secret, AS_SENT);
    const sign = change('X-TMS-Sign');
    return {
      ...request,
      headers: headers.map(([name, value]) => [name, name === sign ? signature : value]),
    };
  }

  const AS_SENT: Readings = { 'header-names': 'as-sent' };
  const DOCUMENTED: Readings = { 'header-names': 'documented' };
  const lower = (name: string): string => name.toLowerCase();

  it.each<[sender: string, (name: string) => string, nonce: string]>([
    ['an HTTP/2 proxy', lower, 'x-tms-nonce'],
    ['Go or Ruby', capitalizedName, 'X-Tms-Nonce'],
  ])('are read as documented when %s changed their case', (_, change, nonce) => {
    for (const readings of [undefined, DOCUMENTED]) {
      const { valid, warnings, canonical } = verify(spelled(change), readings);
      expect(valid).toBe(true);
      expect(canonical).toContain('X-TMS-Nonce=');
      expect(warnings).toEqual([expect.stringContaining(`${nonce} as X-TMS-Nonce`)]);
    }
    const { diagnosis } = verify(spelled(change), AS_SENT);
    expect(diagnosis).toMatchObject([
      { id: 'header-name-case', title: expect.stringContaining('documents') },
    ]);
  });

  it.each<[title: string, (name: string) => string]>([
    ['in lower case', lower],
    ['as Go spells them', capitalizedName],
    ['in the case in which they arrived', (name) => name.replace('X-TMS', 'x-tms')],
  ])('that are sent and signed %s are right under one reading', (title, change) => {
    const sent = spelled(change, true);
    const { valid, warnings } = verify(sent);
    expect(valid).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('header-names=as-sent')]);
    expect(verify(sent, AS_SENT)).toMatchObject({ valid: true, warnings: [] });
    const { diagnosis } = verify(sent, DOCUMENTED);
    expect(diagnosis).toMatchObject([
      {
        id: 'header-name-case',
        title: expect.stringContaining(title),
        fix: expect.stringContaining('as the documents spell them'),
      },
    ]);
  });

  it.each(['X-TMS-Request-Id', 'X-TMS-Request-ID', 'X-TMS-REQUEST-ID'])(
    'that the documents do not list may be signed as %s',
    (name) => {
      const { body, headers = [] } = signedHeaders({ a: '1' }, [[name, '7']]);
      for (const change of [lower, capitalizedName]) {
        const lost = headers.map(([name, value]): Header => [change(name), value]);
        expect(verify({ body, headers: lost }).valid).toBe(true);
      }
    },
  );
});

describe('other reasons for a refusal', () => {
  it.each([
    [
      'a nonce of another length',
      signedBody({ nonce: 'short' }),
      'the nonce has 5 characters, not 10',
    ],
    [
      'milliseconds in body mode',
      signedBody({ timestamp: NOW * 1000 }),
      'milliseconds; body mode takes seconds: code 1055 is likely',
    ],
  ])('%s', (_, body, warning) => {
    const { valid, warnings } = verify({ body });
    expect(valid).toBe(true);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ['api_key', 'apiKey'],
    ['seq_id', 'SeqID'],
    ['timestamp', 'time_stamp'],
  ])('%s under the name %s', (name, used) => {
    const fields = JSON.parse(signedBody({})) as Record<string, unknown>;
    const renamed = { ...fields, [used]: fields[name], [name]: undefined };
    const { warnings } = verify({ body: JSON.stringify(renamed) });
    expect(warnings).toContain(`${name} is missing, but ${used} was sent; every request needs it`);
  });

  it.each([
    ['a text', (text: string) => text],
    ['a text in nested JSON', (text: string) => ({ a: ['x', { [text]: 1 }] })],
  ])('%s that the capture may have misread', (_, within) => {
    const misread = within(Buffer.from('杭州').toString('latin1'));
    const { valid, warnings } = verify({ body: signedBody({ city: misread }) });
    expect(valid).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('UTF-8 that was read as Latin-1')]);
    expect(verify({ body: signedBody({ city: within('Zoë') }) }).warnings).toEqual([]);
  });
});

describe('a request that the platform refuses with any signature', () => {
  const { headers = [], body } = signedHeaders({ a: '1' });
  const NAME = 'X-TMS-Sign-Ver';
  const version = {
    id: 'version',
    fields: [NAME],
    fix: expect.stringContaining(`${NAME}: 2.0`),
  };

  /** Signed with the version that is sent. */
  function withVersion(value: string | undefined): ReceivedRequest {
    const sent = headers.flatMap(([name, old]): Header[] =>
      name === NAME ? (value === undefined ? [] : [[name, value]]) : [[name, old]],
    );
    const { signature } = explainSignature({ body, headers: sent }, secret);
    return {
      body,
      headers: sent.map(([name, old]) => [name, name === 'X-TMS-Sign' ? signature : old]),
    };
  }

  it.each([
    [undefined, 'X-TMS-Sign-Ver is missing'],
    ['2', 'X-TMS-Sign-Ver is not 2.0'],
    ['1.0', 'X-TMS-Sign-Ver is not 2.0'],
  ])('the version %s, with a right signature', (value, title) => {
    const verdict = verify(withVersion(value));
    expect(verdict).toMatchObject({ valid: false, diagnosis: [{ ...version, title }] });
    expect(verdict.received).toBe(verdict.expected);
  });

  it('a wrong version besides a wrong signature', () => {
    const sent = headers.filter(([name]) => name !== NAME);
    expect(verify({ body, headers: sent }).diagnosis).toMatchObject([version]);
    const lost = sent.map(([name, value]): Header => [name, name === 'X-TMS-Sign' ? '0' : value]);
    expect(verify({ body, headers: lost })).toMatchObject({ valid: false, diagnosis: [version] });
  });

  it('a version that was signed as 2.0 and sent in another form: one fix', () => {
    const sent = headers.map(([name, value]): Header => [name, name === NAME ? '2' : value]);
    const { diagnosis, candidates } = verify({ body, headers: sent });
    expect(diagnosis).toMatchObject([version]);
    expect(candidates).toBeGreaterThan(1);
    const lower = sent.map(
      ([name, value]): Header => [name, name === 'X-TMS-Sign' ? value.toLowerCase() : value],
    );
    expect(verify({ body, headers: lower }).diagnosis).toMatchObject([
      { id: 'hex-lowercase' },
      version,
    ]);
  });

  it.each([
    ['body', '/api/open', { body: signedBody({}) }],
    ['header', '/open/v1', { body, headers }],
  ] as const)('the mode %s at %s', (mode, prefix, request) => {
    const url = `https://platform.example${prefix}/trade/bill`;
    expect(verify({ ...request, url })).toMatchObject({
      valid: false,
      diagnosis: [{ id: 'wrong-scheme', title: expect.stringContaining(`of ${mode} mode`) }],
    });
    const own = mode === 'body' ? '/open/v1' : '/api/open';
    const proxied = `https://platform.example${prefix}/x${own}/trade/bill`;
    expect(verify({ ...request, url: proxied }).valid).toBe(true);
  });
});

describe('bad input', () => {
  it.each([
    ['no signature', '{"a":"1"}', 'carries no signature'],
    ['a signature that is null', '{"sign":null}', 'is null'],
    ['an empty signature', '{"sign":""}', 'is empty'],
    ['a signature that is a number', '{"sign":12}', 'is a number'],
    ['a body that is not an object', '[1]', 'not an object'],
    ['a name that occurs twice', '{"a":1,"a":2,"sign":"x"}', 'occurs twice'],
  ])('%s is a usage error', (_, body, message) => {
    expect(() => verify({ body })).toThrow(usageError(message));
  });

  it('a header that was sent twice is a usage error', () => {
    const headers: Header[] = [
      ['X-TMS-Sign', 'A'],
      ['x-tms-sign', 'B'],
    ];
    expect(() => verify({ body: '{}', headers })).toThrow(
      usageError('the request has the same header twice: X-TMS-Sign and x-tms-sign'),
    );
  });

  it('a field named like a signed header is a usage error', () => {
    const headers: Header[] = [
      ['X-TMS-Sign', 'A'],
      ['X-TMS-Nonce', 'B'],
    ];
    expect(() => verify({ body: '{"X-TMS-Nonce":"1"}', headers })).toThrow(
      usageError('named like the signed header'),
    );
  });

  it('a missing secret is a usage error', () => {
    expect(() => verifySignature({ body: signedBody({}) }, [])).toThrow(usageError('no secret'));
  });
});
