/** Makes white space and invisible characters visible. */
export function visible(text: string): string {
  return text.replace(/[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}·→↵]/gu, (character) => {
    const name = NAMES[character];
    if (name !== undefined) return name;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `<U+${code}>`;
  });
}

/** Makes control characters visible, so that a text from a request stays on one line. */
export function visibleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu, visible);
}

/** Escapes control characters in JSON, which a terminal would interpret. The value is unchanged. */
export function visibleJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, utf16Escapes);
}

/** `\u000a` or `\ud83d\ude00`: a character as escapes in JSON, JavaScript and Java. */
export function utf16Escapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

const NAMES: Record<string, string | undefined> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '<CR>' };
