import { diffArrays } from 'diff';

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
  return withoutChanceMatches(
    joinedPieces([
      { theirs: common, ours: common },
      ...alignMiddle(middle(theirs), middle(ours)),
      { theirs: rest, ours: rest },
    ]),
  );
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
  if (theirs.length + ours.length > MAX_LENGTH) return [{ theirs, ours }];
  const charactersOf = (text: string): readonly string[] => text.match(/.\p{M}*/gsu) ?? [];
  return alignItems(charactersOf(theirs), charactersOf(ours)).map((run) => ({
    theirs: run.theirs.join(''),
    ours: run.ours.join(''),
  }));
}

/** Joins adjacent pieces that are both equal or both different. */
export function joinedPieces(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.theirs === '' && piece.ours === '') continue;
    if (last === undefined || differs(last) !== differs(piece)) result.push(piece);
    else result.splice(-1, 1, concatenated(last, piece));
  }
  return result;
}

function concatenated(...pieces: readonly Piece[]): Piece {
  const join = (side: keyof Piece): string => pieces.map((piece) => piece[side]).join('');
  return { theirs: join('theirs'), ours: join('ours') };
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
      merged.splice(-3, 3, concatenated(before, same, after));
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

/** A part of two lists: the same items in both, or items of one list. */
interface Run<T> {
  readonly theirs: readonly T[];
  readonly ours: readonly T[];
  readonly isSame: boolean;
}

/** Maximum insertions and removals: time and memory grow with the square of their number. */
const MAX_EDITS = 500;

/** Splits two lists by their longest common subsequence. Lists that differ too much have none. */
export function alignItems<T>(
  theirs: readonly T[],
  ours: readonly T[],
  keyOf: (item: T) => unknown = (item) => item,
): readonly Run<T>[] {
  const changes = diffArrays(theirs.map(keyOf), ours.map(keyOf), { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [{ theirs, ours, isSame: false }];
  let [x, y] = [0, 0];
  return changes.map(({ added, removed, count }) => {
    const [fromX, fromY] = [x, y];
    if (!added) x += count;
    if (!removed) y += count;
    return {
      theirs: theirs.slice(fromX, x),
      ours: ours.slice(fromY, y),
      isSame: !added && !removed,
    };
  });
}
