import { isNested } from '../../../json/value.ts';
import { HTML_ESCAPES, htmlUnescaped, shownAsHtml } from '../languages/html-entities.ts';
import {
  JAVASCRIPT_ESCAPE,
  type TextEncoding,
  URL_ENCODERS,
  urlDecoded,
} from '../languages/url-encoding.ts';
import {
  type Evidence,
  edited,
  inFamily,
  type Mistake,
  rarely,
  rewritten,
  USUAL,
  type Variant,
  variantsIf,
} from '../mistake.ts';
import type { PairEdit } from '../signer.ts';
import { allTexts, someText } from '../values.ts';
import { lowerEscape } from './nested.ts';

/** Encodings and quotes of a value's text, which must be signed without them (D1 5.1). */

export const valueUrlEncoded: Mistake = {
  id: 'value-url-encoded',
  readsEveryValue: true,
  perField: true,
  fix: 'sign the values of the JSON without percent-encoding',
  variants: ({ fields }) => {
    const encoders = distinct([...URL_ENCODERS, JAVASCRIPT_ESCAPE], fields);
    // Splitting nested JSON makes names that need encoding.
    const namesNeedEncoding = fields.some(({ name, value }) => /\W/.test(name) || isNested(value));
    return [
      ...encoders.map(({ name, apply }) =>
        values(`the values were percent-encoded (${name})`, apply),
      ),
      ...inFamily(
        'names and values were percent-encoded',
        (namesNeedEncoding ? encoders : []).map(urlEncodedPairs),
      ),
      ...rarely([
        ...inFamily(
          'the values were percent-encoded twice',
          encoders.map(({ name, apply }) =>
            values(`the values were percent-encoded twice (${name})`, (text) => apply(apply(text))),
          ),
        ),
        ...inFamily(
          'the whole string was percent-encoded',
          encoders.map(({ name, apply }) =>
            rewritten(`the whole string was percent-encoded (${name})`, apply),
          ),
        ),
      ]),
      ...signedBeforeEncoding(
        fields,
        'the values were signed before they were percent-encoded',
        urlDecoded,
      ),
    ];
  },
};

export const htmlEntities: Mistake = {
  id: 'html-entities',
  readsEveryValue: true,
  perField: true,
  fix: 'sign the text without HTML entities',
  variants: ({ fields }) => {
    const escapes = distinct([...HTML_ESCAPES, ...NUMERIC_REFERENCES], fields);
    return [
      ...escapes
        .filter(changesText(fields))
        .map(({ name, apply }) => values(`the values were escaped for HTML: ${name}`, apply)),
      ...rarely([
        ...inFamily(
          'the whole string was escaped for HTML',
          escapes.map(({ name, apply }) =>
            rewritten(`the whole string was escaped for HTML: ${name}`, apply),
          ),
        ),
        rewritten(
          'the string was copied from a page that showed it as HTML (&timestamp as ×tamp)',
          shownAsHtml,
        ),
      ]),
      ...signedBeforeEncoding(
        fields,
        'the values were signed before they were escaped for HTML',
        htmlUnescaped,
      ),
    ];
  },
};

/** Characters that are not ASCII as numeric references. */
const NUMERIC_REFERENCES: readonly TextEncoding[] = [
  { name: 'numeric references', apply: references((code) => `&#${code};`) },
  { name: 'hexadecimal references', apply: references((code) => `&#x${code.toString(16)};`) },
];

function references(print: (code: number) => string): TextEncoding['apply'] {
  return (text) =>
    text.replace(/[^\0-\x7f]/gu, (character) => print(character.codePointAt(0) ?? 0));
}

export const stringQuoted: Mistake = {
  id: 'string-quoted',
  readsEveryValue: true,
  perField: true,
  fix: 'sign the characters of a text, without quotes and without escapes',
  variants: ({ fields, mode }) => {
    const texts = new Set(
      fields.filter(({ value }) => value.kind === 'string').map(({ name }) => name),
    );
    const probe = fields.flatMap(({ value }) => (value.kind === 'string' ? [value.value] : []));
    const quotes: readonly (readonly [string, (text: string) => string])[] = [
      ['as JSON', (text) => JSON.stringify(text)],
      ['as JSON with \\u escapes (json.dumps of Python)', (text) => escapedJson(text, NOT_ASCII)],
      ['as JSON with \\u003c (encoding/json of Go)', (text) => escapedJson(text, HTML_IN_JSON)],
      [
        'as JSON with \\u escapes and "\\/" (json_encode of PHP)',
        (text) => escapedJson(text, NOT_ASCII).replaceAll('/', '\\/'),
      ],
      ['as JSON with "\\/"', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
      ['as Optional("…") of Swift', (text) => `Optional(${JSON.stringify(text)})`],
      ['as String("…") of Rust', (text) => `String(${JSON.stringify(text)})`],
      ['in double quotes', (text) => `"${text}"`],
      ['in single quotes', (text) => `'${text}'`],
    ];
    const seen = new Set<string>();
    return quotes.flatMap(([how, quote], index) => {
      const outcome = probe.map(quote).join('\n');
      if (seen.has(outcome)) return [];
      seen.add(outcome);
      const quoted =
        (applies: (pair: { source: string }) => boolean): PairEdit =>
        (pair) =>
          texts.has(pair.name) && applies(pair) ? { ...pair, value: quote(pair.value) } : pair;
      const cost = index === 0 ? USUAL : 3;
      return [
        edited(
          `texts were signed ${how}`,
          quoted(({ source }) => mode === 'body' || source !== 'header'),
        ),
        mode === 'body'
          ? edited(
              `texts of business fields were signed ${how}`,
              quoted(({ source }) => source === 'business'),
            )
          : edited(
              `texts and headers were signed ${how}`,
              quoted(() => true),
            ),
      ].map((variant) => ({ ...variant, cost }));
    });
  },
};

const NOT_ASCII = /[^\0-\x7f]/g;
const HTML_IN_JSON = /[<>&\u2028\u2029]/g;

function escapedJson(text: string, pattern: RegExp): string {
  return JSON.stringify(text).replace(pattern, lowerEscape);
}

/** Names and values percent-encoded, in the charset of the signer. */
export function urlEncodedPairs({ name, apply }: TextEncoding): Variant {
  return edited(`names and values were percent-encoded (${name})`, (pair, charset) => ({
    ...pair,
    name: apply(pair.name, charset),
    value: apply(pair.value, charset),
  }));
}

function values(title: string, apply: TextEncoding['apply']): Variant {
  return edited(title, (pair, charset) => ({ ...pair, value: apply(pair.value, charset) }));
}

/** Values that were signed before they were encoded for the request. */
function signedBeforeEncoding(
  fields: Evidence['fields'],
  title: string,
  decode: TextEncoding['apply'],
): readonly Variant[] {
  return variantsIf(
    someText(fields, (text) => decode(text) !== text),
    values(title, decode),
  );
}

/** Keeps the encodings with distinct results for the texts and nested JSON of a request. */
function distinct(
  encodings: readonly TextEncoding[],
  fields: Evidence['fields'],
): readonly TextEncoding[] {
  const probe = probeOf(fields);
  const seen = new Set<string>();
  return encodings.filter(({ apply }) => {
    const outcome = apply(probe);
    return !seen.has(outcome) && seen.add(outcome);
  });
}

function changesText(fields: Evidence['fields']): (encoding: TextEncoding) => boolean {
  const probe = probeOf(fields);
  return ({ apply }) => apply(probe) !== probe;
}

function probeOf(fields: Evidence['fields']): string {
  return `${allTexts(fields).join('')} "{}[]:,`;
}
