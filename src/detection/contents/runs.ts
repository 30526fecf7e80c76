import { withoutEnd } from '../../any-length.ts';
import { base64Bytes, hexBytes, strictUtf8Text } from '../../signing/bytes.ts';

/** One line, or several lines that contain nothing else. */
const BASE64 = /[\w+/-]{16,}(?:\r?\n[ \t]{0,8}[\w+/-]{4,}(?=\r?\n|=|$))*={0,2}/g;
const BASE64_LINE = /[\w+/-]{16,}={0,2}/g;
/** A segment of a path or an address. */
const SEGMENT = /[\w+-]{16,}={0,2}/g;
const HEX = /(?<![\da-z])(?:0x)?(?:[\da-f]{2}[ :]?){8,}(?![\da-z])/gi;
/** A text that consists of one run, with any white space. */
const WHOLE_BASE64 = /^[\w+/-]{6,}={0,2}$/;
const WHOLE_HEX = /^(?:0x)?(?:[\da-f]{2}){4,}$/i;

/** Decodes the Base64 of texts in place. Other runs are returned unchanged. */
export function decodeBase64(text: string, onText: OnText = () => {}): string {
  const whole = text.replace(/\s+/g, '');
  const isWhole = WHOLE_BASE64.test(whole) && !isWord(text.trim());
  const all = isWhole ? base64Text(whole) : undefined;
  if (all !== undefined) {
    onText(all);
    return all;
  }
  const decodeRun = (run: string): string | undefined => {
    const decoded = base64Text(run);
    if (decoded !== undefined) onText(decoded);
    return decoded;
  };
  // Lines after a run may not belong to it; part of a path may be a run.
  return text.replace(
    BASE64,
    (run) =>
      decodeRun(run) ??
      run.replace(
        BASE64_LINE,
        (line) => decodeRun(line) ?? line.replace(SEGMENT, (part) => decodeRun(part) ?? part),
      ),
  );
}

type OnText = (text: string) => void;

/** Decodes hex digits of texts in place. */
export function decodeHex(text: string, onText: OnText = () => {}): string {
  const decodeRun = (run: string): string => {
    const decoded = hexText(run);
    if (decoded !== undefined) onText(decoded);
    return decoded ?? run;
  };
  const whole = text.replace(/[\s:,-]+/g, '');
  return WHOLE_HEX.test(whole) && hexText(whole) !== undefined
    ? decodeRun(whole)
    : text.replace(HEX, decodeRun);
}

export function base64Texts(text: string): readonly string[] {
  const texts: string[] = [];
  decodeBase64(text, (each) => texts.push(each));
  return texts;
}

export function hexTexts(text: string): readonly string[] {
  const texts: string[] = [];
  decodeHex(text, (each) => texts.push(each));
  return texts;
}

function hexText(run: string): string | undefined {
  return textOf(hexBytes(run.replace(/^0x|[^\da-f]/gi, '')));
}

function base64Text(run: string): string | undefined {
  const digits = run.replace(/\s+/g, '');
  // A single character after the last group of four encodes nothing.
  if (withoutEnd(digits, '=').length % 4 === 1 || isWord(digits)) return undefined;
  return textOf(base64Bytes(digits));
}

/** One case, and no digit or sign: a word, or a slug. */
function isWord(digits: string): boolean {
  const first = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?![A-Za-z])/;
  return first.test(digits) && !/[^A-Za-z_/-]/.test(digits);
}

const NOT_TEXT = /(?![\t\r\n])[\p{Cc}\p{Cn}\p{Co}\p{Cs}]|\ufffd/u;
/** The characters of English and Chinese: other bytes are valid UTF-16, too. */
const UTF16_TEXT = /^[\p{sc=Han}\u2010-\u2027\u3000-\u303f\uff00-\uffef\x20-\x7e\t\r\n]{6,}$/u;

/** Whether all characters belong to texts, and at least one is a letter or digit. */
export function isText(text: string): boolean {
  return !NOT_TEXT.test(text) && /[\p{L}\p{N}]/u.test(text);
}

/** Bytes as UTF-8, or else as UTF-16; undefined for bytes that are not a text. */
function textOf(bytes: Uint8Array): string | undefined {
  const utf8 = strictUtf8Text(bytes)?.replace(/^\ufeff/, '');
  if (utf8 !== undefined && !NOT_TEXT.test(utf8)) return isText(utf8) ? utf8 : undefined;
  if (bytes.length % 2 === 1) return undefined;
  return ['utf-16le', 'utf-16be']
    .map((encoding) => new TextDecoder(encoding).decode(bytes))
    .find((text) => UTF16_TEXT.test(text));
}

/** A link may contain a long identifier. */
const LINK = /\b(?:https?|ftp|wss?):\/\/\S+/g;
const LONG_RUN = /[\w+/-]{64,}={0,2}/g;
/** Base64 rarely has this many characters without a capital, a digit and a small letter. */
const MIN_SEGMENT = 24;
const HEX_RUN = /^[\da-f]+$/i;
/** The digits of SHA-512: hex digits up to this number may be a digest. */
const MAX_DIGEST = 128;
const MIN_WHOLE = 24;
/** SHA-384 and SHA-512 in Base64, also as the integrity of a script. */
const BASE64_DIGEST = /^(?:sha\d{3}-)?(?:[\w+/-]{64}|[\w+/-]{86}(?:==)?)$/;

/** The first run that looks like an encoding after decoding: a long one, or the whole text. */
export function unreadableRun(text: string): string | undefined {
  const whole = text.replace(/\s+/g, '');
  if (/^[01]{32,}$/.test(whole)) return whole;
  const isWhole = WHOLE_BASE64.test(whole) && !/[^\S\r\n]/.test(text.trim());
  if (isWhole && whole.length >= MIN_WHOLE && looksEncoded(whole)) return whole;
  return text
    .replace(LINK, '')
    .match(LONG_RUN)
    ?.find((run) => looksEncoded(run));
}

function looksEncoded(run: string): boolean {
  const isAlphabet = run.length > 32 && new Set(run).size === run.length;
  if (isAlphabet || BASE64_DIGEST.test(run)) return false;
  // Digits alone may be a number, and letters alone a long exclamation.
  if (HEX_RUN.test(run)) return run.length > MAX_DIGEST && /\d/.test(run) && /\D/.test(run);
  // Base32, which has no small letters.
  if (/^[A-Z2-7]{24,}=*$/.test(run) && /\d/.test(run)) return true;
  return run
    .split(/[/_-]/)
    .some(
      (part) =>
        part.length >= MIN_SEGMENT &&
        /[a-z]/.test(part) &&
        /[A-Z]/.test(part) &&
        /[\d+]/.test(part),
    );
}
