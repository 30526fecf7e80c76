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

/**
 * A value of the user, after a text. Only quotes show where a Chinese value begins and ends in a
 * Chinese sentence. It has a sign of its own after `name=` or a quote.
 */
export function quoted(value: string, before: string): string {
  const isChinese = WIDE_START.test(value) || WIDE_END.test(value);
  return isChinese && !/[!-/:-@[-`{-~]$/.test(before) ? `"${value}"` : value;
}

/** A translation with its values, in the order of `{}` or by the numbers of `{1}`, `{2}` … */
export function filled(translation: string, values: readonly string[]): string {
  let next = 0;
  return translation.split(/(\{\d?\})/).reduce((text, part) => {
    const [, position] = /^\{(\d?)\}$/.exec(part) ?? [];
    if (position === undefined) return spaced(text, part);
    const at = position === '' ? next++ : Number(position) - 1;
    return spaced(text, values[at] ?? '');
  }, '');
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
