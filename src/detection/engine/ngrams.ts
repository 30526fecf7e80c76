/** The buckets of a kind of n-grams: n-grams that begin with a Han character have separate ones. */
interface Buckets {
  readonly first: number;
  /** Powers of 2. */
  readonly han: number;
  readonly other: number;
}

const CHARACTERS: Buckets = { first: 0, han: 1 << 15, other: 1 << 17 };
const WORDS: Buckets = { first: CHARACTERS.han + CHARACTERS.other, han: 1 << 15, other: 1 << 16 };
export const BUCKETS = WORDS.first + WORDS.han + WORDS.other;

/** N-grams of words count more: there are fewer of them. */
const WORD_VALUE = 2;
/** Added to the number of n-grams: short texts get less extreme estimates. */
const [CHARACTER_SMOOTHING, WORD_SMOOTHING] = [100, 25];

const MAX_CHARACTERS = 5;
const PRIME = 0x01000193;
const [CHARACTER_SEED, WORD_SEED] = [0x811c9dc5, 0x5bd1e995];

/** A text as a vector: the buckets of its n-grams, and the value of each. */
export interface Vector {
  readonly buckets: Int32Array;
  readonly values: Float32Array;
}

/** `bucket` is below {@link BUCKETS}; `start` and `end` (exclusive) are in UTF-16 code units. */
type Visit = (bucket: number, start: number, end: number) => void;

/** By bucket, the number of the last text that contained it. */
const lastText = new Int32Array(BUCKETS);
let textNumber = 0;

/**
 * The distinct n-grams of a normalised text: 2 to 5 characters, and one or two words. Each Han
 * character and each punctuation mark is a word. `visit` receives the first occurrence of each.
 */
export function vectorOf(text: string, visit: Visit = () => {}): Vector {
  textNumber++;
  const buckets: number[] = [];
  const add: Visit = (bucket, start, end) => {
    if (lastText[bucket] === textNumber) return;
    lastText[bucket] = textNumber;
    buckets.push(bucket);
    visit(bucket, start, end);
  };
  eachCharacterNgram(text, add);
  const characters = buckets.length;
  eachWordNgram(text, add);
  const values = new Float32Array(buckets.length);
  const words = buckets.length - characters;
  values.fill(1 / Math.sqrt(characters + CHARACTER_SMOOTHING), 0, characters);
  values.fill(WORD_VALUE / Math.sqrt(words + WORD_SMOOTHING), characters);
  return { buckets: Int32Array.from(buckets), values };
}

function eachCharacterNgram(text: string, visit: Visit): void {
  for (let start = 0; start < text.length; start++) {
    const isHan = isHanUnit(text.charCodeAt(start));
    const limit = Math.min(start + MAX_CHARACTERS, text.length);
    let hash = CHARACTER_SEED;
    for (let at = start; at < limit; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
      if (at > start) visit(bucketOf(hash, isHan, CHARACTERS), start, at + 1);
    }
  }
}

function eachWordNgram(text: string, visit: Visit): void {
  let before = WORD_SEED;
  let startBefore = 0;
  for (let start = 0; start < text.length; ) {
    const end = wordEnd(text, start);
    const first = text.charCodeAt(start);
    if (first !== SPACE && first !== LINE_FEED) {
      const isHan = isHanUnit(first);
      const hash = hashOf(text, start, end);
      visit(bucketOf(hash, isHan, WORDS), start, end);
      visit(bucketOf(Math.imul(before, 31) ^ hash, isHan, WORDS), startBefore, end);
      before = hash;
      startBefore = start;
    }
    start = end;
  }
}

const [LINE_FEED, SPACE] = [0x0a, 0x20];

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  if (isWordUnit(text.charCodeAt(start))) while (isWordUnit(text.charCodeAt(end))) end++;
  return end;
}

/** One of a-z, 0-9 and the apostrophe. */
function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x27;
}

function isHanUnit(unit: number): boolean {
  return unit >= 0x3400 && unit <= 0x9fff;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = WORD_SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}

/** Spreads hashes evenly over the buckets of their script. */
function bucketOf(hash: number, isHan: boolean, { first, han, other }: Buckets): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  const even = mixed ^ (mixed >>> 13);
  return isHan ? first + (even & (han - 1)) : first + han + (even & (other - 1));
}
