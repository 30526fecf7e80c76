/** The composition of Chinese texts. */

/** Chinese characters and full-width punctuation. */
const WIDE_END = /[\p{Script=Han}\u3000-\u303f\uff01-\uff5e“”]$/u;
const WIDE_START = /^[\p{Script=Han}\u3000-\u303f\uff01-\uff5e“”]/u;

/** Two texts, without the space between them if both sides are Chinese. */
export function spaced(before: string, after: string): string {
  if (/[^ ] $/.test(before.slice(-2)) && WIDE_START.test(after)) {
    const text = before.slice(0, -1);
    // Full-width punctuation has its own space.
    if (WIDE_END.test(text) || PUNCTUATION_START.test(after)) return text + after;
  }
  const startsWithSpace = /^ [^ ]/.test(after);
  if (startsWithSpace && WIDE_END.test(before) && WIDE_START.test(after.slice(1))) {
    return before + after.slice(1);
  }
  return before + after;
}

const PUNCTUATION_START = /^[（，。；：？！、）]/;

const HAN_END = /\p{Script=Han}\s*$/u;
const HAN_START = /^\s*\p{Script=Han}/u;

/**
 * A value of the user between two texts. Where Chinese touches Chinese, only quotes show where the
 * value begins and ends.
 */
export function quoted(value: string, before: string, after: string): string {
  const touches =
    (HAN_START.test(value) && HAN_END.test(before.slice(-3))) ||
    (HAN_END.test(value.slice(-3)) && HAN_START.test(after.slice(0, 3)));
  return touches && !after.startsWith('=') ? `"${value}"` : value;
}

/**
 * A translation with its values, in the order of `{}` or by the numbers of `{1}`, `{2}` …
 *
 * @param isKept Whether a value is one of the user.
 */
export function filled(
  translation: string,
  values: readonly string[],
  isKept: (at: number) => boolean = () => false,
): string {
  let next = 0;
  const parts = translation.split(/(\{\d?\})/);
  return parts.reduce((text, part, index) => {
    const [, position] = /^\{(\d?)\}$/.exec(part) ?? [];
    if (position === undefined) return spaced(text, part);
    const at = position === '' ? next++ : Number(position) - 1;
    const value = values[at] ?? '';
    return spaced(text, isKept(at) ? quoted(value, text, parts[index + 1] ?? '') : value);
  }, '');
}

/** A translation without a note that repeats the value before it: a platform may answer in Chinese. */
export function withoutRepetition(translation: string, values: readonly string[]): string {
  const [value = '', note = ''] = values.slice(-2);
  const isRepeated = value === note && translation.endsWith(`${value}（${note}）`);
  return isRepeated ? translation.slice(0, -note.length - 2) : translation;
}

/** Names as a list: `a、b 或 c`. */
export function listOf(names: readonly string[], conjunction: string): string {
  const word = conjunction === 'or' ? '或' : '和';
  return `${names.slice(0, -1).join('、')} ${word} ${names.at(-1)}`;
}

type Signs = readonly (readonly [english: string, chinese: string])[];

/** The signs between sentences, and between clauses. */
export const SENTENCE_SIGNS: Signs = [
  ['; ', '；'],
  ['. ', '。'],
];
export const CLAUSE_SIGNS: Signs = [
  [': ', '：'],
  [', ', '，'],
];
