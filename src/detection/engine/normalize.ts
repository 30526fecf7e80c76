import { Converter } from 'opencc-js/t2cn';
import { MappedText } from './mapped-text.ts';
import WORD_FORMS from './word-forms.json' with { type: 'json' };

/** The characters that identify Chinese and are simplified. */
export const HAN = /[\u3400-\u9fff]/;

type Forms = Readonly<Record<string, string>>;

/** Contractions without their apostrophe, and spoken forms. */
const SHORT_FORMS: Forms = WORD_FORMS.shortForms;
const VERBS: Forms = WORD_FORMS.verbs;
const DIGITS: Forms = WORD_FORMS.digits;
/** Letters of other alphabets that look like a Latin letter (Unicode's confusables, UTS 39). */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(WORD_FORMS.lookAlikes).flatMap(([letter, group]) =>
    [...group].map((each) => [each, letter]),
  ),
);

const simplify = Converter({ from: 't', to: 'cn' });

/** The simplified form of a Chinese character, or the character; polite "you" becomes plain. */
function simplifiedForm(character: string): string {
  return character === '妳' || character === '您' ? '你' : simplify(character);
}

/**
 * A copy of a text for matching. Similar-looking characters become equal (NFKC, case, accents,
 * invisible characters, look-alike letters, traditional Chinese). Contractions are expanded, and
 * white space is one space or one line feed.
 */
export function normalize(source: string): MappedText {
  return STEPS.reduce(
    (mapped, [pattern, replacement]) => mapped.replace(pattern, replacement),
    MappedText.of(source),
  );
}

/** Large enough for Unicode's first plane: a text of all its characters must not be slow. */
const MAX_FOLDED = 70_000;
const folded = new Map<string, string>();

function foldOnce(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const result = foldCharacter(character);
  // Evicting one at a time is slow in a large map.
  if (folded.size === MAX_FOLDED) folded.clear();
  folded.set(character, result);
  return result;
}

/** Folds a character beyond ASCII; removes an invisible one. */
function foldCharacter(character: string): string {
  if (HAN.test(character)) return simplifiedForm(character);
  const known = LOOKALIKES.get(character);
  if (known !== undefined) return known;
  // Decompose first, to remove accents and invisible characters.
  const plain = character.normalize('NFKD').replace(INVISIBLE, '');
  // Some characters expand to a whole phrase: a short text would become a long one.
  if (plain.length > MAX_FOLDED_LENGTH) return ' ';
  return [...plain].map(foldPlain).join('');
}

/** An upper-case letter may look like a different letter than its lower-case form. */
function foldPlain(character: string): string {
  if (HAN.test(character)) return simplifiedForm(character);
  const lower = character.toLowerCase();
  return LOOKALIKES.get(character) ?? LOOKALIKES.get(lower) ?? lower;
}

const MAX_FOLDED_LENGTH = 4;
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

type Step = readonly [pattern: RegExp, replacement: (match: RegExpExecArray) => string];

const STEPS: readonly Step[] = [
  // White space first: later patterns then match one or two spaces.
  [/ [^\S\n]+|[^\S\n ][^\S\n]*/g, () => ' '],
  // Joins wrapped lines, but not paragraphs or sentences. Up to three emphasis marks or invisible
  // characters may end a line; without that limit, a long text would take quadratic time.
  [/ ?\n ?(?<=[\p{Ll},][*_`~\p{Cf}]{0,3} ?\n ?)(?=[*_`~\p{Cf}]{0,3}\p{Ll})/gu, () => ' '],
  [/ ?\n[ \n]*/g, () => '\n'],
  [/[A-Z]+/g, ([letters]) => letters.toLowerCase()],
  [/[^\0-\x7f]/gu, ([character]) => foldOnce(character)],
  // An underscore inside a word separates words.
  [/(?<=[a-z0-9])_+(?=[a-z0-9])/g, () => ' '],
  // Markdown emphasis, also inside a word.
  [/[*_`~]+/g, () => ''],
  // Folding may have added spaces.
  [/ {2,}/g, () => ' '],
  [new RegExp(`(?<=${HAN.source})[ ·•.|/-](?=${HAN.source})`, 'g'), () => ''],
  // A spelt-out word, as in "k i l l" or "k.i.l.l".
  [
    /(?<![a-z0-9'])[a-z0-9$@]([ .-])[a-z0-9$@](?![a-z0-9'])(?:\1[a-z0-9$@](?![a-z0-9'])){2,}/g,
    ([word]) => word.replace(/[ .-]/g, ''),
  ],
  // Digits used as letters inside a word.
  [/(?<=[a-z])[013457@$](?=[a-z])/g, ([digit]) => DIGITS[digit] ?? digit],
  [
    /\b([a-z]+)'([a-z]+)\b/g,
    ([word, before = '', after = '']) => expandContraction(word, before, after),
  ],
  [
    new RegExp(`\\b(?:${Object.keys(SHORT_FORMS).join('|')})\\b`, 'g'),
    ([word]) => SHORT_FORMS[word] ?? word,
  ],
];

/** Expands a contraction with an apostrophe. Returns any other word unchanged. */
function expandContraction(word: string, before: string, after: string): string {
  if (word === "can't") return 'can not';
  if (word === "won't") return 'will not';
  if (word === "let's") return 'let us';
  if (after === 't' && before === 'n') return 'not';
  if (after === 't' && before.endsWith('n')) return `${before.slice(0, -1)} not`;
  if (after === 's') return IS_FOLLOWS.test(before) ? `${before} is` : word;
  const verb = Object.hasOwn(VERBS, after) ? VERBS[after] : undefined;
  return verb === undefined ? word : `${before} ${verb}`;
}

/** After these words, 's means "is"; after other words, it is a possessive. */
const IS_FOLLOWS =
  /^(?:it|that|this|there|here|what|who|where|how|he|she|(?:every|some|any|no)(?:one|body|thing))$/;
