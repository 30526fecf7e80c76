import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalLines,
  canonicalWithoutRequest,
  pastedCanonical,
  signedCanonical,
} from '../../../src/signing/capture/pasted-canonical.ts';

describe('pastedCanonical', () => {
  const ours = 'a=1&b=x y';
  const paste = (pasted: string, right = ours): string =>
    pastedCanonical(pasted, right, ['s3cret', '']);

  it.each([
    ['unchanged', 'a=1&b=x y', 'a=1&b=x y'],
    ['a line end after it', 'a=1&b=x y\r\n', 'a=1&b=x y'],
    ['white space around it', '  a=2&b=x y \n', 'a=2&b=x y'],
    ['brackets', '[a=2&b=x y]', 'a=2&b=x y'],
    ['double quotes', '"a=2&b=x y"\n', 'a=2&b=x y'],
    ['single quotes', "'a=2&b=x y'", 'a=2&b=x y'],
    ['HTML entities', 'a=2&amp;b=x y', 'a=2&b=x y'],
    ['the secret after it', 'a=2&b=x ys3cret', 'a=2&b=x y'],
    ['all of these', ' [a=2&amp;b=x ys3cret]\n', 'a=2&b=x y'],
    ['asterisks for the secret', 'a=2&b=x y******', 'a=2&b=x y'],
    ['a placeholder for the secret', 'a=2&b=x y<secret: 32 characters>', 'a=2&b=x y'],
    ['another placeholder', 'a=2&b=x y[redacted]', 'a=2&b=x y'],
    ['a secret after a separator and a name', 'a=2&b=x y&key=s3cret', 'a=2&b=x y&key='],
    ['nothing', '', ''],
    ['one bracket', '[a=2', 'a=2'],
  ])('removes %s', (_, pasted, expected) => {
    expect(paste(pasted)).toBe(expected);
  });

  it.each([
    ['an entity', 'a=1&b=x&amp;y', 'a=2&b=x&amp;y'],
    ['asterisks at its end', 'a=1&phone=138****', 'a=2&phone=138****'],
    ['asterisks at its end, in the same string', 'phone=138****', 'phone=138****'],
    ['a space at its end', 'a=1&b=x ', 'a=1&b=x '],
    ['a space at its end, before a line end', 'a=1&b=x ', 'a=1&b=x \n'],
  ])('keeps parts of the right string: %s', (_, right, pasted) => {
    expect(paste(pasted, right)).toBe(pasted.replace(/\n$/, ''));
  });
});

describe('a log line', () => {
  const ours =
    'api_key=sandbox&city=杭州&nonce=abcdefghij&remark=a b&seq_id=9b2f-1&stops=[{"n":"西湖","lat":30.1}]&timestamp=1795251041';
  const theirs = ours.replace('30.1', '30.10');
  const json = JSON.stringify(theirs);
  const escaped = json.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const python = escaped.slice(1, -1).replaceAll('\\"', '"');
  const bytes = [...Buffer.from(theirs)]
    .map((byte) => (byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join('');
  const html = theirs
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&#34;')
    .replaceAll('西', '&#x897f;');

  it.each<[string, string]>([
    [
      'with time and level',
      `2026-11-22 10:00:00,123 DEBUG [main] c.e.Signer - string to sign: ${theirs}`,
    ],
    ['with a label', `src1=[${theirs}]`],
    ['with a label and no brackets', `string to sign=${theirs}`],
    ['with a length after it', `canonical: [${theirs}] (302 chars)`],
    ['with a bare length after it', `canonical: ${theirs} len=302`],
    [
      'with fields of the logger on both sides',
      `level=debug ts=1 msg=sign src1=${theirs} caller=sign.go:12`,
    ],
    ['with another member of a Java object', `Sign(src1=${theirs}, secret=xx)`],
    ['between the bars of a table', `| ${theirs} |`],
    ['with brackets of the logger after it', `src1=[${theirs}] [main] [trace=1]`],
    ['with a common field of the logger', `[timestamp=1795251041] src1=${theirs}`],
    ['in colours', `\u001b[32mDEBUG\u001b[0m string to sign: \u001b[1m${theirs}\u001b[0m`],
    ['in JSON', JSON.stringify({ level: 'debug', msg: `string to sign: ${theirs}`, n: 1 })],
    ['in JSON, as a member', `app_1 | ${JSON.stringify({ a: '{', src1: theirs })}`],
    [
      'in JSON in JSON',
      JSON.stringify({ log: `${JSON.stringify({ msg: theirs })}\n`, stream: 'stdout' }),
    ],
    ['quoted by Go (%q)', `time=now msg="string to sign" src=${json}`],
    ['quoted in ASCII', `src=${escaped}`],
    ['quoted by Python', `DEBUG:sign:'${python}'`],
    ['as bytes of Python', `send: b'${bytes}'`],
    ['in backquotes', `toSign \`${theirs}\``],
    ['in HTML', `<td>${html}</td>`],
    ['in a URL', `src1=${encodeURIComponent(theirs)}`],
    ['as Go escapes HTML in JSON', theirs.replaceAll('&', '\\u0026').replaceAll('"', '\\"')],
    ['with the secret', `src2=[${theirs}s3cret] (302 chars)`],
    ['with the secret and a length', `src2: ${theirs}s3cret len=12`],
    ['with the secret hidden', `src2: "${theirs}******"`],
    [
      'among others',
      `GET /open/v1?api_key=sandbox\nDEBUG city=杭州 nonce=abcdefghij\nsrc1=${theirs}\nsign=0123\n`,
    ],
    [
      'after that of another request',
      `src1=${theirs.replace('9b2f-1', 'other').replace('abcdefghij', 'klmnopqrst')}\nsrc1=${theirs}\n`,
    ],
  ])('is read %s', (_, line) => {
    expect(pastedCanonical(line, ours, ['s3cret'])).toBe(theirs);
  });

  it.each<[string, string]>([
    ['values that the signer URL-encoded', ours.replace('杭州', '%E6%9D%AD%E5%B7%9E')],
    ['escapes of nested JSON', ours.replace('西湖', '\\u897f\\u6e56')],
    ['a nested value at its end', ours.replace('1795251041', '[1, 2]')],
    ['names in upper case', ours.replaceAll(/\w+(?==)/g, (name) => name.toUpperCase())],
    ['a field in front', `access=1&${ours}`],
    ['lines instead of &', ours.replaceAll('&', '\n')],
    ['no separators', ours.replaceAll('&', '')],
    ['values alone', ours.replaceAll(/\w+=|&/g, '')],
  ])('keeps %s', (_, signed) => {
    for (const line of [signed, `[${signed}]\n`, `src1=[${signed}] (302 chars)`]) {
      expect(pastedCanonical(line, ours, ['s3cret'])).toBe(signed);
    }
  });

  it('is read as the text that gives the signature, even if other texts are more similar', () => {
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    for (const signed of [
      `/open/v1/x?${ours}`,
      encodeURIComponent(ours),
      `"${ours}"`,
      `${ours} `,
    ]) {
      const isSigned = (text: string): boolean => md5(`${text}s3cret`) === md5(`${signed}s3cret`);
      expect(signedCanonical(`${signed}\n`, ours, ['s3cret'], isSigned)).toBe(signed);
    }
    expect(signedCanonical(ours, ours, ['s3cret'], () => false)).toBeUndefined();
  });

  it('is fast for any content', () => {
    const started = performance.now();
    for (const piece of [
      '"',
      '\\"',
      '[api_key=',
      'api_key=1&',
      ' a=b',
      "'b=1\\",
      '***',
      '%26api_key%3D',
      '\n&amp;city=',
    ]) {
      pastedCanonical(piece.repeat(1_000_000 / piece.length), ours, ['s3cret']);
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

it('finds a string with one wrong value in every form of log line', () => {
  const values = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '1', '杭', ' ', '.', '/', ':'), maxLength: 12 }),
    fc.constantFrom('[{"n":"西湖","lat":30.1},{"a":[1,2]}]', '{"a":"b c"}', '2026-11-22 10:00:00'),
    fc.constantFrom('a (2)', 'x=1', 'https://h/p?q=1'),
  );
  const value = values.map((text) => text.trim());
  const logged: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `2026-11-22 10:00:00,123 DEBUG [main] c.e.Signer - string to sign: ${text}`,
    (text) => `src1=[${text}] (302 chars)`,
    (text) => `string to sign=${text} len=30`,
    (text) => JSON.stringify({ level: 'debug', msg: `toSign ${text}`, n: 1 }),
    (text) => `time="x" msg=${JSON.stringify(text)} n=1`,
    (text) => `DEBUG:sign:'${text}'`,
    (text) => `<td>${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</td>`,
    encodeURIComponent,
    (text) => `[sign] src2 -> "${text}s3cret"`,
  ];
  const names = ['api_key', 'city', 'nonce', 'remark', 'seq_id', 'stops', 'timestamp'];
  const string = (all: readonly string[]): string =>
    all.map((each, at) => `${names[at]}=${each}`).join('&');
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 4, maxLength: 7 }),
      value,
      fc.nat(3),
      fc.constantFrom(...logged),
      (right, other, at, log) => {
        const theirs = string(right.with(at, other));
        expect(pastedCanonical(log(theirs), string(right), ['s3cret'])).toBe(theirs);
      },
    ),
    { seed: 20261122, numRuns: 500 },
  );
});

describe('canonicalWithoutRequest', () => {
  const canonical = 'api_key=k&nonce=abcdefghij&seq_id=1&timestamp=1795251041';

  it.each<[string, string, string | undefined]>([
    ['a bare string', canonical, canonical],
    ['one without common fields', 'a=1&b=2', 'a=1&b=2'],
    ['a log line', `10:00 DEBUG string to sign: ${canonical}\n`, canonical],
    ['JSON', `{"msg":"${canonical}"}`, canonical],
    ['a body', '{"api_key":"k","nonce":"abcdefghij"}', undefined],
    ['a request line', `GET /open/v1/x?api_key=k HTTP/1.1`, undefined],
    ['a form that is signed', `-d '${canonical}&sign=0123456789ABCDEF0123456789ABCDEF'`, undefined],
    ['a text', 'hello', undefined],
    ['nothing', '', undefined],
  ])('of %s', (_, text, expected) => {
    expect(canonicalWithoutRequest(text)).toBe(expected);
  });
});

it('canonicalLines finds the lines of a log that contain a canonical string', () => {
  const line = 'src1=api_key=k&nonce=abcdefghij&seq_id=1&timestamp=1';
  expect(canonicalLines(`POST /x HTTP/1.1\nHost: h\n\n{"api_key":"k"}\n${line}\n`)).toEqual([line]);
});
