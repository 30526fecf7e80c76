/** The encodings in which programs write one text into another. */
export const ENCODINGS = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON of PHP': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', '\\/')
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'an address': encodeURIComponent,
  'an address with lower-case escapes': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  HTML: (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
} satisfies Record<string, (text: string) => string>;

/** Encodings of a whole text, in which a secret begins at any offset. */
export const BASE64 = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
} satisfies Record<string, (text: string) => string>;
