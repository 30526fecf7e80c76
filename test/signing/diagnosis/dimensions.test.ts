import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MISTAKES } from '../../../src/signing/diagnosis/dimensions.ts';
import {
  DIAGNOSIS_IDS,
  type DiagnosisId,
  type Mistake,
  type Variant,
} from '../../../src/signing/diagnosis/mistake.ts';
import type { Signer } from '../../../src/signing/diagnosis/signer.ts';
import type { ReceivedRequest } from '../../../src/signing/received-request.ts';
import { testTable } from '../../support/rows.ts';
import { credentials } from '../helpers.ts';
import {
  bareRequest,
  bodyRequest,
  caseOf,
  headerRequest,
  RICH_BODY,
  RICH_FORM,
  RICH_HEADERS,
} from './support.ts';

const { secret } = credentials;
const OTHERS = [{ name: 'profile other', secret: 'another secret' }];

function mistakeOf(id: DiagnosisId): Mistake {
  const mistake = MISTAKES.find((candidate) => candidate.id === id);
  if (!mistake) throw new Error(`no mistake ${id}`);
  return mistake;
}

function variantsOf(id: DiagnosisId, request: ReceivedRequest, signature?: string) {
  return mistakeOf(id).variants(caseOf(request, signature, OTHERS).evidence);
}

/** The signer with these mistakes, each named by its id and a part of the variant's title. */
function signer(
  request: ReceivedRequest,
  made: readonly (readonly [id: DiagnosisId, title: string])[],
  signature?: string,
): Signer {
  let signer = caseOf(request).right;
  for (const [id, title] of made) {
    const variants = variantsOf(id, request, signature);
    const variant = variants.find((candidate) => candidate.title.includes(title));
    if (!variant) throw new Error(`no ${id}: ${variants.map((known) => known.title).join('; ')}`);
    signer = variant.change(signer);
  }
  return signer;
}

const REQUESTS = { RICH_BODY, RICH_HEADERS, RICH_FORM };
/** Signatures with the lengths and alphabets of digests. */
const SIGNATURES = [
  'ab'.repeat(16),
  'a'.repeat(40),
  'A'.repeat(64),
  'A'.repeat(16),
  'q83v'.repeat(8),
];

const idOf = (mistake: Mistake): string => mistake.id;

testTable('every mistake has an id of the contract, and a fix', MISTAKES, idOf, ({ id, fix }) => {
  expect(DIAGNOSIS_IDS).toContain(id);
  expect(fix).toMatch(/^\S.*[^\s.]$/);
});

describe.each(Object.entries(REQUESTS))('with %s', (_, request) => {
  testTable('the variants of every mistake have distinct titles', MISTAKES, idOf, (mistake) => {
    for (const signature of [undefined, ...SIGNATURES]) {
      const { evidence } = caseOf(request, signature, OTHERS);
      const titles = mistake.variants(evidence).map(({ title }) => title);
      expect(new Set(titles).size).toBe(titles.length);
      for (const title of titles) expect(title).toMatch(/^\S.*[^\s.]$/s);
    }
  });
});

testTable('no mistake changes the original signer', MISTAKES, idOf, ({ variants }) => {
  const { evidence, right } = caseOf(RICH_HEADERS, 'ab'.repeat(16), OTHERS);
  const { steps, signature } = right;
  const before = { ...steps };
  for (const { change } of variants(evidence)) change(right).signature;
  expect(right.steps).toEqual(before);
  expect(right.signature).toBe(signature);
});

it('every mistake has a variant for one of the rich requests', () => {
  const possible = Object.values(REQUESTS).flatMap((request) =>
    MISTAKES.filter(({ id }) => variantsOf(id, request, 'ab'.repeat(16)).length > 0),
  );
  expect(new Set(possible).size).toBe(MISTAKES.length);
});

describe('files of a form', () => {
  it('change the signature in every variant', () => {
    const { right } = caseOf(RICH_FORM);
    const variants = variantsOf('multipart-file-included', RICH_FORM);
    expect(variants).toHaveLength(12);
    const signatures = new Set(variants.map(({ change }) => change(right).signature));
    expect(signatures.has(right.signature)).toBe(false);
    expect(signatures.size).toBe(variants.length);
  });

  it('are signed only by name when their content is unknown', () => {
    const lost = headerRequest([{ name: 'photo', file: 'a.png' }]);
    const titles = variantsOf('multipart-file-included', lost).map(({ title }) => title);
    expect(titles).toHaveLength(5);
    expect(titles.filter((title) => /content|length/.test(title))).toEqual([]);
  });
});

describe('a mistake that could change nothing has no variants', () => {
  const plain = bareRequest('{"a":"x","b":"y"}');
  const plainHeaders = headerRequest('{"a":"x"}');

  it.each<[DiagnosisId, string, ReceivedRequest]>([
    ['null-included', 'without null', plain],
    ['null-included', 'with null only inside nested JSON', bareRequest('{"a":[null]}')],
    ['empty-dropped', 'without an empty value', plain],
    ['empty-dropped', 'with null in body mode, where it is left out', bareRequest('{"a":null}')],
    ['empty-dropped', 'without an empty value in header mode', plainHeaders],
    ['field-missing', 'with only null in body mode', bareRequest('{"a":null}')],
    ['field-missing', 'without fields', bareRequest('{}')],
    ['hex-lowercase', 'signed in upper case', plain],
    ['charset-gbk', 'in ASCII', plain],
    ['charset-latin1', 'in ASCII', plain],
    ['number-reformatted', 'without numbers', plain],
    ['boolean-reformatted', 'without booleans', plain],
    ['number-reformatted', 'with numbers in text', bareRequest('{"a":"1.0"}')],
    ['nested-spacing', 'without nested JSON', plain],
    ['nested-spacing', 'with JSON in text', bareRequest('{"a":"{\\"b\\":1}"}')],
    ['nested-key-order', 'without nested JSON', plain],
    ['nested-key-order', 'with only lists', bareRequest('{"a":[[1,2],[]],"b":{}}')],
    ['nested-key-order', 'with objects of one name', bareRequest('{"a":[{"b":{"c":1}}]}')],
    ['nested-flattened', 'without nested JSON', plain],
    ['nested-escaped-unicode', 'in plain ASCII', plain],
    ['nested-escaped-slash', 'without a slash', plain],
    ['unicode-form', 'in ASCII', plain],
    ['unicode-form', 'in Chinese', bareRequest('{"a":"杭州"}')],
    ['newline-style', 'without line ends', plain],
    ['header-name-case', 'in body mode', plain],
    ['header-unsigned', 'in body mode', plain],
    ['multipart-file-included', 'without files', RICH_HEADERS],
  ])('%s, %s', (id, _, request) => {
    expect(variantsOf(id, request)).toEqual([]);
  });

  it('secret-other-profile, with one secret', () => {
    const { evidence } = caseOf(plain);
    expect(mistakeOf('secret-other-profile').variants(evidence)).toEqual([]);
  });

  it.each([
    ['of a length without a digest', 'A'.repeat(33)],
    ['that is not hex', 'nobody knows!'],
  ])('digest-other, for a signature %s', (_, signature) => {
    expect(variantsOf('digest-other', plain, signature)).toEqual([]);
  });

  it.each<[DiagnosisId, string, string]>([
    ['number-reformatted', '{"a":5}', 'as JavaScript prints them'],
    ['number-reformatted', '{"a":5}', 'without decimals, cut off'],
    ['number-reformatted', '{"a":5.5}', 'as Python prints them'],
    ['boolean-reformatted', '{"a":true}', 'as 1 and empty text'],
    ['newline-style', '{"a":"x\\ny"}', 'as LF'],
    ['newline-style', '{"a":"x\\ny"}', 'at the end of texts'],
    ['unicode-form', '{"a":"é"}', 'NFC'],
    ['html-entities', '{"a":"x"}', 'the values were escaped for HTML: & < >'],
    ['html-entities', '{"a":"x"}', 'signed before'],
    ['value-url-encoded', '{"a":"x"}', 'signed before'],
  ])('%s lacks a variant for %s: %s', (id, json, title) => {
    const titles = variantsOf(id, bareRequest(json)).map((variant) => variant.title);
    expect(titles.filter((known) => known.endsWith(title))).toEqual([]);
  });
});

function md5(text: string | Uint8Array): string {
  return createHash('md5').update(text).digest('hex').toUpperCase();
}

describe('a string that is signed by mistake', () => {
  it.each<[DiagnosisId, string, string, string]>([
    ['secret-whitespace', 'with a line end', '{"a":1}', `a=1${secret}\n`],
    ['secret-whitespace', 'in double quotes', '{"a":1}', `a=1"${secret}"`],
    ['secret-other-profile', 'profile other', '{"a":1}', 'a=1another secret'],
    ['secret-joined', '"&key="', '{"a":1}', `a=1&key=${secret}`],
    ['secret-joined', 'in front of the pairs', '{"a":1}', `${secret}a=1`],
    ['secret-joined', 'ends of the pairs', '{"a":1}', `${secret}a=1${secret}`],
    ['secret-joined', 'left out', '{"a":1}', 'a=1'],
    ['secret-sorted-in', 'as key', '{"z":1}', `key=${secret}&z=1`],
    ['null-included', 'as "null"', '{"b":null,"a":1}', `a=1&b=null${secret}`],
    ['null-included', 'as "None"', '{"b":null,"a":1}', `a=1&b=None${secret}`],
    ['empty-dropped', 'an empty value', '{"b":"","a":1}', `a=1${secret}`],
    ['empty-dropped', 'as false', '{"b":false,"c":0,"d":[],"a":1}', `a=1&d=[]${secret}`],
    ['empty-dropped', 'PHP treats', '{"b":"0","c":0,"d":[],"e":{},"a":1}', `a=1${secret}`],
    ['empty-dropped', 'nulls inside', '{"a":{"b":null,"c":[null]}}', `a={"c":[null]}${secret}`],
    ['sort-unsorted', 'order of the request', '{"b":1,"a":2}', `b=1&a=2${secret}`],
    ['sort-unsorted', 'descending', '{"a":2,"b":1}', `b=1&a=2${secret}`],
    ['sort-unsorted', 'HashMap', '{"nonce":1,"api_key":2}', `api_key=2&nonce=1${secret}`],
    ['sort-unsorted', 'name=value', '{"a":1,"a1":2}', `a1=2&a=1${secret}`],
    ['sort-case-insensitive', 'without regard', '{"B":1,"a":2}', `a=2&B=1${secret}`],
    ['sort-case-insensitive', 'upper-cased', '{"a_b":1,"aC":2}', `aC=2&a_b=1${secret}`],
    ['sort-locale', 'localeCompare', '{"B":1,"a":2,"A":3}', `a=2&A=3&B=1${secret}`],
    ['sort-locale', 'upper case first', '{"B":1,"a":2,"A":3}', `A=3&a=2&B=1${secret}`],
    ['sign-included', 'as empty text', '{"a":1,"z":2}', `a=1&sign=&z=2${secret}`],
    ['sign-included', 'as "null"', '{"a":1}', `a=1&sign=null${secret}`],
    ['field-missing', 'b was', '{"a":1,"b":2}', `a=1${secret}`],
    ['field-missing', 'lists and', '{"a":[],"b":{},"c":1}', `c=1${secret}`],
    ['field-missing', 'not text', '{"a":1,"b":true,"c":"x"}', `c=x${secret}`],
    [
      'value-url-encoded',
      'values were percent-encoded (quote of',
      '{"a":"x /"}',
      `a=x%20/${secret}`,
    ],
    ['value-url-encoded', 'twice (quote of', '{"a":"x /"}', `a=x%2520/${secret}`],
    [
      'value-url-encoded',
      'whole string was percent-encoded (encodeURIComponent',
      '{"a":"x"}',
      `a%3Dx${secret}`,
    ],
    ['value-url-encoded', 'signed before', '{"a":"x%20y"}', `a=x y${secret}`],
    ['value-url-encoded', 'names and values', '{"a":{"b":1}}', `a=%7B%22b%22%3A1%7D${secret}`],
    ['number-reformatted', 'as JavaScript', '{"a":30.10,"b":[1.0]}', `a=30.1&b=[1]${secret}`],
    ['number-reformatted', 'outside', '{"a":1.0,"b":[1.0]}', `a=1&b=[1.0]${secret}`],
    ['number-reformatted', 'inside', '{"a":1.0,"b":[1.0]}', `a=1.0&b=[1]${secret}`],
    ['number-reformatted', 'a Double', '{"a":1,"b":1e7}', `a=1.0&b=1.0E7${secret}`],
    ['number-reformatted', 'Double, except integers', '{"a":1,"b":1e7}', `a=1&b=1.0E7${secret}`],
    ['number-reformatted', '2 decimals and a comma', '{"a":1,"b":30.1}', `a=1,00&b=30,10${secret}`],
    [
      'number-reformatted',
      'and points between thousands',
      '{"a":1234.5,"b":30.1}',
      `a=1.234,50&b=30,10${secret}`,
    ],
    [
      'nested-flattened',
      'instead of it',
      '{"b":1,"meta":{"b":2,"a":{"c":[1]}}}',
      `a={"c":[1]}&b=2${secret}`,
    ],
    [
      'nested-flattened',
      'beside it',
      '{"b":1,"meta":{"b":2,"a":null}}',
      `b=2&meta={"b":2,"a":null}${secret}`,
    ],
    [
      'nested-flattened',
      'of m, o were signed as separate fields, instead of them',
      '{"m":{"b":2},"o":{"a":{"c":1}}}',
      `a={"c":1}&b=2${secret}`,
    ],
    ['boolean-reformatted', 'True', '{"a":true,"b":[false]}', `a=True&b=[False]${secret}`],
    ['boolean-reformatted', 'empty text', '{"a":true,"b":false}', `a=1&b=${secret}`],
    ['nested-spacing', 'json.dumps', '{"a":{"b":[1,2]}}', `a={"b": [1, 2]}${secret}`],
    ['nested-spacing', 'by 2', '{"a":{"b":[1]}}', `a={\n  "b": [\n    1\n  ]\n}${secret}`],
    [
      'nested-key-order',
      'sorted',
      '{"a":{"c":1,"B":2,"b":{"z":1,"y":2}}}',
      `a={"B":2,"b":{"y":2,"z":1},"c":1}${secret}`,
    ],
    [
      'nested-key-order',
      'integers first',
      '{"a":{"b":1,"10":2,"9":3,"01":4}}',
      `a={"9":3,"10":2,"b":1,"01":4}${secret}`,
    ],
    ['nested-flattened', 'a.b=, a[0]=', '{"o":{"k":1},"l":[2]}', `l[0]=2&o.k=1${secret}`],
    [
      'nested-flattened',
      '[object Object]',
      '{"o":{"k":1},"l":[2,3]}',
      `l=2,3&o=[object Object]${secret}`,
    ],
    ['nested-flattened', 'after sorting', '{"a_b":1,"a":{"b":2}}', `a[b]=2&a_b=1${secret}`],
    ['string-quoted', 'signed as JSON', '{"a":"x\\"y","b":1}', `a="x\\"y"&b=1${secret}`],
    ['string-quoted', 'single quotes', '{"a":"x","b":1}', `a='x'&b=1${secret}`],
    ['unicode-form', 'NFC', '{"a":"e\u0301","b":["e\u0301"]}', `a=é&b=["é"]${secret}`],
    ['unicode-form', 'NFKC', '{"a":"ﬁ"}', `a=fi${secret}`],
    ['newline-style', 'as CR LF', '{"a":"x\\ny"}', `a=x\r\ny${secret}`],
    ['newline-style', 'dropped', '{"a":"x\\ny\\n"}', `a=x\ny${secret}`],
    ['html-entities', 'html.escape of Python', '{"a":"<\'>"}', `a=&lt;&#x27;&gt;${secret}`],
    ['html-entities', 'the whole string', '{"a":"x","b":"y"}', `a=x&amp;b=y${secret}`],
    ['html-entities', 'page', '{"a":"x","timestamp":1}', `a=x×tamp=1${secret}`],
    ['html-entities', 'numeric references', '{"a":"西"}', `a=&#35199;${secret}`],
    [
      'empty-dropped',
      'nulls and empty texts inside',
      '{"a":{"b":"","n":null,"c":1}}',
      `a={"c":1}${secret}`,
    ],
    ['field-extra', 'sign_type=MD5', '{"a":1}', `a=1&sign_type=MD5${secret}`],
    [
      'field-extra',
      'as Taobao requires',
      '{"a":1}',
      `a=1&format=json&sign_method=md5&v=2.0${secret}`,
    ],
    [
      'fields-stale',
      'in milliseconds',
      '{"timestamp":1795132800}',
      `timestamp=1795132800000${secret}`,
    ],
    ['fields-stale', '1 s later', '{"timestamp":1795132800}', `timestamp=1795132801${secret}`],
    ['fields-stale', 'in seconds', '{"timestamp":1795132800123}', `timestamp=1795132800${secret}`],
    [
      'fields-stale',
      'as yyyyMMddHHmmss in UTC+8',
      '{"timestamp":1795132800}',
      `timestamp=20261120080000${secret}`,
    ],
    [
      'fields-stale',
      'the value of seq_id without',
      '{"nonce":"x","seq_id":"a-b"}',
      `nonce=ab&seq_id=a-b${secret}`,
    ],
    [
      'names-changed',
      'all fields were signed in camelCase',
      '{"api_key":"k","b_c":1}',
      `apiKey=k&bC=1${secret}`,
    ],
    [
      'names-changed',
      'common fields were signed in upper',
      '{"api_key":"k","b_c":1}',
      `API_KEY=k&b_c=1${secret}`,
    ],
    ['names-changed', 'under the name appKey', '{"api_key":"k","b":1}', `appKey=k&b=1${secret}`],
    [
      'names-changed',
      'b_c was signed under the name bC',
      '{"a_a":1,"b_c":1}',
      `a_a=1&bC=1${secret}`,
    ],
    [
      'value-reformatted',
      'without the white space around',
      '{"a":" x ","b":["y "]}',
      `a=x&b=["y "]${secret}`,
    ],
    ['value-reformatted', 'without leading zeros', '{"a":"007"}', `a=7${secret}`],
    [
      'value-reformatted',
      'as yyyy-MM-dd HH:mm:ss',
      '{"a":"2026-01-02T03:04:05Z"}',
      `a=2026-01-02 03:04:05${secret}`,
    ],
    [
      'value-reformatted',
      'as yyyy/MM/dd HH:mm:ss in UTC+8',
      '{"a":"2026-01-02T03:04:05Z"}',
      `a=2026/01/02 11:04:05${secret}`,
    ],
    [
      'value-reformatted',
      '"/" between year',
      '{"a":"2026-01-02","b":"2026-01-02 03:04:05"}',
      `a=2026/01/02&b=2026/01/02 03:04:05${secret}`,
    ],
    ['value-reformatted', 'with the escapes of JSON', '{"a":"x\\"y\\n"}', `a=x\\"y\\n${secret}`],
    ['number-reformatted', 'thousands', '{"a":1234567}', `a=1,234,567${secret}`],
    ['number-reformatted', 'comma for the decimal', '{"a":12.5}', `a=12,5${secret}`],
    ['number-reformatted', 'only integers', '{"a":3,"b":3.50}', `a=3.0&b=3.50${secret}`],
    ['nested-flattened', 'with [] for {}', '{"a":{"b":{}}}', `a={"b":[]}${secret}`],
    ['nested-flattened', 'outer list of one item', '{"a":[7]}', `a=7${secret}`],
    ['nested-flattened', 'except lists', '{"a":[1],"o":{"k":[1]}}', `a=[1]&o[k]=[1]${secret}`],
    ['nested-flattened', 'Swift', '{"a":{"b":["c"]}}', `a=["b": ["c"]]${secret}`],
    [
      'nested-flattened',
      'Rust',
      '{"a":{"b":[1,null]}}',
      `a=Object {"b": Array [Number(1), Null]}${secret}`,
    ],
    ['pairs-joined', 'nothing between', '{"a":1,"b":2}', `a=1b=2${secret}`],
    ['pairs-joined', '":" after the names', '{"a":1,"b":2}', `a:1&b:2${secret}`],
    ['pairs-joined', '"\\n" after each', '{"a":1,"b":2}', `a=1\nb=2\n${secret}`],
    ['pairs-joined', 'Java map', '{"a":1,"b":2}', `{a=1, b=2}${secret}`],
    ['pairs-joined', 'POST preceded the pairs, with "\\n"', '{"a":1}', `POST\na=1${secret}`],
    ['values-only', 'joined without their names', '{"a":"y","b":"x"}', `yx${secret}`],
    ['values-only', 'values were sorted and', '{"a":"y","b":"x"}', `xy${secret}`],
    [
      'whole-body',
      'in the order of the request',
      '{"b":1,"a":[null]}',
      `{"b":1,"a":[null]}${secret}`,
    ],
    ['whole-body', 'sorted by name', '{"b":1,"a":[null]}', `{"a":[null],"b":1}${secret}`],
    [
      'whole-body',
      'request, with ", " and ": " (json',
      '{"b":1,"a":"é"}',
      `{"b": 1, "a": "é"}${secret}`,
    ],
    [
      'whole-body',
      'sorted by name outside nested JSON',
      '{"b":1,"a":[{"d":1,"c":2}]}',
      `{"a":[{"d":1,"c":2}],"b":1}${secret}`,
    ],
    [
      'whole-body',
      'biz_content=, in the order of the request',
      '{"api_key":"k","c":1,"a":"x"}',
      `api_key=k&biz_content={"c":1,"a":"x"}${secret}`,
    ],
    [
      'values-only',
      'signed: the api secret, nonce, timestamp, with "."',
      '{"timestamp":17,"nonce":"n","a":1}',
      `${secret}.n.17`,
    ],
    [
      'whole-body',
      'signed: timestamp, nonce, the business fields as JSON, the api secret',
      '{"b":[1],"timestamp":17,"nonce":"n","a":"x"}',
      `17n{"b":[1],"a":"x"}${secret}`,
    ],
    ['pairs-joined', 'the last character was', '{"a":1,"b":"xy"}', `a=1&b=x${secret}`],
    ['pairs-joined', 'the first 2 characters', '{"a":1,"b":2}', `1&b=2${secret}`],
    ['pairs-joined', 'without "&" between', '{"b":1,"nonce":"n"}', `b=1nonce=n${secret}`],
    [
      'pairs-joined',
      'timestamp was appended to the pairs before',
      '{"timestamp":17}',
      `timestamp=1717${secret}`,
    ],
    ['pairs-joined', 'sorted again', '{"u":"?b=1&a=2"}', `a=2&u=?b=1${secret}`],
    ['pairs-joined', 'Python prints their bytes', '{"a":"é"}', `b'a=\\xc3\\xa9'${secret}`],
    [
      'pairs-joined',
      'cut to 64 characters',
      `{"a":"${'x'.repeat(99)}"}`,
      `a=${'x'.repeat(62)}${secret}`,
    ],
    ['pairs-joined', 'Python prints its bytes', '{"a":"é"}', `b'a=\\xc3\\xa9${secret}'`],
    [
      'pairs-joined',
      'sorted hash in Ruby)',
      '{"b":[1,null],"a":"x"}',
      `{"a"=>"x", "b"=>[1, nil]}${secret}`,
    ],
    [
      'pairs-joined',
      'sorted pairs in Ruby 3.4',
      '{"b":{"c":1},"a":"x"}',
      `[["a", "x"], ["b", {"c" => 1}]]${secret}`,
    ],
    ['pairs-joined', 'map with maps', '{"b":{"c":[1]},"a":"x"}', `{a=x, b={c=[1]}}${secret}`],
    ['encoding-other', 'in upper case, before', '{"a":"x"}', `A=X${secret}`],
    ['names-changed', "each other's name", '{"a":"x","b":"y"}', `a=y&b=x${secret}`],
    [
      'value-reformatted',
      'not text were signed as empty',
      '{"a":1,"b":[2],"c":"x"}',
      `a=&b=&c=x${secret}`,
    ],
    [
      'whole-body',
      'nested names filtered by the same list',
      '{"b":{"c":1,"a":2},"a":"x"}',
      `{"a":"x","b":{"a":2}}${secret}`,
    ],
    ['secret-joined', 'without its last', '{"a":1}', `a=1${secret.slice(0, -1)}`],
    ['pairs-joined', 'Java list', '{"a":1,"b":2}', `[a=1, b=2]${secret}`],
    ['pairs-joined', 'map of texts', '{"a":1,"b":"x"}', `{"a":"1","b":"x"}${secret}`],
    ['pairs-joined', 'sorted entries', '{"a":1,"b":"x"}', `[["a","1"],["b","x"]]${secret}`],
    [
      'number-reformatted',
      'with a comma for the decimal point and points',
      '{"a":1234.5}',
      `a=1.234,5${secret}`,
    ],
    ['value-reformatted', 'of zero width', '{"a":"x\u200by❤\ufe0f"}', `a=xy❤${secret}`],
    [
      'value-reformatted',
      'Date.toString of JavaScript, GMT+0000 (Coordinated Universal Time) in UTC',
      '{"a":"2026-03-04T05:06:07+08:00"}',
      `a=Tue Mar 03 2026 21:06:07 GMT+0000 (Coordinated Universal Time)${secret}`,
    ],
    [
      'fields-stale',
      'in microseconds',
      '{"timestamp":1795132800}',
      `timestamp=1795132800000000${secret}`,
    ],
    [
      'fields-stale',
      'in seconds',
      '{"timestamp":1795132800123456789}',
      `timestamp=1795132800${secret}`,
    ],
    ['fields-stale', 'cut to 8 characters', '{"nonce":"abcdefghij"}', `nonce=abcdefgh${secret}`],
    [
      'value-url-encoded',
      'values were percent-encoded (escape of',
      '{"a":"é 杭"}',
      `a=%E9%20%u676D${secret}`,
    ],
    ['secret-joined', '"&apiSecret="', '{"a":1}', `a=1&apiSecret=${secret}`],
    [
      'secret-joined',
      'front of the pairs as its MD5',
      '{"a":1}',
      `${md5(secret).toLowerCase()}a=1`,
    ],
    ['secret-joined', 'the api_key was put', '{"api_key":"k"}', `kapi_key=k${secret}`],
    ['secret-sorted-in', 'as apiSecret', '{"z":1}', `apiSecret=${secret}&z=1`],
    ['secret-joined', 'as its MD5 in upper', '{"a":1}', `a=1${md5(secret)}`],
    ['secret-joined', 'used in upper case', '{"a":1}', `a=1${secret.toUpperCase()}`],
    ['secret-joined', 'replaced by the api_key', '{"api_key":"k"}', 'api_key=kk'],
    [
      'digest-other',
      'MD5 of the pairs in lower case and hashed',
      '{"a":1}',
      `${md5('a=1').toLowerCase()}${secret}`,
    ],
  ])('%s, %s, for %s', (id, title, json, message) => {
    expect(signer(bareRequest(json), [[id, title]]).message).toBe(message);
  });

  const headers = headerRequest('{"b":null}', { timestamp: '1', seqId: 's' });

  it.each<[DiagnosisId, string, string]>([
    [
      'header-name-case',
      'lower case',
      'b=&x-tms-api-key=key-of-credentials&x-tms-nonce=generated!&x-tms-seq-id=s&x-tms-sign-ver=2.0&x-tms-timestamp=1',
    ],
    [
      'header-name-case',
      'as Go',
      'X-Tms-Api-Key=key-of-credentials&X-Tms-Nonce=generated!&X-Tms-Seq-Id=s&X-Tms-Sign-Ver=2.0&X-Tms-Timestamp=1&b=',
    ],
    ['header-unsigned', 'none of', 'b='],
    [
      'header-unsigned',
      'X-TMS-Seq-Id was',
      'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=',
    ],
    [
      'names-changed',
      'under the name X-TMS-SeqId',
      'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-SeqId=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=',
    ],
    [
      'whole-body',
      'as Content-MD5= in Base64, in the order of the request',
      'Content-MD5=mjemmbM9Iyrd3iGzXIrtxg==&X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1',
    ],
    [
      'whole-body',
      'signed: X-TMS-Timestamp, X-TMS-Nonce, the body, the api secret, with "."',
      `1.generated!.{"b":null}.${secret}`,
    ],
    [
      'header-name-case',
      'in lower case, after sorting',
      'x-tms-api-key=key-of-credentials&x-tms-nonce=generated!&x-tms-seq-id=s&x-tms-sign-ver=2.0&x-tms-timestamp=1&b=',
    ],
    [
      'wrong-scheme',
      'rules of body mode',
      'api_key=key-of-credentials&nonce=generated!&seq_id=s&timestamp=1',
    ],
    [
      'null-included',
      'as "null"',
      'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=null',
    ],
    [
      'empty-dropped',
      'that are null',
      'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1',
    ],
  ])('%s, %s, in header mode', (id, title, canonical) => {
    expect(signer(headers, [[id, title]]).canonical).toBe(canonical);
  });

  it('wrong-scheme, rules of header mode', () => {
    const request = bodyRequest('{"b":null,"timestamp":1,"seq_id":"s"}');
    expect(signer(request, [['wrong-scheme', 'rules of header mode']]).canonical).toBe(
      'X-TMS-Api-Key=key-of-credentials&X-TMS-Nonce=generated!&X-TMS-Seq-Id=s&X-TMS-Sign-Ver=2.0&X-TMS-Timestamp=1&b=',
    );
  });
});

/**
 * By Python 3.11, PHP 8.2, Go 1.19 and Gson 2.10, each made to print compactly:
 * `json.dumps`, `json_encode` without and with flags, `json.Marshal`, `new Gson().toJson`.
 */
describe('nested JSON as languages escape it', () => {
  const request = bareRequest(`{"o":${JSON.stringify({ y: '中/é<&>\'" +`=😀\u2028' })}}`);

  it.each<[string, readonly (readonly [DiagnosisId, string])[], string]>([
    [
      'json.dumps',
      [['nested-escaped-unicode', 'nested JSON was signed with \\u escapes for all characters']],
      '\\u4e2d/\\u00e9<&>\'\\" +`=\\ud83d\\ude00\\u2028',
    ],
    [
      'json_encode',
      [
        ['nested-escaped-unicode', 'nested JSON was signed with \\u escapes for all characters'],
        ['nested-escaped-slash', 'nested JSON was signed'],
      ],
      '\\u4e2d\\/\\u00e9<&>\'\\" +`=\\ud83d\\ude00\\u2028',
    ],
    [
      'json_encode, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES',
      [['nested-escaped-unicode', 'nested JSON was signed with \\u2028']],
      '中/é<&>\'\\" +`=😀\\u2028',
    ],
    [
      'json_encode, JSON_UNESCAPED_UNICODE',
      [
        ['nested-escaped-unicode', 'nested JSON was signed with \\u2028'],
        ['nested-escaped-slash', 'nested JSON was signed'],
      ],
      '中\\/é<&>\'\\" +`=😀\\u2028',
    ],
    [
      'json.Marshal',
      [['nested-escaped-unicode', 'nested JSON was signed with \\u003c, \\u003e and']],
      '中/é\\u003c\\u0026\\u003e\'\\" +`=😀\\u2028',
    ],
    [
      'Gson',
      [['nested-escaped-unicode', 'Gson']],
      '中/é\\u003c\\u0026\\u003e\\u0027\\" +`\\u003d😀\\u2028',
    ],
  ])('%s', (_, made, escaped) => {
    expect(signer(request, made).canonical).toBe(`o={"y":"${escaped}"}`);
  });

  it('escapes texts with or without nested JSON', () => {
    const texts = bareRequest('{"a":"中","o":["中"]}');
    const variant = (title: string): string =>
      signer(texts, [['nested-escaped-unicode', title]]).canonical;
    expect(variant('texts and nested JSON were signed with \\u escapes for')).toBe(
      'a=\\u4e2d&o=["\\u4e2d"]',
    );
    expect(variant('texts were signed with \\u escapes for')).toBe('a=\\u4e2d&o=["中"]');
  });
});

/** By md5sum, sha1sum, sha256sum and openssl (OpenSSL 3) of `a=1` and the secret. */
describe('digests', () => {
  const request = bareRequest('{"a":1}');

  it.each<[DiagnosisId, string, string, string]>([
    [
      'digest-hmac-md5',
      'the key of an HMAC-MD5 over the pairs',
      '',
      '2AE67885CC7009BDC963F9FBFECAF6D4',
    ],
    ['digest-hmac-md5', 'appended and', '', 'F1BF537BD7C739680C4973F548CEFBB4'],
    ['digest-hmac-md5', 'over the secret', '', '2630D3EAC7EAFB44A1B1F546260E0985'],
    ['digest-other', 'MD5 in upper case', 'A'.repeat(32), '090D9A24522CB07E30D05807181F7990'],
    ['digest-other', 'MD5 in lower case', 'A'.repeat(32), 'CD49D49D0B6746143C571508D20BE1BA'],
    ['digest-other', 'of SHA-1 in hex', 'A'.repeat(32), 'A1DCE885D8927E2F294BCABCD710AED6'],
    ['signature-format', 'middle', 'A'.repeat(16), 'C816FF19D5A10F33'],
    ['digest-other', 'SHA-1', 'A'.repeat(40), '776EFF13FF13CE903CD493DED3FA62E6470024B1'],
    [
      'digest-other',
      'is SHA-256',
      'A'.repeat(64),
      'C58EA563033AF725C6704AB1AB7A4DD9F0CC904E4EACF0EFF1244A7FC0F8654C',
    ],
    [
      'digest-other',
      'HMAC-SHA-256',
      'A'.repeat(64),
      '6F9E607438D437436EC45B0108CA2BB8C72631362760F4E67FA0CB8F539F7ECB',
    ],
    [
      'digest-other',
      'is SM3',
      'A'.repeat(64),
      'D19BE9670A494CCC40B3D77CB2B38BC2C6FAC5AF6A8CC219E5BEB1F4EDFA93DD',
    ],
    [
      'digest-other',
      'followed by the right MD5',
      Buffer.from(secret).toString('hex') + 'a'.repeat(32),
      `${Buffer.from(secret).toString('hex')}22CADF1DC816FF19D5A10F339BD8E844`.toUpperCase(),
    ],
    ['signature-format', 'as Base64', `${'Q'.repeat(22)}==`, 'IsrfHcgW/xnVoQ8zm9joRA=='],
    ['signature-format', 'as Base64 without', 'Q'.repeat(22), 'IsrfHcgW/xnVoQ8zm9joRA'],
    ['signature-format', 'addresses without', `-${'Q'.repeat(21)}`, 'IsrfHcgW_xnVoQ8zm9joRA'],
    ['digest-other', 'SHA-1 as Base64', `${'Q'.repeat(27)}=`, 'd27/E/8TzpA81JPe0/pi5kcAJLE='],
    ['hex-lowercase', 'upper case', 'a'.repeat(32), '22cadf1dc816ff19d5a10f339bd8e844'],
  ])('%s, %s', (id, title, signature, expected) => {
    const wrong = signer(request, [[id, title]], signature || undefined);
    expect(wrong.signature).toBe(expected);
  });

  it('signature-format, without the zeros at the start of the MD5', () => {
    // The smallest value whose MD5 begins with a zero.
    const { right } = caseOf(bareRequest('{"a":31}'));
    expect(right.signature).toMatch(/^0/);
    const lost = right.signature.replace(/^0+/, '');
    const wrong = signer(bareRequest('{"a":31}'), [['signature-format', 'zeros']], lost);
    expect(wrong.signature).toBe(lost);
  });
});

describe('bytes that are signed by mistake', () => {
  const city = '{"a":"杭😀"}';

  it.each<[DiagnosisId, string, Buffer]>([
    ['encoding-other', 'UTF-16, little-endian', Buffer.from(`a=杭😀${secret}`, 'utf16le')],
    ['encoding-other', 'byte order mark preceded', Buffer.from(`\ufeffa=杭😀${secret}`)],
    ['encoding-other', 'dropped', Buffer.from(`a=${secret}`)],
    [
      'encoding-other',
      'CESU-8',
      Buffer.concat([Buffer.from('a=杭'), Buffer.from('eda0bdedb880', 'hex'), Buffer.from(secret)]),
    ],
    ['encoding-other', 'beyond U+FFFF became "??"', Buffer.from(`a=杭??${secret}`)],
    ['charset-latin1', 'in Latin-1', Buffer.from(`a=??${secret}`)],
    ['charset-latin1', 'Latin-1, with "?" for each half', Buffer.from(`a=???${secret}`)],
    [
      'charset-gbk',
      'in GB18030',
      Buffer.concat([Buffer.from('a='), Buffer.from('babc9439fc36', 'hex'), Buffer.from(secret)]),
    ],
  ])('%s, %s', (id, title, bytes) => {
    expect(signer(bareRequest(city), [[id, title]]).signature).toBe(md5(bytes));
  });
});

describe('a digest printed in another form', () => {
  const request = bareRequest('{"a":1}');
  const right = caseOf(request).right.signature;
  const bytes = right.match(/../g) ?? [];

  it.each<[title: string, printed: string]>([
    ['with "-" between the bytes', bytes.join('-')],
    ['with ":" between the bytes', bytes.join(':').toLowerCase()],
    ['"0x" in front', `0x${right.toLowerCase()}`],
    ['a line end after it', `${right}\n`],
    ['as Base64', Buffer.from(right, 'hex').toString('base64')],
    ['as Base64 with a line end', `${Buffer.from(right, 'hex').toString('base64')}\n`],
    ['as Base64, percent-encoded', 'IsrfHcgW%2FxnVoQ8zm9joRA%3D%3D'],
    ['as Base64 in upper', 'ISRFHCGW/XNVOQ8ZM9JORA=='],
    ['hex of its hex digits in upper', Buffer.from(right).toString('hex')],
    [
      'two digits for the others',
      '22ffffffcaffffffdf1dffffffc816ffffffff19ffffffd5ffffffa10f33ffffff9bffffffd8ffffffe844',
    ],
    ['as Swift prints a digest', `MD5 digest: ${right.toLowerCase()}`],
    ['as Node prints a Buffer', `<Buffer ${bytes.join(' ').toLowerCase()}>`],
    [
      'the decimal numbers of its bytes in brackets, with " "',
      '[34 202 223 29 200 22 255 25 213 161 15 51 155 216 232 68]',
    ],
    [
      'the signed decimal numbers of its bytes in brackets',
      '[34, -54, -33, 29, -56, 22, -1, 25, -43, -95, 15, 51, -101, -40, -24, 68]',
    ],
    ['first 20 digits', right.slice(0, 20)],
    ['one digit for each byte below 16', bytes.map((byte) => byte.replace(/^0/, '')).join('')],
    [
      'Guid of .NET without dashes',
      [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].map((at) => bytes[at]).join(''),
    ],
  ])('%s', (title, printed) => {
    expect(signer(request, [['signature-format', title]], printed).signature).toBe(printed);
  });
});

it('a variant lists its fields only if its pairs do not show them', () => {
  const named = (variant: Variant): boolean => variant.fields !== undefined;
  for (const id of ['sort-unsorted', 'nested-spacing', 'number-reformatted'] as const) {
    expect(variantsOf(id, RICH_BODY).some(named)).toBe(false);
  }
  expect(variantsOf('charset-gbk', RICH_BODY).every(named)).toBe(true);
});
