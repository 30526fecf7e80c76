/** A part of two texts: equal in both, or the two different parts. */
export interface Piece {
  readonly theirs: string;
  readonly ours: string;
}

/** Whether the two texts differ in this piece. */
export function differs({ theirs, ours }: Piece): boolean {
  return theirs !== ours;
}

/**
 * Splits two texts into alternating equal and different pieces. Surrogate pairs and characters with
 * combining marks are not split. Short chance matches between differences count as different, unless
 * one text only lacks parts of the other.
 *
 * Texts that differ too much to compare become one piece between their common start and end.
 */
export function alignTexts(theirs: string, ours: string): readonly Piece[] {
  const start = firstDifference(theirs, ours);
  const end = commonEnd(theirs, ours, start);
  const middle = (text: string): string => text.slice(start, text.length - end);
  const [common, rest] = [theirs.slice(0, start), theirs.slice(theirs.length - end)];
  const pieces = [
    { theirs: common, ours: common },
    ...alignMiddle(middle(theirs), middle(ours)),
    { theirs: rest, ours: rest },
  ];
  return withoutChanceMatches(pieces.filter((piece) => piece.theirs !== '' || piece.ours !== ''));
}

/** The first difference in UTF-16 code units, at the start of a character with its marks. */
export function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  while (at > 0 && (continues(a, at) || continues(b, at))) at--;
  return at;
}

/** The length of the common end of two texts that are compared from `start` on. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.at(-1 - length) === b.at(-1 - length)) length++;
  while (length > 0 && (continues(a, a.length - length) || continues(b, b.length - length))) {
    length--;
  }
  return length;
}

/** Whether a character begins before `at` and continues there. */
function continues(text: string, at: number): boolean {
  const isMark = /^\p{M}/u.test(text.slice(at, at + 2));
  return isMark || /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(at - 1, 0), at + 1));
}

/** Longer texts are not compared character by character. */
const MAX_LENGTH = 20_000;

function alignMiddle(theirs: string, ours: string): readonly Piece[] {
  const isWhole = theirs === '' || ours === '' || theirs.length + ours.length > MAX_LENGTH;
  if (isWhole) return [{ theirs, ours }];
  return alignItems(charactersOf(theirs), charactersOf(ours)).map((run) => ({
    theirs: run.theirs.join(''),
    ours: run.ours.join(''),
  }));
}

/** Merges differences with only short matches between them: fewer marks are easier to read. */
function withoutChanceMatches(pieces: readonly Piece[]): readonly Piece[] {
  const lacks = (side: keyof Piece): boolean =>
    pieces.every((piece) => !differs(piece) || piece[side] === '');
  if (lacks('theirs') || lacks('ours')) return pieces;
  const merged: Piece[] = [];
  for (const piece of pieces) {
    merged.push(piece);
    for (;;) {
      const [before, same, after] = merged.slice(-3);
      if (!before || !same || !after || !isChanceMatch(before, same, after)) break;
      const joined = (side: keyof Piece): string => before[side] + same[side] + after[side];
      merged.splice(-3, 3, { theirs: joined('theirs'), ours: joined('ours') });
    }
  }
  return merged;
}

/** Unrelated texts, such as two UUIDs, rarely have a longer match in the same place. */
const MAX_CHANCE_MATCH = 3;

/** Whether a match is short, and no longer than the differences around it. */
function isChanceMatch(before: Piece, { theirs: same }: Piece, after: Piece): boolean {
  if (same.length > MAX_CHANCE_MATCH) return false;
  return [before, after].every((piece) => {
    const length = Math.max(piece.theirs.length, piece.ours.length);
    return differs(piece) && !isPunctuation(piece) && length >= same.length;
  });
}

/** Whether a piece only inserts or removes punctuation: each such piece is a separate difference. */
function isPunctuation({ theirs, ours }: Piece): boolean {
  return (theirs === '' || ours === '') && !/[\p{L}\p{N}]/u.test(theirs + ours);
}

function charactersOf(text: string): readonly string[] {
  return text.match(/.\p{M}*/gsu) ?? [];
}

/** A part of two lists: the same items in both, or different ones. */
interface Run<T> {
  readonly theirs: readonly T[];
  readonly ours: readonly T[];
  readonly isSame: boolean;
}

/** Maximum insertions and removals: time and memory grow with the square of their number. */
const MAX_EDITS = 1000;

/**
 * Splits two lists by their longest common subsequence (E. W. Myers, "An O(ND) Difference Algorithm
 * and Its Variations", 1986). Lists that differ in more than 1000 items are one different run.
 */
export function alignItems<T>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (item: T | undefined) => unknown = (item) => item,
): readonly Run<T>[] {
  /** For each count of edits, the furthest index of `a` on each diagonal, from -edits in steps of 2. */
  const reached: Int32Array[] = [];
  const startOf = (edits: number, diagonal: number): { x: number; isRemoved: boolean } => {
    const before = reached[edits - 1];
    if (before === undefined) return { x: 0, isRemoved: false };
    const inserted = before[(diagonal + edits) / 2] ?? -1;
    const removed = (before[(diagonal + edits) / 2 - 1] ?? -2) + 1;
    return { x: Math.max(removed, inserted), isRemoved: removed > inserted };
  };
  const different = (...[x, toX, y, toY]: [number, number, number, number]): readonly Run<T>[] =>
    x < toX || y < toY ? [{ theirs: a.slice(x, toX), ours: b.slice(y, toY), isSame: false }] : [];
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    const row = new Int32Array(edits + 1);
    reached.push(row);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let { x } = startOf(edits, diagonal);
      while (x < a.length && x - diagonal < b.length && keyOf(a[x]) === keyOf(b[x - diagonal])) x++;
      row[(diagonal + edits) / 2] = x;
      if (x >= a.length && x - diagonal >= b.length) return runsBack(edits);
    }
  }
  return different(0, a.length, 0, b.length);

  function runsBack(last: number): readonly Run<T>[] {
    const runs: Run<T>[] = [];
    let diagonal = a.length - b.length;
    let [fromX, fromY] = [a.length, b.length];
    for (let edits = last; edits >= 0; edits--) {
      const { x, isRemoved } = startOf(edits, diagonal);
      const end = reached[edits]?.[(diagonal + edits) / 2] ?? x;
      if (end > x) {
        const [theirs, ours] = [a.slice(x, end), b.slice(x - diagonal, end - diagonal)];
        runs.unshift(
          { theirs, ours, isSame: true },
          ...different(end, fromX, end - diagonal, fromY),
        );
        [fromX, fromY] = [x, x - diagonal];
      }
      diagonal += isRemoved ? -1 : 1;
    }
    return [...different(0, fromX, 0, fromY), ...runs];
  }
}
