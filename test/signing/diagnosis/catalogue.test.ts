import { expect, it, vi } from 'vitest';
import { variantsFor } from '../../../src/signing/diagnosis/attempts.ts';
import { FIXES } from '../../../src/signing/diagnosis/fixes.ts';
import { habitsOf } from '../../../src/signing/diagnosis/habits.ts';
import { DIAGNOSIS_IDS, type DiagnosisId } from '../../../src/signing/diagnosis/mistake.ts';
import { checkRows, testTable } from '../../support/rows.ts';
import {
  bareRequest,
  bodyRequest,
  caseOf,
  headerRequest,
  MISTAKES,
  OTHERS,
  RICH_BODY,
  RICH_FORM,
  RICH_HEADERS,
  rowsOfText,
  SIGNATURE_SHAPES,
  variantsOf,
} from './support.ts';

const MD5 = '0123456789ABCDEF'.repeat(2);
const REQUESTS = [RICH_BODY, RICH_HEADERS, RICH_FORM];
const EVIDENCES = [
  ...REQUESTS.map((request) => caseOf(request, MD5.toLowerCase(), OTHERS).evidence),
  ...Object.values(SIGNATURE_SHAPES).map((shape) => caseOf(bareRequest('{}'), shape(MD5)).evidence),
];
const PLAIN = bareRequest('{"a":"x","b":"y"}');
const ROWS = MISTAKES.flatMap(({ rows }) => rows);

it('every id except version has a mistake and a fix', () => {
  const ids = new Set(MISTAKES.map(({ id }) => id));
  for (const id of DIAGNOSIS_IDS) {
    expect(FIXES[id], id).toMatch(/^\S.*[^\s.]$/);
    // A wrong version is not a mistake of the signer.
    if (id === 'version') continue;
    expect(ids, id).toContain(id);
    expect(
      EVIDENCES.some((evidence) => variantsOf(id, evidence).length > 0),
      id,
    ).toBe(true);
  }
  expect(Object.keys(FIXES)).toHaveLength(DIAGNOSIS_IDS.length);
});

it('every variant has a title of its own, a cost and a fix', () => {
  const wrong: string[] = [];
  for (const [index, evidence] of EVIDENCES.entries()) {
    for (const { id, rows, ofRequest } of MISTAKES) {
      const titles = new Set<string>();
      for (const { title, cost, fix = FIXES[id] } of [
        ...(index === 0 ? rows : []),
        ...ofRequest(evidence),
      ]) {
        const isText = /^\S.*[^\s.,:]$/s.test(title) && !title.includes(' ,');
        const isRight = isText && !titles.has(title) && cost >= 1 && /^\S.*[^\s.]$/s.test(fix);
        if (!isRight) wrong.push(`${id}: ${title}`);
        titles.add(title);
      }
    }
  }
  expect(wrong).toEqual([]);
});

testTable(
  'no variant changes the original signer',
  MISTAKES,
  ({ id }) => id,
  ({ rows, ofRequest }) => {
    const { evidence, right } = caseOf(RICH_HEADERS, undefined, OTHERS);
    const { steps, signature } = right;
    const before = { ...steps };
    for (const { change } of [...rows, ...ofRequest(evidence)].slice(0, 300)) {
      change(right).signature;
    }
    expect(right.steps).toEqual(before);
    expect(right.signature).toBe(signature);
  },
);

it('every row changes the signature of some request', () => {
  const requests = [...REQUESTS, bodyRequest(MORE), headerRequest('{"A_b":"x"}', { seqId: 's' })];
  const signers = [
    ...requests.map((request) => caseOf(request).right),
    ...SECRETS.map((secret) => caseOf(PLAIN).right.with({ secret })),
  ];
  const idle = ROWS.filter(({ change }) =>
    signers.every((right) => change(right).signature === right.signature),
  ).filter(({ title }) => !/, (?:only|except) integers$/.test(title));
  expect(idle.map(({ title }) => title)).toEqual([
    // For a request that a proxy respelled.
    'the names of the headers were signed as the documents spell them',
    // These names are in that form already.
    'the names of the common fields were signed in lower case',
    'the names of the common fields were signed in snake_case',
  ]);
});

/** Values that the rows of {@link RICH_BODY} do not change. */
const MORE = `{
  "padded": " a  b ", "tail": "x ", "phone": "+86 13800000000", "masked": "13800000000",
  "quotes": "‘a’ “b” – it's", "dot": "·", "tags": "<b>x</b>", "emoji": "🚕", "mark": "\\ufeffx",
  "space": "a\\u00a0b", "control": "a\\u0007b", "escapes": "a\\\\nb", "json": "{\\"a\\": [1,2]}",
  "zeros": "007", "day": "2026-11-19", "slashed": "2026/11/19", "time": "2026-11-19 08:00:00",
  "iso": "2026-11-19T08:00:00Z", "plus": "a+b&c", "percent": "a%20b", "entity": "a&lt;b",
  "big": 12345678901234567890, "decimal": 0.5, "negative": -1.50, "exponent": 1e2, "texts": ["0.5", "1e2"],
  "half": "0.5", "zero": "0", "one": [{ "a": "" }], "Upper_Case": "x", "ﬁ": 1, "😀": 2,
  "numbers": [1e2, 1234567, 12345678901234567890, 0.5, 0, 255], "booleans": [true, false], "base64": "${'QUJD'.repeat(30)}",
  "list": ["${'QUJD'.repeat(30)}", "2026-11-19 08:00:00", "2026/11/19", "2026-11-19T08:00:00Z", "007", "0",
    "+86 13800000000", "13800000000", "–", "“", "🚕", "\\ufeff", "\\u00a0", "·", "a\\\\nb", "{\\"a\\": [1,2]}"]
}`;
const SECRETS = [`"A#b;c=d e%20f$g\\h+i"`, ' x'];

it('every title of a habit is the title of one row', () => {
  const { evidence } = caseOf(RICH_BODY);
  const usual = variantsFor(evidence, false);
  const lookUp = vi.spyOn(Map.prototype, 'get');
  habitsOf(usual);
  const { calls, results } = { calls: [...lookUp.mock.calls], results: [...lookUp.mock.results] };
  lookUp.mockRestore();
  const asked = new Set(calls.map(([title]) => title));
  const unknown = calls.filter((_, index) => results[index]?.value === undefined);
  expect(unknown).toEqual([]);
  expect(asked.size).toBeGreaterThan(40);
  for (const title of asked) {
    expect(
      usual.filter((variant) => variant.title === title),
      String(title),
    ).toHaveLength(1);
  }
});

it('a habit is listed with and without its text of null', () => {
  const habits = habitsOf(variantsFor(caseOf(RICH_BODY).evidence, false));
  const withNull = habits.filter((habit) => habit.some(({ id }) => id === 'null-included'));
  for (const habit of withNull) {
    const rest = habit.filter(({ id }) => id !== 'null-included').map(({ title }) => title);
    expect(habits.map((other) => other.map(({ title }) => title))).toContainEqual(rest);
  }
});

it('mistakes that are impossible have no variants', () => {
  for (const [id, request, signature] of [
    ['hex-lowercase', PLAIN],
    ['charset-gbk', PLAIN],
    ['charset-latin1', PLAIN],
    ['multipart-file-included', RICH_HEADERS],
    ['digest-other', PLAIN, 'A'.repeat(33)],
    ['digest-other', PLAIN, 'nobody knows!'],
  ] as const) {
    expect(variantsOf(id, caseOf(request, signature).evidence), id).toEqual([]);
  }
});

it('variants change nothing for a request without their values', () =>
  checkRows(
    rowsOfText(`
      null-included | {"a":[null]}
      empty-dropped | {"a":null}
      number-reformatted | {"a":"1.0"}
      boolean-reformatted | {"a":"true"}
      nested-spacing | {"a":"{\\"b\\":1}"}
      nested-key-order | {"a":[{"b":{"c":1}},[1,2]],"d":{}}
      nested-escaped-unicode | {"a":"x"}
      nested-escaped-slash | {"a":"x"}
      unicode-form | {"a":"杭州"}
      newline-style | {"a":"x"}
      header-name-case | {"a":"x"}
      header-unsigned | {"a":"x"}
    `),
    ([id, json = '']) => {
      const { evidence, right } = caseOf(bareRequest(json));
      for (const { title, change } of variantsOf(id as DiagnosisId, evidence)) {
        expect(change(right).signature, title).toBe(right.signature);
      }
    },
  ));

it('files of a form are signed in twelve ways, and only by name without their content', () => {
  const { evidence, right } = caseOf(RICH_FORM);
  const variants = variantsOf('multipart-file-included', evidence);
  const signatures = new Set(variants.map(({ change }) => change(right).signature));
  expect(signatures.size).toBe(12 + 1);
  expect(signatures).not.toContain(right.signature);
  const lost = caseOf(headerRequest([{ name: 'photo', file: 'a.png' }])).evidence;
  const titles = variantsOf('multipart-file-included', lost).map(({ title }) => title);
  expect(titles).toHaveLength(5);
  expect(titles.filter((title) => /content|length/.test(title))).toEqual([]);
});

it('a variant lists its fields only if its pairs do not show them', () => {
  const { evidence } = caseOf(RICH_BODY);
  const named = variantsOf('charset-gbk', evidence).filter(({ fields }) => fields !== undefined);
  expect(named).toHaveLength(variantsOf('charset-gbk', evidence).length);
  for (const { fields, title } of MISTAKES.filter(({ id }) =>
    ['number-reformatted', 'nested-spacing', 'boolean-reformatted'].includes(id),
  ).flatMap(({ rows }) => rows)) {
    expect(fields, title).toBeUndefined();
  }
});
