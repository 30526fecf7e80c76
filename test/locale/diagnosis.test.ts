/** Checks that every known mistake of a signer, and its fix, has a Chinese text. */
import { expect, it } from 'vitest';
import { hasProse } from '../../src/locale/english.ts';
import { Entries } from '../../src/locale/entries.ts';
import { Translator } from '../../src/locale/translator.ts';
import { ZH } from '../../src/locale/zh.ts';
import { CATALOGUE, LATER } from '../../src/signing/diagnosis/catalogue.ts';
import { FIXES } from '../../src/signing/diagnosis/fixes.ts';

const translator = new Translator(new Entries(ZH));
const mistakes = [...Object.values(CATALOGUE).flat(), ...LATER];
const titles = new Set(mistakes.flatMap(({ rows }) => rows.map(({ title }) => title)));

it.each([
  ['title', titles],
  ['fix', Object.values(FIXES)],
])('each %s is in Chinese', (_, texts) => {
  const english = [...texts]
    .map((text) => translator.text(text))
    // Quotes, notes and code name functions and samples of languages.
    .filter((text) => {
      const words = text.replaceAll(/"[^"]*"|（[^）]*）/g, ' ').replaceAll(/\S*[.(=[_<$]\S*/g, ' ');
      return hasProse(words) || !/\p{Script=Han}/u.test(text);
    });
  expect(titles.size).toBeGreaterThan(900);
  expect(english).toEqual([]);
});
