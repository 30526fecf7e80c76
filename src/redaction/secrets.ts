import { DecodedText, decodedParts, encodedTexts } from './decoded-text.ts';

/** Shorter secrets are not replaced: they occur in any text by chance. */
const MIN_LENGTH = 4;

/** No text shows this many consecutive characters of a secret. */
const MAX_SHOWN = 12;

/** Fewer characters without white space and quotes occur in any text by chance. */
const MIN_WINDOW = 6;

/** The characters at the ends of a secret that an escape may take. */
const LOST_AT_ENDS = 2;

/** Base64 within base64 is decoded, up to this depth. */
const MAX_DEPTH = 3;

/** Decoded bytes that are searched for each byte of a text: the alignments of base64 need three. */
const MAX_DECODED = 8;

type Range = readonly [from: number, to: number];

/**
 * Replaces secrets of at least 4 characters in a text, and parts of them of 12 characters or more:
 * in any case, in JSON, HTML, percent-encoding, base64 and hexadecimal digits, nested in any order.
 * White space and quotes do not matter.
 */
export function replaceSecrets(text: string, secrets: Iterable<string>, by: string): string {
  return secretReplacer(secrets, by)(text);
}

/** {@link replaceSecrets} for many texts. */
export function secretReplacer(secrets: Iterable<string>, by: string): (text: string) => string {
  const trimmed = [...new Set([...secrets].map((secret) => secret.trim()))];
  const known = trimmed.filter(({ length }) => length >= MIN_LENGTH);
  if (known.length === 0) return (text) => text;
  const shortest = known.reduce((least, { length }) => Math.min(least, length), MAX_SHOWN);
  const isText = known.some((secret) => /[^ -~]/.test(secret)) ? ANY_BYTE : ASCII_BYTE;
  let windows: readonly Windows[] | undefined;
  return (text) => {
    // An encoded secret is never shorter than the secret.
    if (text.length < shortest) return text;
    windows ??= windowsOf(known);
    return replaceRanges(text, [...verbatim(text, known), ...found(text, windows, isText)], by);
  };
}

/** A text with each range replaced. Ranges may overlap or touch: together, they are replaced once. */
function replaceRanges(text: string, ranges: readonly Range[], by: string): string {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  let shown = '';
  let done = 0;
  let isReplaced = false;
  for (const [from, to] of sorted) {
    if (from > done || !isReplaced) shown += text.slice(done, from) + by;
    done = Math.max(done, to);
    isReplaced = true;
  }
  return shown + text.slice(done);
}

/** Whole secrets, unchanged: a short one may lose a character when the text is decoded. */
function verbatim(text: string, secrets: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
      ranges.push([at, at + secret.length]);
    }
  }
  return ranges;
}

/** Windows of one size over all secrets, as texts and as rolling hashes of their bytes. */
interface Windows {
  /** In folded bytes. */
  readonly size: number;
  /** The factor of the oldest byte in the hash. */
  readonly leaving: number;
  readonly hashes: ReadonlySet<number>;
  /** 1 for the upper half of each hash: a set is too slow for every byte of a text. */
  readonly upperHalves: Uint8Array;
  readonly texts: ReadonlySet<string>;
  /** Where a search stores the positions of the last `size` folded bytes. */
  readonly positions: Int32Array;
}

/** The bytes of secrets with other characters than ASCII. */
const ANY_BYTE = new Uint8Array(256).fill(1);
const ASCII_BYTE = ANY_BYTE.map((_, byte) => (byte < 0x80 ? 1 : 0));

/** A decoded text for each depth. A search is synchronous, so that all searches can share them. */
const DECODED = Array.from({ length: MAX_DEPTH + 1 }, () => new DecodedText());

function found(text: string, windows: readonly Windows[], isText: Uint8Array): Range[] {
  const ranges: Range[] = [];
  const minBytes = windows.reduce((least, { size }) => Math.min(least, size), MAX_SHOWN);
  let budget = 0;
  const search = (decoded: DecodedText, depth: number): void => {
    for (const each of windows) addMatches(decoded, each, ranges);
    const inner = DECODED[depth + 1];
    if (!inner) return;
    for (const each of encodedTexts(decoded, minBytes, isText, inner)) {
      budget -= each.length;
      if (budget >= 0) search(each, depth + 1);
      // Too expensive to search, so it must not be shown.
      else if (each.length > 0) addRange(ranges, each.from[0] ?? 0, each.to[each.length - 1] ?? 0);
    }
  };
  const [outer = new DecodedText()] = DECODED;
  for (const part of decodedParts(text, outer)) {
    budget = MAX_DECODED * part.length;
    search(part, 0);
  }
  return ranges;
}

/** Each byte in lower case; 0 for a byte that encodings and shells add, change or drop. */
const FOLDED = new Uint8Array(256).map((_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);
// A form writes a space as `+`.
for (const skipped of '\t\n\r +"\'`\\') FOLDED[skipped.charCodeAt(0)] = 0;

const BASE = 16_777_619;

function addMatches(
  { bytes, from, to, length }: DecodedText,
  { size, leaving, hashes, upperHalves, texts, positions }: Windows,
  ranges: Range[],
): void {
  let count = 0;
  let slot = 0;
  let hash = 0;
  for (let at = 0; at < length; at++) {
    const byte = FOLDED[bytes[at] as number] as number;
    if (byte === 0) continue;
    if (count >= size) {
      const oldest = FOLDED[bytes[positions[slot] as number] as number] as number;
      hash = (hash - Math.imul(oldest, leaving)) | 0;
    }
    hash = (Math.imul(hash, BASE) + byte) | 0;
    positions[slot] = at;
    slot = slot + 1 === size ? 0 : slot + 1;
    count++;
    if (upperHalves[hash >>> 16] === 0 || count < size || !hashes.has(hash)) continue;
    const start = positions[slot] as number;
    if (!texts.has(foldedText(bytes, start, at + 1))) continue;
    addRange(ranges, from[start] as number, to[at] as number);
  }
}

/** Windows of one secret overlap: they become one range. */
function addRange(ranges: Range[], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last && last[0] <= from && from <= last[1]) {
    ranges[ranges.length - 1] = [last[0], Math.max(last[1], to)];
  } else {
    ranges.push([from, to]);
  }
}

function foldedText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = FOLDED[bytes[at] as number] as number;
    if (byte !== 0) text += String.fromCharCode(byte);
  }
  return text;
}

function windowsOf(secrets: readonly string[]): readonly Windows[] {
  const bySize = new Map<number, Set<string>>();
  for (const secret of secrets) {
    for (const part of formsOf(secret)) {
      const folded = foldedText(part.bytes, 0, part.length);
      const size = windowSize(secret, part, folded.length);
      if (size < MIN_LENGTH) continue;
      const texts = bySize.get(size) ?? new Set();
      bySize.set(size, texts);
      for (let at = 0; at + size <= folded.length; at++) texts.add(folded.slice(at, at + size));
    }
  }
  return [...bySize].map(([size, texts]) => {
    const hashes = new Set([...texts].map(hashOf));
    const upperHalves = new Uint8Array(1 << 16);
    for (const hash of hashes) upperHalves[hash >>> 16] = 1;
    const leaving = hashOf(`\x01${'\0'.repeat(size - 1)}`);
    return { size, leaving, hashes, upperHalves, texts, positions: new Int32Array(size) };
  });
}

/** The bytes of a secret in UTF-8, and in both orders of UTF-16 if these differ by more than zeros. */
function* formsOf(secret: string): Generator<DecodedText> {
  yield* decodedParts(secret, new DecodedText());
  if (!/[^ -~]/.test(secret)) return;
  for (const littleEndian of [true, false]) {
    const form = new DecodedText();
    form.clear(2 * secret.length);
    for (let at = 0; at < secret.length; at++) {
      const unit = secret.charCodeAt(at);
      const [high, low] = [unit >> 8, unit & 0xff];
      for (const byte of littleEndian ? [low, high] : [high, low]) form.add(byte, at, at + 1);
    }
    yield form;
  }
}

function hashOf(folded: string): number {
  let hash = 0;
  for (let at = 0; at < folded.length; at++) {
    hash = (Math.imul(hash, BASE) + folded.charCodeAt(at)) | 0;
  }
  return hash;
}

/**
 * The fewest folded bytes in {@link MAX_SHOWN} consecutive characters. The ends of a secret may
 * become part of an escape with the text around it.
 */
function windowSize(secret: string, decoded: DecodedText, length: number): number {
  let fewest = length - (/[%&\\]/.test(secret) ? LOST_AT_ENDS : 0);
  const { bytes, from, to } = decoded;
  const counts = (at: number): boolean => FOLDED[bytes[at] as number] !== 0;
  let [first, last, folded] = [0, 0, 0];
  for (let start = 0; start + MAX_SHOWN <= secret.length; start++) {
    for (; last < decoded.length && (to[last] as number) <= start + MAX_SHOWN; last++) {
      if (counts(last)) folded++;
    }
    for (; first < last && (from[first] as number) < start; first++) {
      if (counts(first)) folded--;
    }
    fewest = Math.min(fewest, folded);
  }
  return Math.min(length, Math.max(fewest, MIN_WINDOW));
}
