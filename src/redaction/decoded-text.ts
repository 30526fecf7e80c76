import { entityCharacter } from '../notations/entities.ts';

/** The longest part of a text that is decoded at once, in characters. */
const PART_LENGTH = 65_536;

/** The overlap of two parts. Twelve characters are shorter than this in every nested notation. */
const OVERLAP = 4096;

interface Escape {
  /** In bytes. */
  readonly length: number;
  readonly bytes: readonly number[];
}

/** Bytes without escapes, each with the range of the text that it comes from. */
export class DecodedText {
  bytes: Uint8Array = new Uint8Array(0);
  /** The offset in the text at which each byte begins, in UTF-16 units. */
  from: Int32Array = new Int32Array(0);
  to: Int32Array = new Int32Array(0);
  length = 0;

  /** Removes all bytes, and makes room for `capacity` bytes. A text is reused: allocation is slow. */
  clear(capacity: number): void {
    this.length = 0;
    if (this.bytes.length >= capacity) return;
    this.bytes = new Uint8Array(capacity);
    this.from = new Int32Array(capacity);
    this.to = new Int32Array(capacity);
  }

  /**
   * Adds a byte. A completed escape is decoded, and may complete another one: `%2541` becomes `A`.
   */
  add(byte: number, from: number, to: number): void {
    this.#push(byte, from, to);
    if (BYTE_KIND[byte] !== LAST) return;
    for (let found = this.#escape(); found; found = this.#escape()) {
      const start = this.from[this.length - found.length] as number;
      this.length -= found.length;
      for (const each of found.bytes) this.#push(each, start, to);
      if (found.bytes.length > 1) return;
    }
  }

  #push(byte: number, from: number, to: number): void {
    if (BYTE_KIND[byte] === IGNORED) return;
    const at = this.length;
    this.bytes[at] = byte;
    this.from[at] = from;
    this.to[at] = to;
    this.length = at + 1;
    if (byte >= 0x80) this.length -= this.#invisibleLength();
  }

  addCodePoint(code: number, from: number, to: number): void {
    if (code < 0x80) this.add(code, from, to);
    else for (const byte of utf8(code)) this.add(byte, from, to);
  }

  #at(distance: number): number {
    return this.bytes[this.length - distance] ?? 0;
  }

  /** The length of the invisible character at the end; 0 for another character. */
  #invisibleLength(): number {
    const lead = this.#at(3);
    const second = this.#at(2);
    if (lead !== 0xe2 && lead !== 0xef && second !== 0xc2) return 0;
    const two = (second << 8) | this.#at(1);
    if (INVISIBLE_PAIRS.includes(two)) return 2;
    const three = (lead << 16) | two;
    return INVISIBLE.some(([first, last]) => three >= first && three <= last) ? 3 : 0;
  }

  /** The escape that ends here, as decoded bytes; undefined if no escape ends here. */
  #escape(): Escape | undefined {
    const last = this.#at(1);
    if (last === SEMICOLON) return this.#entity();
    const isEscaped = this.#at(2) === BACKSLASH;
    const space = isEscaped ? ESCAPED_SPACES[last] : undefined;
    if (space !== undefined) return { length: 2, bytes: [space] };
    if (HEX_VALUE[last] === -1) return undefined;
    const byte = this.#hex(2);
    if (byte === undefined) return undefined;
    if (this.#at(3) === PERCENT) return { length: 3, bytes: [byte] };
    if ((this.#at(3) | 0x20) === LOWER_X && this.#at(4) === BACKSLASH) {
      return { length: this.#withBackslashes(4), bytes: [byte] };
    }
    if ((this.#at(5) | 0x20) !== LOWER_U) return undefined;
    const unit = this.#hex(4);
    if (unit === undefined) return undefined;
    if (this.#at(6) === PERCENT) return { length: 6, bytes: utf8(unit) };
    return this.#at(6) === BACKSLASH ? this.#unit(unit) : undefined;
  }

  #hex(digits: number): number | undefined {
    let value = 0;
    for (let at = digits; at > 0; at--) {
      const digit = HEX_VALUE[this.#at(at)] as number;
      if (digit === -1) return undefined;
      value = value * 16 + digit;
    }
    return value;
  }

  /**
   * The length of an escape with the backslashes before it, which each level of JSON doubles. A
   * backslash that was itself decoded from a longer escape belongs to another escape.
   */
  #withBackslashes(length: number): number {
    const width = this.#width(length);
    let all = length;
    while (this.#at(all + 1) === BACKSLASH && this.#width(all + 1) === width) all++;
    return all;
  }

  /** A `\u` escape. The second half of a pair also takes the three bytes of the first half. */
  #unit(unit: number): Escape {
    const length = this.#withBackslashes(6);
    const lead = this.#at(length + 3);
    const high = this.#at(length + 2);
    const isPair = unit >= 0xdc00 && unit <= 0xdfff && lead === 0xed && high >= 0xa0 && high < 0xb0;
    if (!isPair) return { length, bytes: utf8(unit) };
    const first = ((high & 0x0f) << 6) | (this.#at(length + 1) & 0x3f);
    return { length: length + 3, bytes: utf8(0x10000 + (first << 10) + (unit & 0x3ff)) };
  }

  #width(distance: number): number {
    const at = this.length - distance;
    return (this.to[at] as number) - (this.from[at] as number);
  }

  #entity(): Escape | undefined {
    for (let length = 3; length <= MAX_ENTITY && length <= this.length; length++) {
      if (this.#at(length) !== AMPERSAND) continue;
      const name = this.bytes.subarray(this.length - length + 1, this.length - 1);
      const code = entityCharacter(String.fromCharCode(...name))?.codePointAt(0);
      return code === undefined ? undefined : { length, bytes: utf8(code) };
    }
    return undefined;
  }
}

/**
 * Decodes a text in parts that overlap, each into `part`: escapes of JSON and JavaScript,
 * percent-encoding and HTML entities, nested in any order, without invisible and control
 * characters. So UTF-16 that was decoded as UTF-8 becomes readable.
 */
export function* decodedParts(text: string, part: DecodedText): Generator<DecodedText> {
  for (let start = 0; ; start += PART_LENGTH - OVERLAP) {
    const end = Math.min(text.length, start + PART_LENGTH);
    part.clear(3 * (end - start));
    for (let at = start; at < end; ) {
      const code = text.codePointAt(at) as number;
      const next = at + (code > 0xffff ? 2 : 1);
      part.addCodePoint(code, at, next);
      at = next;
    }
    yield part;
    if (end === text.length) return;
  }
}

interface Notation {
  readonly bitsPerDigit: number;
  /** Digits can be grouped into bytes from each of this many offsets. */
  readonly alignments: number;
  /** The value of each byte; -1 if it is not a digit, -2 if it may occur between two digits. */
  readonly values: Int8Array;
}

/**
 * Decodes the base64 and hexadecimal texts in a text, each into `decoded`. Among other bytes, only
 * stretches of at least `minBytes` bytes of text, by `isText`, are decoded.
 */
export function* encodedTexts(
  text: DecodedText,
  minBytes: number,
  isText: Uint8Array,
  decoded: DecodedText,
): Generator<DecodedText> {
  for (const notation of [BASE64, HEX]) {
    const minDigits = Math.ceil((minBytes * 8) / notation.bitsPerDigit);
    for (const [start, end] of runs(text, notation.values, minDigits)) {
      for (let offset = 0; offset < notation.alignments; offset++) {
        yield* stretches(text, start + offset, end, notation, minBytes, isText, decoded);
      }
    }
  }
}

/** Decodes a range of digits. Each stretch of text in it is a text of its own. */
function* stretches(
  { bytes, from, to }: DecodedText,
  start: number,
  end: number,
  { bitsPerDigit, values }: Notation,
  minBytes: number,
  isText: Uint8Array,
  decoded: DecodedText,
): Generator<DecodedText> {
  let bits = 0;
  let count = 0;
  let first = start;
  let length = 0;
  decoded.clear(end - start);
  for (let at = start; at < end; at++) {
    const value = values[bytes[at] as number] as number;
    if (value < 0) continue;
    if (count === 0) first = at;
    bits = (bits << bitsPerDigit) | value;
    count += bitsPerDigit;
    if (count < 8) continue;
    count -= 8;
    const byte = bits >> count;
    bits &= (1 << count) - 1;
    if (isText[byte] === 1) {
      decoded.add(byte, from[first] as number, to[at] as number);
      length++;
    } else if (length > 0) {
      if (length >= minBytes) yield decoded;
      decoded.clear(0);
      length = 0;
    }
    first = at;
  }
  if (length >= minBytes) yield decoded;
}

function* runs(
  { bytes, length }: DecodedText,
  values: Int8Array,
  minDigits: number,
): Generator<readonly [start: number, end: number]> {
  let start = 0;
  for (let at = 0; at <= length; at++) {
    if (at < length && values[bytes[at] as number] !== -1) continue;
    if (at - start >= minDigits) yield [start, at];
    start = at + 1;
  }
}

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LOWER_X = 0x78;

/** The white space of `\n`, `\r` and `\t`. */
const ESCAPED_SPACES: Readonly<Record<number, number>> = { 110: 0x0a, 114: 0x0a, 116: 0x09 };

/** UTF-8 of spaces without breaks, soft hyphens and the dot with which mop shows a space. */
const INVISIBLE_PAIRS: readonly number[] = [0xc2a0, 0xc2ad, 0xc2b7];

/** UTF-8 of marks of direction, joiners and the marks of mop. */
const INVISIBLE: readonly (readonly [first: number, last: number])[] = [
  [0xe2808b, 0xe2808f],
  [0xe280aa, 0xe280ae],
  [0xe281a0, 0xe281a9],
  [0xe29fa6, 0xe29fa7],
  [0xefbbbf, 0xefbbbf],
];

/** The longest entity, with leading zeros. */
const MAX_ENTITY = 40;

function utf8(code: number): number[] {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)];
  const low = [0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  if (code < 0x10000) return [0xe0 | (code >> 12), ...low];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), ...low];
}

function digitValues(digits: string, more: Readonly<Record<string, number>> = {}): Int8Array {
  const values = new Int8Array(256).fill(-1);
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  for (const [digit, value] of Object.entries(more)) values[digit.charCodeAt(0)] = value;
  return values;
}

const CAPITALS = { A: 10, B: 11, C: 12, D: 13, E: 14, F: 15 };
const HEX_VALUE = digitValues('0123456789abcdef', CAPITALS);

const IGNORED = 0;
const PLAIN = 1;
/** A byte that may end an escape or an invisible character. */
const LAST = 2;
/** Control characters are ignored, except white space. */
const BYTE_KIND = new Uint8Array(256).map((_, byte) => {
  if (byte >= 0x80) return LAST;
  return byte < 0x20 || byte === 0x7f ? IGNORED : PLAIN;
});
for (const space of '\t\n\r') BYTE_KIND[space.charCodeAt(0)] = PLAIN;
for (const last of '0123456789abcdefABCDEF;nrt') BYTE_KIND[last.charCodeAt(0)] = LAST;

const BETWEEN = { '\t': -2, '\n': -2, '\r': -2, '\\': -2 };
const BASE64: Notation = {
  bitsPerDigit: 6,
  alignments: 4,
  values: digitValues('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', {
    '-': 62,
    _: 63,
    ...BETWEEN,
  }),
};
const HEX: Notation = {
  bitsPerDigit: 4,
  alignments: 2,
  values: digitValues('0123456789abcdef', { ...CAPITALS, ...BETWEEN, ' ': -2, ':': -2, '-': -2 }),
};
