import { Converter } from 'opencc-js/t2cn';

/** The characters that identify Chinese and are simplified. */
export const HAN = /[\u3400-\u9fff]/;

/** Letters of other alphabets that look like a Latin letter (Unicode's confusables, UTS 39). */
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

/** The Latin letter that a character looks like. */
export const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(GROUPS).flatMap(([letter, group]) => [...group].map((each) => [each, letter])),
);

const simplify = Converter({ from: 't', to: 'cn' });

/** The simplified form of a Chinese character, or the character; polite "you" becomes plain. */
export function simplifiedForm(character: string): string {
  return character === '妳' || character === '您' ? '你' : simplify(character);
}
