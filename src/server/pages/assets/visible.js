/** @type {Readonly<Record<string, string>>} */
const NAMES = {
  ' ': '·',
  '\t': '→',
  '\n': '↵',
  '\r': '<CR>',
  // The marks of the server.
  '\ue000': '<api_secret>',
  '\ue001': '<other secret>',
};

/**
 * A text with white space, invisible characters and the marks of secrets made visible.
 *
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}·→↵]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return NAMES[character] ?? `<U+${code}>`;
  });
}

/** A browser needs seconds for longer texts. */
const MAX_SHOWN = 20_000;

/**
 * A text made visible; of a very long one, its start and its end.
 *
 * @param {string} text
 */
export function shortened(text) {
  if (text.length <= MAX_SHOWN) return visible(text);
  const half = MAX_SHOWN / 2;
  return `${visible(text.slice(0, half))} … ${visible(text.slice(-half))}`;
}

/**
 * A text with the marks of secrets replaced, to copy.
 *
 * @param {string} text
 */
export function withoutMarks(text) {
  return text.replace(/[\ue000\ue001]/g, (mark) => NAMES[mark] ?? mark);
}

/**
 * A text that breaks only at spaces and slashes, and in a word after 40 characters.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export function breakable(text) {
  const parts = text.match(/[^\s/]{0,40}[\s/]|[^\s/]{1,40}/gu) ?? [];
  return parts.flatMap((part) => {
    const word = document.createElement('span');
    word.className = 'word';
    word.textContent = part;
    return [word, document.createElement('wbr')];
  });
}

/** JSON that is nested deeper would be mostly indentation. */
const MAX_DEPTH = 20;

/**
 * JSON text indented, digits and escapes unchanged; any other text unchanged.
 *
 * @param {string} text
 */
export function indented(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let shown = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(
    /"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|[^\s[\]{},:"]+/g,
  )) {
    if (token === '}' || token === ']') depth--;
    if (token === '}' || token === ']') shown += line();
    shown += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    if (token === '{' || token === '[' || token === ',') shown += line();
    if (depth > MAX_DEPTH) return text;
  }
  return shown;
}
