import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormField } from '../../src/http/multipart.ts';
import { parseJson } from '../../src/json/parse.ts';
import { printJson } from '../../src/json/print.ts';
import { JsonSyntaxError } from '../../src/json/reader.ts';
import type { JsonMember } from '../../src/json/value.ts';
import { signBody } from '../../src/signing/body-mode.ts';
import { canonicalString, digest, type NullAs } from '../../src/signing/canonical.ts';
import {
  formMembers,
  type Header,
  type HeaderFields,
  signHeaders,
} from '../../src/signing/header-mode.ts';
import { portabilityWarnings } from '../../src/signing/portability.ts';
import type { RequestFields } from '../../src/signing/request-fields.ts';
import { readBody, valueText } from '../../src/signing/value-text.ts';
import { CHARACTER } from '../support/character.ts';
import { collectBody, collectHeaders, credentials, fakeSource } from './helpers.ts';

beforeAll(() => void fc.configureGlobal({ seed: 20261119, numRuns: 200 }));
afterAll(() => fc.resetConfigureGlobal());

// --- Compact JSON texts: their characters must survive a round trip. ---

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      digits.map((text) => `1${text}`),
      fc.constantFrom(...'123456789'),
    ),
    fc.oneof(
      fc.constant(''),
      digits.map((text) => `.${text}`),
      fc.constantFrom('.0000001', '.00000000000000000000012'),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

const characters = fc.oneof(
  fc.string({ unit: CHARACTER }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '{"a": 1}', 'a=1&b=2', '\\"/', '\u2028', '\u0000\u001f\u007f', '杭州🚕'),
);
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'A', '', '10', '2', '1', '-1', '__proto__', 'constructor', 'toString'),
  characters,
);
const halfPair = fc.constantFrom('\ud83d', 'x\ude95', '\ude95\ud83d');

const scalarText = fc.oneof(
  numberText,
  fc.constantFrom('true', 'false', 'null'),
  characters.map((text) => JSON.stringify(text)),
);

/** Any nested value; names may repeat inside it. */
const { value: valueJson } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalarText,
    halfPair.map((text) => `[${JSON.stringify(text)}]`),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(objectText),
}));

type Field = readonly [name: string, value: string];

function objectText(fields: readonly Field[]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

const commonName = fc.constantFrom('api_key', 'seq_id', 'timestamp', 'nonce', 'sign');

/** The fields of a body that can be signed. */
const bodyFields = fc.uniqueArray(
  fc.tuple(fc.oneof({ weight: 4, arbitrary: name }, commonName), valueJson),
  { selector: ([name]) => name, maxLength: 8 },
);
const twoOrders = bodyFields.chain((fields) =>
  fc.tuple(
    fc.constant(fields),
    fc.shuffledSubarray(fields, { minLength: fields.length, maxLength: fields.length }),
  ),
);

const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const timestamp = fc.oneof(fc.nat(), fc.bigInt(0n, 9_999_999_999_999_999_999n).map(String));
const requestFields: fc.Arbitrary<RequestFields> = fc.record({
  apiKey: option(characters),
  seqId: option(characters),
  timestamp: option(timestamp),
  nonce: option(characters),
});

const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => text.trim());
const extraHeaders: fc.Arbitrary<Header[]> = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('X-TMS-Trace', 'x-tms-empty', 'X-TMS-10', 'X-TMS-~', 'x-Tms-a'),
    printable,
  ),
  { selector: ([name]) => name },
);
const nullAs = fc.constantFrom<NullAs>('empty', 'omit', 'text');
const headerFields: fc.Arbitrary<HeaderFields> = fc.record({
  apiKey: option(printable),
  seqId: option(printable),
  timestamp: option(timestamp),
  timestampUnit: option(fc.constantFrom('s', 'ms')),
  nonce: option(fc.oneof(printable, fc.constant<false>(false))),
  headers: option(extraHeaders),
  nullAs: option(nullAs),
});

// --- The receiver. ---

function verifiesBody(body: string): boolean {
  const members = readBody(body);
  const received = members.find(({ name }) => name === 'sign')?.value;
  const { entries } = collectBody(members);
  return (
    received?.kind === 'string' &&
    received.value === digest(canonicalString(entries), credentials.secret)
  );
}

function verifiesHeaders(
  headers: Readonly<Record<string, string>>,
  members: readonly JsonMember[],
  nullAs?: NullAs,
): boolean {
  const { entries } = collectHeaders(Object.entries(headers), members, nullAs);
  return headers['X-TMS-Sign'] === digest(canonicalString(entries), credentials.secret);
}

describe('a sent request verifies', () => {
  it('in body mode', () => {
    fc.assert(
      fc.property(bodyFields, requestFields, (fields, options) => {
        const { body } = signBody(objectText(fields), credentials, options, fakeSource);
        expect(verifiesBody(body)).toBe(true);
      }),
    );
  });

  it('in header mode', () => {
    fc.assert(
      fc.property(bodyFields, headerFields, (fields, options) => {
        const signed = signHeaders(objectText(fields), credentials, options, fakeSource);
        const members = readBody(signed.body ?? '');
        expect(verifiesHeaders(signed.headers, members, options.nullAs)).toBe(true);
      }),
    );
  });

  it('as a multipart form', () => {
    const field: fc.Arbitrary<FormField> = fc.oneof(
      fc.record({ name, value: characters }),
      fc.record({ name, file: characters }),
    );
    const form = fc.uniqueArray(field, { selector: ({ name }) => name, maxLength: 6 });
    fc.assert(
      fc.property(form, headerFields, (fields, options) => {
        const signed = signHeaders(fields, credentials, options, fakeSource);
        expect(verifiesHeaders(signed.headers, formMembers(fields))).toBe(true);
      }),
    );
  });

  it('after it is signed again, unchanged', () => {
    fc.assert(
      fc.property(bodyFields, requestFields, (fields, options) => {
        const { body } = signBody(objectText(fields), credentials, options, fakeSource);
        expect(signBody(body, credentials).body).toBe(body);
      }),
    );
  });

  it('only with its own secret', () => {
    fc.assert(
      fc.property(bodyFields, characters, (fields, secret) => {
        const text = objectText(fields);
        const { sign } = signBody(text, credentials, {}, fakeSource);
        expect(signBody(text, { ...credentials, secret }, {}, fakeSource).sign).not.toBe(sign);
      }),
    );
  });
});

describe('the order of fields never changes the signature', () => {
  it('in body mode', () => {
    fc.assert(
      fc.property(twoOrders, requestFields, ([fields, shuffled], options) => {
        const one = signBody(objectText(fields), credentials, options, fakeSource);
        const other = signBody(objectText(shuffled), credentials, options, fakeSource);
        expect(other.canonical).toBe(one.canonical);
        expect(other.sign).toBe(one.sign);
      }),
    );
  });

  it('in header mode', () => {
    fc.assert(
      fc.property(twoOrders, headerFields, ([fields, shuffled], options) => {
        const headers = options.headers && [...options.headers].reverse();
        const one = signHeaders(objectText(fields), credentials, options, fakeSource);
        const other = signHeaders(
          objectText(shuffled),
          credentials,
          { ...options, headers },
          fakeSource,
        );
        expect(other.canonical).toBe(one.canonical);
        expect(other.sign).toBe(one.sign);
      }),
    );
  });
});

describe('no value is reformatted', () => {
  it('a parsed value prints as its compact text', () => {
    fc.assert(
      fc.property(valueJson, (text) => {
        expect(printJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it('a number keeps its characters', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(parseJson(text)).toEqual({ kind: 'number', text });
        expect(valueText(parseJson(text))).toBe(text);
      }),
    );
  });

  it('header mode returns the given body', () => {
    fc.assert(
      fc.property(bodyFields, headerFields, (fields, options) => {
        const text = objectText(fields);
        expect(signHeaders(text, credentials, options).body).toBe(text);
      }),
    );
  });

  it('body mode returns the given business fields first', () => {
    fc.assert(
      fc.property(bodyFields, requestFields, (fields, options) => {
        const common = ['api_key', 'seq_id', 'timestamp', 'nonce', 'sign'];
        const business = fields.filter(([name]) => !common.includes(name));
        const { body } = signBody(objectText(business), credentials, options, fakeSource);
        expect(body.startsWith(objectText(business).slice(0, -1))).toBe(true);
      }),
    );
  });

  it('white space between tokens changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 8 }), (value, indent) => {
        expect(printJson(parseJson(JSON.stringify(value, null, indent)))).toBe(
          JSON.stringify(value),
        );
      }),
    );
  });
});

describe('parseJson agrees with JSON.parse', () => {
  /** Whether `text` is JSON to `parse`. An error of another kind is a bug. */
  function accepts(parse: (text: string) => unknown, text: string): boolean {
    try {
      parse(text);
      return true;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return false;
      throw error;
    }
  }

  /** A text with something inserted, removed or replaced, once or twice. */
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.constantFrom(0, 1, 1, 2),
    insert: fc.oneof(
      fc.constantFrom(...'{}[]",:\\/-+.0123456789eEutfn \n\t\u0000\u001f\u00a0\ufeff\ud83d'),
      fc.constantFrom(' ', '\n', '0', 'a'),
      fc.constantFrom('', 'true', 'null', '\\u', '\\ud83d', '""', '1e', '//'),
      fc.string({ unit: CHARACTER, maxLength: 2 }),
    ),
  });
  const mutated = fc
    .tuple(fc.oneof(valueJson, fc.json()), fc.array(edit, { minLength: 1, maxLength: 2 }))
    .map(([text, edits]) =>
      edits.reduce((now, { at, remove, insert }) => {
        const start = Math.floor(at * now.length);
        return now.slice(0, start) + insert + now.slice(start + remove);
      }, text),
    );

  it('on the meaning of every JSON text', () => {
    fc.assert(
      fc.property(fc.oneof(valueJson, fc.json()), (text) => {
        expect(JSON.parse(printJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('on the validity of JSON with errors in it', () => {
    let valid = 0;
    const runs = 2000;
    fc.assert(
      fc.property(mutated, (text) => {
        const expected = accepts(JSON.parse, text);
        if (expected) valid++;
        expect(accepts(parseJson, text)).toBe(expected);
      }),
      { numRuns: runs },
    );
    // Both outcomes must be common for the test to be meaningful.
    expect(valid).toBeGreaterThan(runs / 20);
    expect(valid).toBeLessThan(runs - runs / 20);
  });

  it('on the validity of any text', () => {
    const token = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '0',
        '-',
        '.5',
        'e1',
        'true',
        'null',
        '\\',
        ' ',
      ],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 7 }), (tokens) => {
        const text = tokens.join('');
        expect(accepts(parseJson, text)).toBe(accepts(JSON.parse, text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('portability', () => {
  it('warns about each number that JavaScript prints differently', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        fc.pre(JSON.stringify(JSON.parse(text)) !== text);
        expect(portabilityWarnings(readBody(`{"n":${text}}`))).toHaveLength(1);
      }),
    );
  });
});
