import { withoutNumbers } from '../../notations/encodings.ts';
import {
  decodeQuotedPrintable,
  withoutBackslashes,
  withoutEntities,
  withoutPercents,
  withoutSums,
} from '../../notations/escapes.ts';
import { splitComments, withoutMarkup } from '../../notations/markup.ts';
import { base64Bytes, strictUtf8Text, utf8Text } from '../../signing/bytes.ts';
import { decodeBase64, decodeHex, isText } from './runs.ts';

/** A notation of characters or bytes, which is decoded where it is. */
interface InPlace {
  readonly name: string;
  /** Returns the text unchanged when it does not have the notation. */
  readonly decode: (text: string) => string;
}

/**
 * In the order of trial: notations that may break the lines or letters of another one come first.
 */
export const IN_PLACE: readonly InPlace[] = [
  { name: 'disguised letters', decode: withoutDisguise },
  { name: 'a code fence', decode: withoutFence },
  { name: 'quoted-printable', decode: withoutQuotedPrintable },
  { name: 'encoded words', decode: withoutEncodedWords },
  { name: 'a form', decode: withoutForm },
  { name: 'percent-encoding', decode: (text) => withoutPercents(text).at(-1) ?? text },
  { name: 'entities', decode: withoutAnyEntities },
  { name: 'markup', decode: withoutMarkupAndComments },
  { name: 'shell quotes', decode: (text) => text.replace(/'(?:\\'|"'")'/g, "'") },
  { name: 'sums of strings', decode: (text) => withoutSums(text)[0] ?? text },
  { name: 'backslash escapes', decode: withoutEscapes },
  { name: 'codes of characters', decode: decodeCodes },
  { name: 'Base64', decode: (text) => decodeBase64(text) },
  { name: 'hex digits', decode: (text) => decodeHex(text) },
  { name: 'numbers', decode: (text) => withoutNumbers(text)[0] ?? text },
];

const ESC = '\u001b';
const BELL = '\u0007';
/** Commands that a terminal does not show, such as colours. */
const TERMINAL = new RegExp(
  `${ESC}(?:\\[[\\d;?]{0,50}[@-~]|\\][^${BELL}${ESC}]{0,1000}(?:${BELL}|${ESC}\\\\))`,
  'g',
);
/** Invisible characters between visible ones. Some scripts need them, so Latin and Han only. */
const HIDDEN =
  /(?<=[\p{sc=Latin}\p{sc=Han}\p{P}\s\d+=])(?:(?![\t\n\r\f\v])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]){1,200}(?=[\p{sc=Latin}\p{sc=Han}\p{P}\s\d+=])/gu;
/** Full-width letters and digits, and letters of mathematics. */
const WIDE = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/gu;
/** Characters of tags copy ASCII invisibly. After a flag, they name a region. */
const TAGS = /(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]{0,30})[\u{e0020}-\u{e007e}]{2,}/gu;
const FIRST_TAG = 0xe0000;

export function tagTexts(text: string): readonly string[] {
  return (text.match(TAGS) ?? []).map(tagText);
}

function tagText(tags: string): string {
  return Array.from(tags, (tag) =>
    String.fromCodePoint((tag.codePointAt(0) ?? 0) - FIRST_TAG),
  ).join('');
}

function withoutDisguise(text: string): string {
  return text
    .replace(TAGS, tagText)
    .replace(TERMINAL, '')
    .replace(HIDDEN, '')
    .replace(WIDE, (letter) => letter.normalize('NFKC'));
}

/** The content of a code fence that is the whole text. */
function withoutFence(text: string): string {
  return /^\s*```[\w-]{0,30}[ \t]*\r?\n((?:(?!```)[\s\S])*)```\s*$/.exec(text)?.[1] ?? text;
}

/** Decodes each part of a message that has the notation: another part may be Base64. */
function withoutQuotedPrintable(text: string): string {
  const parts = text.split(/^(?=--\S)/m);
  return parts
    .map((part) => (QUOTED_PRINTABLE.test(part) ? decodeQuotedPrintable(part) : part))
    .join('');
}

/** A soft line end, UTF-8 or the header of a part: elsewhere, `=20` may be part of code. */
const QUOTED_PRINTABLE =
  /[^\w+/=\r\n-][^\n]{0,200}=\r?\n\S|=[C-F][\dA-F]=[89AB][\dA-F]|encoding: *quoted-printable/i;

/** Words of a mail header (RFC 2047). */
function withoutEncodedWords(text: string): string {
  return text.replace(
    /=\?utf-8\?(?:b\?([\w+/=]{1,1000})|q\?([^?\s]{1,1000}))\?=(?:\s{1,3}(?==\?))?/gi,
    (_, base64, quoted) =>
      base64 === undefined
        ? decodeQuotedPrintable(quoted.replaceAll('_', ' '))
        : utf8Text(base64Bytes(base64)),
  );
}

/** `a=1&b=x+y` and `a+b+c`: in such a word, `+` is a space. */
function withoutForm(text: string): string {
  return text.replace(/\S+/g, (word) =>
    (/(?:^|[?&])[\w.[\]-]{1,100}=[^=]|%[\da-f]{2}/i.test(word) && /[^+]\+[^+]/.test(word)) ||
    (/[^+]\+[^+]+\+[^+]/.test(word) && !/\+\+|^\+|\+$|[^+\p{L}\p{P}]/u.test(word))
      ? word.replace(/[+]/g, ' ').replace(/&(?=[\w.[\]-]{1,100}=)/g, '\n')
      : word,
  );
}

/** Entities without a known character are spaces or, within words, invisible. */
function withoutAnyEntities(text: string): string {
  const decoded = withoutEntities(text)[0] ?? text;
  return decoded.replace(/&[a-z]{1,3}sp;/gi, ' ').replace(/(?<=\p{L}\s?)&[a-z]{2,25};/giu, '');
}

function withoutMarkupAndComments(text: string): string {
  if (!text.includes('<')) return text;
  const { rest } = splitComments(text);
  return withoutMarkup(rest)[0] ?? rest;
}

/** Only escapes of characters: prose may contain other backslashes. */
function withoutEscapes(text: string): string {
  return /\\(?:u\{?[\da-f]{2}|x[\da-f]{2}|[0-3][0-7]{2}|n|t| )/i.test(text)
    ? (withoutBackslashes(text)[0] ?? text)
    : text;
}

/** Numbers of characters or bytes, each after the same mark: `0x59, 0x6f`, `%u0059`, `chr(89)+chr(111)`. */
const MARKED =
  /([^\s\w]{1,3}(?:0?x|u)?|0x|u\+|\b[a-z]{1,8}\()([\da-f]{2,6})(?:[\s,;?)+.&]{0,4}\1[\da-f]{2,6}){7,20000}/gi;

/** Decodes marked numbers in place, as decimal or else as hexadecimal numbers. */
function decodeCodes(text: string): string {
  return text.replace(MARKED, (run, mark: string) => {
    const numbers = run
      .split(mark)
      .slice(1)
      .map((each) => /^[\da-f]+/i.exec(each)?.[0] ?? '');
    return codesText(numbers, 10) ?? codesText(numbers, 16) ?? run;
  });
}

/** Bytes of UTF-8, or else code points; undefined for numbers that are not a text. */
function codesText(numbers: readonly string[], base: 10 | 16): string | undefined {
  if (base === 10 && numbers.some((each) => /\D/.test(each))) return undefined;
  const codes = numbers.map((each) => Number.parseInt(each, base));
  if (codes.some((code) => code > 0x10ffff)) return undefined;
  const isBytes = codes.every((code) => code <= 0xff);
  const text = isBytes
    ? strictUtf8Text(Uint8Array.from(codes))
    : codes.map((code) => String.fromCodePoint(code)).join('');
  return text !== undefined && isText(text) ? text : undefined;
}
