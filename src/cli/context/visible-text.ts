import { utf16Escapes } from '../../notations/utf16-escapes.ts';

/** Makes white space and invisible characters visible. */
export function visible(text: string): string {
  return text.replace(/[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}·→↵]/gu, (character) => {
    const name = NAMES[character];
    if (name !== undefined) return name;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `<U+${code}>`;
  });
}

/**
 * Characters that control a terminal, reorder a text, or are invisible, except those that select
 * the form of an emoji.
 */
const UNSAFE = /(?![\ufe0e\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes control characters visible, so that a text from outside stays on one line. */
export function visibleLine(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** {@link visibleLine} for a text of several lines: keeps line ends and tabs. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (unsafe) => (/[\n\t]/.test(unsafe) ? unsafe : visible(unsafe)));
}

/** Escapes the characters in JSON that {@link visibleText} changes. The value is unchanged. */
export function visibleJson(json: string): string {
  // Strings in JSON contain no other control characters: they are line ends, or belong to a style.
  return json.replace(UNSAFE, (unsafe) => (unsafe < ' ' ? unsafe : utf16Escapes(unsafe)));
}

const NAMES: Record<string, string | undefined> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '<CR>' };
