import { expect, it } from 'vitest';
import { signBody } from '../../../src/signing/body-mode.ts';
import { fixOf } from '../../../src/signing/diagnosis/fixes.ts';
import type { DiagnosisId } from '../../../src/signing/diagnosis/mistake.ts';
import { examineSignature } from '../../../src/signing/verification/verify.ts';
import { checkRows } from '../../support/rows.ts';
import { credentials, fakeSource } from '../helpers.ts';
import { bareRequest, caseOf, variantOf } from './support.ts';

/** The languages of the switches in the fix of a mistake. */
function languagesOf(id: DiagnosisId, end: string, agent = ''): readonly string[] {
  const { evidence } = caseOf(bareRequest('{"a":1}'));
  const headers = [['User-Agent', agent]] as const;
  const fix = fixOf(
    variantOf(id, end, evidence),
    { ...evidence, request: { ...evidence.request, headers } },
    [],
  );
  return [...fix.matchAll(/; ([A-Z][\w#]*): /g)].map(([, language = '']) => language);
}

const DUMPS = 'nested JSON was signed with ", " and ": " (json.dumps of Python)';
const ESCAPED = 'nested JSON was signed with \\u escapes for all characters outside ASCII';

it('a fix contains the switch of the language that the title names', () =>
  checkRows<[DiagnosisId, string, string]>(
    [
      ['nested-spacing', DUMPS, 'Python'],
      [
        'nested-flattened',
        'nested JSON was signed as text by JavaScript ([object Object])',
        'JavaScript',
      ],
      ['nested-flattened', 'nested JSON was signed as text by Go (%v of a map or slice)', 'Go'],
      ['nested-flattened', 'by Kotlin or Lombok (toString)', 'Java Kotlin'],
      ['nested-flattened', 'nested JSON was signed as text by PHP (Array)', 'PHP'],
      [
        'nested-flattened',
        'nested JSON was signed as text by C# (ToString of an anonymous type)',
        'C#',
      ],
      [
        'nested-escaped-unicode',
        'nested JSON was signed with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
        'Go',
      ],
      ['number-reformatted', 'numbers were signed as Java prints a Double', 'Java'],
      [
        'number-reformatted',
        'numbers were signed with 14 significant digits, as Lua prints them',
        'Lua',
      ],
      [
        'number-reformatted',
        'numbers were signed with 20 decimals and an exponent (float_to_list of Erlang)',
        'Erlang',
      ],
      ['string-quoted', 'texts were signed as Some("…") of Rust', 'Rust'],
      ['string-quoted', 'texts were signed as Optional("…") of Swift', 'Swift'],
      ['nested-flattened', 'nested JSON was signed as text by Dart (toString of a map)', 'Dart'],
      ['sort-locale', 'by a locale (localeCompare)', 'JavaScript'],
      ['value-url-encoded', 'the values were percent-encoded (urlencode of PHP)', 'PHP'],
    ],
    ([id, end, languages]) => expect(languagesOf(id, end)).toEqual(languages.split(' ')),
  ));

it('a fix contains the switch of the language that the User-Agent names', () =>
  checkRows(
    [
      ['python-requests/2.32', 'Python'],
      ['GuzzleHttp/7', 'PHP'],
      ['Apache-HttpClient/5 (Java/17)', 'Java'],
      ['okhttp/4.12', 'Java'],
      ['RestSharp/110', 'C#'],
    ],
    ([agent = '', language]) =>
      expect(languagesOf('nested-escaped-unicode', ESCAPED, agent)).toEqual([language]),
  ));

it('a fix lists a few languages when none is known, and none without a switch', () => {
  expect(languagesOf('nested-escaped-unicode', ESCAPED)).toEqual(['Java', 'Python', 'PHP', 'C#']);
  expect(languagesOf('number-reformatted', 'numbers were signed with 2 decimals')).toHaveLength(4);
  expect(languagesOf('nested-escaped-unicode', ESCAPED, 'reqwest/0.12')).toHaveLength(4);
  expect(languagesOf('nested-spacing', DUMPS, 'okhttp/4')).toEqual(['Python']);
  expect(languagesOf('secret-joined', 'after "&key=" instead of directly')).toEqual([]);
});

it('a fix of a plain mistake names the switch of a known language only', () => {
  const { sign, body } = signBody('{"a":1}', credentials, {}, fakeSource);
  const lower = body.replace(sign, sign.toLowerCase());
  const fixFor = (agent: string) =>
    examineSignature({ body: lower, headers: [['User-Agent', agent]] }, credentials.secret, {
      now: 1_795_132_800,
    }).verdict.diagnosis[0]?.fix;
  expect(fixFor('Dart/3.1 (dart:io)')).toMatch(/upper case; Dart: md5\.convert/);
  expect(fixFor('')).not.toContain(';');
});
