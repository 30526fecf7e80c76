/** The structure of English messages. */

/** Two words in lower case, outside quotes: a text that contains them is language, not data. */
export function hasProse(text: string): boolean {
  const language = text.replaceAll(STYLES, '').replaceAll(QUOTED, '""');
  return /(?:^|[\s(])[a-z]{2,} [a-z]{2,}(?:$|[\s,.;:)])/.test(language);
}

/** A text in quotes, with escapes as in JSON. A quote that stays open ends with the text. */
const QUOTED = /"(?:[^"\\]|\\.)*("|\\?$)/gs;

/** The texts in quotes. */
export function quotesIn(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map(([quote]) => quote.replaceAll(/^"|"$/g, ''));
}

/** The items of a list such as `a, "b, c", 3`. A quote begins only at the start of an item. */
export function itemsOf(list: string): readonly string[] {
  const item = /(?<=^|, )(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|'[^']*(?:'|$))?(?:(?!, ).)*/gs;
  return list.match(item) ?? [];
}

/** Whether a text has letters, which a translation may need. */
export function hasWord(text: string): boolean {
  return /[a-z]{2}/i.test(text);
}

/** The control sequences of styles. */
const STYLES = /\p{Cc}\[[\d;]+m/gu;

/** Whether a text has styles. Its parts are translated one by one. */
export function isStyled(text: string): boolean {
  return text.search(STYLES) >= 0;
}

/** Whether only a part of a text is styled: it is a label and a text, and not one value. */
export function isPartlyStyled(text: string): boolean {
  const [first = '', ...others] = text.split(STYLES);
  return others.length > 0 && `${first}${others.at(-1)}`.trim() !== '';
}

/** An object, a list or a string of JSON, or a word in the quotes of a shell. */
export function isLiteral(text: string): boolean {
  if (/^'[^']*'$/.test(text)) return true;
  return (/^[[{]/.test(text) && /[\]}]$/.test(text)) || /^"(?:[^"\\]|\\.)*"$/.test(text);
}

/** A style around a whole text. */
const WHOLE_STYLE = /^(\p{Cc}\[[\d;]+m)(.*)\p{Cc}\[[\d;]+m$/su;

/** A text without the spaces and the style around it, and its start. */
export function peeled(text: string): readonly [start: number, core: string] {
  const core = text.trim();
  const start = text.length - text.trimStart().length;
  const [, style = '', inner = core] = WHOLE_STYLE.exec(core) ?? [];
  return isStyled(inner) ? [start, core] : [start + style.length, inner];
}

/** A text and the note in parentheses at its end, which may contain parentheses itself. */
export function annotated(text: string): readonly [text: string, note: string] | undefined {
  if (!text.endsWith(')')) return undefined;
  let depth = 0;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ')') depth++;
    if (text[at] === '(') depth--;
    if (depth > 0) continue;
    const isSeparate = text[at - 1] === ' ' && at > 1;
    return isSeparate ? [text.slice(0, at - 1), text.slice(at + 1, -1)] : undefined;
  }
  return undefined;
}

/** Whether a part of a text contains both parentheses of each pair, and whole quotes. */
export function isBalanced(part: string): boolean {
  const outside = part.replaceAll(QUOTED, (_, end: string) => (end === '"' ? '' : '"'));
  const count = (sign: string): number => outside.split(sign).length - 1;
  return count('(') === count(')') && !outside.includes('"');
}

/** Whether a text contains the end of a clause, outside quotes. */
export function hasClause(text: string): boolean {
  return /[;:](?: |$)/.test(text.replaceAll(QUOTED, ''));
}

/** The first word of a text and the space after it, if it cannot be English, such as a path. */
export function dataWord(text: string): string | undefined {
  const end = text.indexOf(' ');
  const word = text.slice(0, end);
  return end > 0 && /^[^a-z]|.[\d./"_]/i.test(word) ? `${word} ` : undefined;
}

/** The names of a list such as `body or header`, and its conjunction. */
export function namesOf(
  text: string,
): { readonly names: readonly string[]; readonly conjunction: string } | undefined {
  const words = text.split(' ');
  const [last = '', conjunction = '', ...others] = words.reverse();
  const names = others.reverse();
  const isList = names.every(
    (name, at) => /^[^,]+/.test(name) && name.endsWith(',') === at < names.length - 1,
  );
  if (!/^(?:or|and)$/.test(conjunction) || names.length === 0 || !isList) return undefined;
  return { names: [...names.map((name) => name.replace(/,$/, '')), last], conjunction };
}
