/** Checks the Chinese texts: their values, words and punctuation. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Entries } from '../../src/locale/entries.ts';
import { Translator } from '../../src/locale/translator.ts';
import { ZH } from '../../src/locale/zh.ts';

const texts = Object.entries({ ...ZH.texts, ...ZH.composed });
const all = [...texts, ...Object.entries(ZH.words)];

/** Quotes, names, commands and options: they are not words of a language. */
const CODE =
  /--(?:mode|as) \w+(?: or \w+)?|\w+\("[^"]*"\)|"[^"]*"|'[^']*'|\{[^}]*\}|\S*[@&/\\.=_$<>]\S*|(?<!\S)--?[a-z][\w-]*(?: [a-z]+,? or [a-z]+)?|\b(?:mop|bill|--mode|--as) [a-z]+(?: [a-z]+)?|md5\(|\[object/g;

/** Phrases in which a term of the glossary has another sense. */
const OTHER_SENSES =
  /digest is HMAC|statistical estimate|timestamp and nonce|for timestamp|paid or refund|, or --as headers|escape of JavaScript|in a row|rows? of their|body, header|without sign|Query, Mutation|^summary(?=: )/g;

/** Texts with a value that Chinese does not need: the form of a verb. */
const DROPPED = /^\{\} rows? \{\} fewer|^\{\} \{\} several rows|^the shell would replace/;

it('each text is translated, with its values unchanged', () => {
  const translator = new Translator(new Entries(ZH));
  const wrong = texts.flatMap(([text]) => {
    let count = 0;
    // A name in braces that occurs twice is a placeholder of the user.
    const names = text.match(/\{[a-z]+\}/g) ?? [];
    if (new Set(names).size < names.length) return [];
    const message = text.replaceAll(/\{[a-z]*\}/g, () => `Value${++count}`);
    const translation = translator.text(message);
    const values = Array.from({ length: count }, (_, at) => `Value${at + 1}`);
    const isComplete = values.every((value) => translation.includes(value) || DROPPED.test(text));
    return translation !== message && isComplete ? [] : [[message, translation]];
  });
  expect(wrong).toEqual([]);
});

it('has each text in one place', () => {
  const [known, composed, words] = [ZH.texts, ZH.composed, ZH.words].map(Object.keys);
  const twice = [...(composed ?? []), ...(words ?? [])].filter((text) => known?.includes(text));
  expect(twice).toEqual([]);
});

it('uses the words of the glossary', () => {
  const glossary = readFileSync(new URL('../../docs/zh/glossary.md', import.meta.url), 'utf8');
  const rows = [...glossary.matchAll(/^\| ([a-z][^|]*) \| ([^|]*) \| ?([^|]*) ?\|$/gm)];
  expect(rows.length).toBeGreaterThan(55);
  const wrong = rows.flatMap(([, term = '', chosen = '', avoided = '']) => {
    const pattern = new RegExp(`(?:^|[^\\w-])${term}(?:s|es)?(?![\\w-])`);
    const listed = (cell: string) => cell.trim().split('、').filter(Boolean);
    return all.flatMap(([text, translation]) => {
      const used = listed(avoided).filter((word) => translation.includes(word));
      const lacks =
        pattern.test(text.replaceAll(CODE, ' ').replaceAll(OTHER_SENSES, ' ')) &&
        !listed(chosen).some((word) => translation.includes(word));
      return [
        ...used.map((word) => `${word}: ${translation}`),
        ...(lacks ? [`${term}: ${text} → ${translation}`] : []),
      ];
    });
  });
  expect(wrong).toEqual([]);
});

const HAN = String.raw`\p{Script=Han}`;

it.each([
  [
    'half-width punctuation beside Chinese',
    `${HAN}[,;:?!](?![\\w/])|[,;?!]${HAN}|${HAN}\\(|\\)${HAN}`,
  ],
  ['Chinese beside a letter or a digit', `${HAN}[A-Za-z0-9]|[A-Za-z0-9]${HAN}`],
  ['a space beside full-width punctuation', ' [，。；：？！、）”]|[，。；：？！、（“] '],
  ['other quotation marks', '[‘’「」『』]'],
  ['traditional characters', '[們這為與請檔網碼]'],
])('has no %s', (_, pattern) => {
  const expression = new RegExp(pattern, 'u');
  expect(all.map(([, translation]) => translation).filter((each) => expression.test(each))).toEqual(
    [],
  );
});
