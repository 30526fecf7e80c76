import { isNested } from '../../../json/value.ts';
import { encodeAscii, encodeGbk, encodeLatin1 } from '../languages/charset.ts';
import { HTML_ESCAPES, htmlUnescaped, shownAsHtml } from '../languages/html-entities.ts';
import { type TextEncoding, URL_ENCODERS, urlDecoded } from '../languages/url-encoding.ts';
import {
  type Evidence,
  type Mistake,
  rarely,
  type Variant,
  variantsIf,
  withSteps,
} from '../mistake.ts';
import type { PairEdit, Steps } from '../signer.ts';
import { allTexts, someText } from '../values.ts';

/** What is done to text that should be signed as it is, in UTF-8 (D1 section 1). */

const FIX_CHARSET = 'take the MD5 of the string in UTF-8';

export const charsetGbk: Mistake = {
  id: 'charset-gbk',
  looksInside: true,
  fix: FIX_CHARSET,
  variants: (evidence) =>
    charsetVariants(evidence, [
      ['the string was encoded in GBK', encodeGbk],
      ['UTF-8 was taken for GBK and encoded again', misreadAsGbk],
    ]),
};

export const charsetLatin1: Mistake = {
  id: 'charset-latin1',
  looksInside: true,
  fix: FIX_CHARSET,
  variants: (evidence) =>
    charsetVariants(evidence, [
      ['the string was encoded in Latin-1', encodeLatin1],
      ['the string was encoded in ASCII', encodeAscii],
      ['UTF-8 was taken for Latin-1 and encoded again', misreadAsLatin1],
    ]),
};

export const valueUrlEncoded: Mistake = {
  id: 'value-url-encoded',
  looksInside: true,
  fix: 'sign the values as they are in the JSON, without percent-encoding',
  variants: ({ fields }) => {
    const encoders = distinct(URL_ENCODERS, fields);
    // Splitting nested JSON makes names that need encoding.
    const hasOddNames = fields.some(({ name, value }) => /\W/.test(name) || isNested(value));
    return [
      ...encoders.map(({ name, apply }) =>
        values(`the values were percent-encoded (${name})`, apply),
      ),
      ...(hasOddNames ? encoders : []).map(urlEncodedPairs),
      ...rarely(
        encoders.map(({ name, apply }) =>
          values(`the values were percent-encoded twice (${name})`, (text) => apply(apply(text))),
        ),
      ),
      ...rarely(
        encoders.map(({ name, apply }) =>
          rewritten(`the whole string was percent-encoded (${name})`, apply),
        ),
      ),
      ...undone(fields, 'the values were signed before they were percent-encoded', urlDecoded),
    ];
  },
};

export const htmlEntities: Mistake = {
  id: 'html-entities',
  looksInside: true,
  fix: 'sign the text as it is, without HTML entities',
  variants: ({ fields }) => {
    const escapes = distinct(HTML_ESCAPES, fields);
    return [
      ...escapes
        .filter(changesText(fields))
        .map(({ name, apply }) => values(`the values were escaped for HTML: ${name}`, apply)),
      ...rarely([
        ...escapes.map(({ name, apply }) =>
          rewritten(`the whole string was escaped for HTML: ${name}`, apply),
        ),
        rewritten(
          'the string was copied from a page that showed it as HTML (&timestamp as ×tamp)',
          shownAsHtml,
        ),
      ]),
      ...undone(fields, 'the values were signed before they were escaped for HTML', htmlUnescaped),
    ];
  },
};

export const stringQuoted: Mistake = {
  id: 'string-quoted',
  looksInside: true,
  fix: 'sign the characters of a text, without quotes and without escapes',
  variants: ({ fields, mode }) => {
    const texts = new Set(
      fields.filter(({ value }) => value.kind === 'string').map(({ name }) => name),
    );
    const quotes: readonly (readonly [string, (text: string) => string])[] = [
      ['as JSON', (text) => JSON.stringify(text)],
      ['in double quotes', (text) => `"${text}"`],
      ['in single quotes', (text) => `'${text}'`],
    ];
    return quotes.flatMap(([how, quote]) => {
      const quoted =
        (isMeant: (pair: { source: string }) => boolean): PairEdit =>
        (pair) =>
          texts.has(pair.name) && isMeant(pair) ? { ...pair, value: quote(pair.value) } : pair;
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
      ];
    });
  },
};

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

function edited(title: string, edit: PairEdit): Variant {
  return { title, change: (signer) => signer.withEdit(edit) };
}

function rewritten(title: string, apply: TextEncoding['apply']): Variant {
  return {
    title,
    change: (signer) => {
      const { rewrite } = signer.steps;
      return signer.with({ rewrite: (text) => apply(rewrite(text)) });
    },
  };
}

/** Values that are encoded in the request but were signed before. */
function undone(
  fields: Evidence['fields'],
  title: string,
  decode: TextEncoding['apply'],
): readonly Variant[] {
  return variantsIf(
    someText(fields, (text) => decode(text) !== text),
    values(title, decode),
  );
}

/** The encodings that differ on the texts of a request and on what nested JSON adds to them. */
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

function charsetVariants(
  { fields, secret }: Evidence,
  charsets: readonly (readonly [title: string, encode: Steps['encode']])[],
): readonly Variant[] {
  if (!someText(fields, hasNonAscii) && !hasNonAscii(secret)) return [];
  const touched = fields
    .filter((field) => hasNonAscii(field.name) || someText([field], hasNonAscii))
    .map(({ name }) => name);
  return charsets.map(([title, encode]) => ({ ...withSteps(title, { encode }), fields: touched }));
}

function misreadAsGbk(text: string): string {
  return new TextDecoder('gbk').decode(Buffer.from(text));
}

function misreadAsLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function hasNonAscii(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}
