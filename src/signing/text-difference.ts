import { diffArrays } from 'diff';

/** A part of two texts: equal in both, or the two different parts. */
export interface Piece {
  readonly theirs: string;
  readonly ours: string;
}

export function differs({ theirs, ours }: Piece): boolean {
  return theirs !== ours;
}

/**
 * Splits two texts into alternating equal and different pieces, of whole words and escapes.
 * Surrogate pairs and characters with combining marks are not split.
 */
export function alignTexts(theirs: string, ours: string): readonly Piece[] {
  const pieces = trimmed({ theirs, ours }).flatMap((piece) =>
    differs(piece) ? alignTokens(piece) : [piece],
  );
  const whole = joinedPieces(pieces);
  return joinedPieces(whole.flatMap((piece) => (differs(piece) ? trimmed(piece) : [piece])));
}

function alignTokens({ theirs, ours }: Piece): readonly Piece[] {
  return alignItems(theirs.match(TOKENS) ?? [], ours.match(TOKENS) ?? []).map((run) => ({
    theirs: run.theirs.join(''),
    ours: run.ours.join(''),
  }));
}

/** A character in percent-encoding, a JSON escape, a word, or any other character. */
const TOKENS =
  /(?:%[\da-f]{2}){1,1000}|\\(?:u[\da-f]{4}|.)|(?:[\p{L}\p{N}]\p{M}{0,9}){1,1000}|.\p{M}{0,9}/gisu;

function trimmed({ theirs, ours }: Piece): readonly Piece[] {
  const start = firstDifference(theirs, ours);
  const end = commonEnd(theirs, ours, start);
  const [first, last] = [theirs.slice(0, start), theirs.slice(theirs.length - end)];
  const middle = (text: string): string => text.slice(start, text.length - end);
  return [
    { theirs: first, ours: first },
    { theirs: middle(theirs), ours: middle(ours) },
    { theirs: last, ours: last },
  ];
}

/** The first difference in UTF-16 code units, at the start of a character with its marks. */
export function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  while (at > 0 && (continues(a, at) || continues(b, at))) at--;
  return at;
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.at(-1 - length) === b.at(-1 - length)) length++;
  while (length > 0 && (continues(a, a.length - length) || continues(b, b.length - length))) {
    length--;
  }
  return length;
}

function continues(text: string, at: number): boolean {
  const isMark = /^\p{M}/u.test(text.slice(at, at + 2));
  return isMark || /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(at - 1, 0), at + 1));
}

export function joinedPieces(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  let isLastDifferent: boolean | undefined;
  for (const piece of pieces) {
    if (piece.theirs === '' && piece.ours === '') continue;
    // Not computed from the joined text: comparing it again for each piece takes quadratic time.
    const isDifferent = differs(piece);
    const last = result.at(-1);
    if (last === undefined || isDifferent !== isLastDifferent) result.push(piece);
    else result.splice(-1, 1, { theirs: last.theirs + piece.theirs, ours: last.ours + piece.ours });
    isLastDifferent = isDifferent;
  }
  return result;
}

interface Run<T> {
  readonly theirs: readonly T[];
  readonly ours: readonly T[];
  readonly isSame: boolean;
}

/** Maximum insertions and removals: time and memory grow with the square of their number. */
const MAX_EDITS = 500;

/** Splits two lists by their longest common subsequence, or not at all if they differ too much. */
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
