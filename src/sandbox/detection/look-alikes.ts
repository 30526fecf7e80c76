import { Converter } from 'opencc-js/t2cn';

/** The characters by which Chinese is known, and whose traditional form gives way. */
export const HAN = /[\u3400-\u9fff]/;

/** Letters of other alphabets that pass for a Latin one, after Unicode's list of confusables (UTS 39). */
const GROUPS: Readonly<Record<string, string>> = {
  a: 'аɑαᴀΑ',
  b: 'ЬƄʙВΒ',
  c: 'сϲᴄ',
  d: 'ԁɗᴅ',
  e: 'еҽεᴇΕ',
  f: 'ſꜰ',
  g: 'ɡɢ',
  h: 'һʜНΗ',
  i: 'іıιɩɪΙ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  l: 'ӏǀʟ',
  m: 'мᴍМΜ',
  n: 'ոηɴΝ',
  o: 'оοօσᴏ',
  p: 'рρᴘΡ',
  q: 'ԛգ',
  r: 'гʀ',
  s: 'ѕꜱƽ',
  t: 'тτᴛ',
  u: 'υսᴜʋ',
  v: 'νѵᴠ',
  w: 'ԝωᴡ',
  x: 'хχΧ',
  y: 'уγүʏΥ',
  z: 'ᴢʐΖ',
  "'": '‘’ʼ´',
  '"': '“”„«»',
  '-': '‐‑‒',
};

/** What a character passes for. */
export const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(GROUPS).flatMap(([letter, group]) => [...group].map((each) => [each, letter])),
);

const simplify = Converter({ from: 't', to: 'cn' });
/** Filled as characters come; forms of "you" that differ in politeness alone are one. */
const simplified = new Map([
  ['妳', '你'],
  ['您', '你'],
]);

/** The simplified form of a Chinese character, or the character. */
export function simplifiedForm(character: string): string {
  const known = simplified.get(character);
  if (known !== undefined) return known;
  const form = simplify(character);
  simplified.set(character, form);
  return form;
}
