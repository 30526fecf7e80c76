/** A UTF-16 code unit as `\uXXXX`, hex digits in lower case as most languages write them. */
export function lowerEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The same with hex digits in upper case, as .NET writes them. */
export function upperEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
