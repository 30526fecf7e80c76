/** `\u000a` or `\ud83d\ude00`. In its own file, because every command loads it. */
export function utf16Escapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
