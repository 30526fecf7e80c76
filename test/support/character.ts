import fc from 'fast-check';

/** Half surrogate pairs are not characters. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any Unicode character. The unit `binary` of fast-check does the same, but lists a million characters
 * first, which takes a second.
 */
export const CHARACTER = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map(characterAt, (value) => placeOf(String(value)));

function characterAt(place: number): string {
  const { first, count } = SURROGATES;
  return String.fromCodePoint(place < first ? place : place + count);
}

/** fast-check adds names such as `__proto__` to the strings if it can read their characters. */
function placeOf(character: string): number {
  const code = character.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one');
  return code < SURROGATES.first ? code : code - SURROGATES.count;
}
