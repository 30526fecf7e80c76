/** The encodings in which programs write one text into another, character by character. */
export const ENCODINGS = {
  unchanged: (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON of PHP': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', '\\/')
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'JSON in ASCII digits': (text) =>
    [...Array(text.length).keys()]
      .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  'an address': encodeURIComponent,
  'an address with lower-case escapes': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'an address in which each byte is escaped': (text) =>
    Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  HTML: (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  'HTML in hexadecimal numbers': (text) =>
    [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
  'upper case': (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'UTF-16 read as UTF-8': (text) => [...text].join('\0'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'bytes as Python prints them': (text) =>
    Buffer.from(text).toString('hex').replace(/../g, '\\x$&'),
} satisfies Record<string, (text: string) => string>;

/** Encodings of a whole text, in which a secret begins at any offset. */
export const BASE64 = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
} satisfies Record<string, (text: string) => string>;
