import {
  alignItems,
  alignTexts,
  differs,
  firstDifference,
  joinedPieces,
  type Piece,
} from './text-difference.ts';

/** Two canonical strings, pair by pair. */
export interface Comparison {
  /** The first difference, in UTF-16 code units; undefined when they are equal. */
  readonly offset: number | undefined;
  /** Whether `theirs` consists of pairs joined by `&`: only then can fields be compared. */
  readonly hasPairs: boolean;
  /** The fields that differ: fields of `ours` in order, then fields only in `theirs`. */
  readonly pairs: readonly PairDifference[];
  /** Fields of `pairs` that are probably one field under two names. */
  readonly renamed: readonly Piece[];
  /** Names in both strings, but at another place in `theirs`. */
  readonly moved: readonly string[];
}

interface PairDifference {
  readonly name: string;
  /** The value in each string; undefined where the name is missing. */
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
}

/** Compares a canonical string of another program with the right pairs, which are sorted. */
export function compareCanonical(theirs: string, right: readonly Omit<Pair, 'text'>[]): Comparison {
  const ours = right.map(({ name, value }) => `${name}=${value}`).join('&');
  const ourValues = valuesByName(right);
  const theirValues = valuesByName(pairsOf(theirs, ourValues));
  const offset = theirs === ours ? undefined : firstDifference(theirs, ours);
  const hasPairs = isJoined(theirs, theirValues, ourValues);
  if (!hasPairs) return { offset, hasPairs, pairs: [], renamed: [], moved: [] };
  const pairs = [...new Set([...ourValues.keys(), ...theirValues.keys()])]
    .map((name) => ({ name, theirs: theirValues.get(name), ours: ourValues.get(name) }))
    .filter((pair) => pair.theirs !== pair.ours);
  const moved = movedNames(theirValues, ourValues);
  return { offset, hasPairs, pairs, renamed: renamings(pairs), moved };
}

/** {@link alignTexts} for strings to sign: values of one name are aligned with each other. */
export function alignCanonical(theirs: string, ours: string): readonly Piece[] {
  const textOf = (pairs: readonly Pair[]): string => pairs.map(({ text }) => text).join('');
  const runs = alignItems(joinedPairs(theirs), joinedPairs(ours), ({ name }) => name);
  const pieces = runs.flatMap((run): readonly Piece[] =>
    run.isSame
      ? run.theirs.flatMap(({ text }, at) => alignTexts(text, run.ours[at]?.text ?? ''))
      : [{ theirs: textOf(run.theirs), ours: textOf(run.ours) }],
  );
  return joinedPieces(pieces).flatMap((piece) =>
    differs(piece) ? alignTexts(piece.theirs, piece.ours) : [piece],
  );
}

/** The pairs, each with the `&` before it. */
function joinedPairs(canonical: string): readonly Pair[] {
  return pairsOf(canonical).map((pair, at) =>
    at === 0 ? pair : { ...pair, text: `&${pair.text}` },
  );
}

/**
 * Whether a string consists of pairs joined by `&`. With another separator, most names seem to be
 * missing: they are inside the values. Without names, `=` in values seems to follow unknown names.
 */
function isJoined(theirs: string, theirValues: Values, ourValues: Values): boolean {
  if (theirs === '') return true;
  const missing = [...ourValues.keys()].filter((name) => !theirValues.has(name));
  const within = missing.filter((name) => theirs.includes(`${name}=`));
  const names = new Set([...ourValues.keys()].map(plain));
  const values = new Set(ourValues.values());
  const known = [...theirValues].filter(
    ([name, value]) => names.has(plain(name)) || values.has(value),
  );
  return (
    theirs.includes('=') &&
    2 * within.length < ourValues.size &&
    2 * known.length >= theirValues.size
  );
}

/** Matches names that differ only in style, or whose value is equal and unique. */
function renamings(pairs: readonly PairDifference[]): readonly Piece[] {
  const added = pairs.filter(({ ours }) => ours === undefined);
  const alike = uniqueByKey(added, ({ name }) => plain(name));
  const equal = uniqueByKey(added, ({ theirs = '' }) => theirs);
  const taken = new Set<string>();
  return pairs.flatMap(({ name, theirs, ours }): readonly Piece[] => {
    if (theirs !== undefined) return [];
    const match = alike.get(plain(name)) ?? (ours ? equal.get(ours) : undefined);
    if (match === undefined || taken.has(match.name)) return [];
    taken.add(match.name);
    return [{ theirs: match.name, ours: name }];
  });
}

/** Maps each key to its pair; to undefined if several pairs have the key. */
function uniqueByKey(
  pairs: readonly PairDifference[],
  keyOf: (pair: PairDifference) => string,
): ReadonlyMap<string, PairDifference | undefined> {
  const found = new Map<string, PairDifference | undefined>();
  for (const pair of pairs) {
    const key = keyOf(pair);
    found.set(key, found.has(key) ? undefined : pair);
  }
  return found;
}

/** A name without its style: `apiKey`, `API_KEY` and `api-key` become equal. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function movedNames(theirs: Values, ours: Values): readonly string[] {
  const order = [...theirs.keys()].filter((name) => ours.has(name));
  const right = [...ours.keys()].filter((name) => theirs.has(name));
  const kept = alignItems(order, right).filter(({ isSame }) => isSame);
  const inPlace = new Set(kept.flatMap((run) => run.theirs));
  return order.filter((name) => !inPlace.has(name));
}

type Values = ReadonlyMap<string, string>;

/** The values of a repeated name are joined with a comma. */
function valuesByName(pairs: readonly Omit<Pair, 'text'>[]): Values {
  const values = new Map<string, string>();
  for (const { name, value } of pairs) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return values;
}

export interface Pair {
  readonly name: string;
  readonly value: string;
  /** Name and value, unchanged from the string. */
  readonly text: string;
}

/**
 * The pairs of a canonical string. An `&` begins a new pair if a `=` follows. An `&` that the right
 * value contains belongs to that value.
 */
export function pairsOf(canonical: string, right: Values = new Map()): readonly Pair[] {
  const texts: string[][] = [];
  let inValue = new Map<string, number>();
  for (const part of canonical === '' ? [] : canonical.split('&')) {
    const name = nameOf(part);
    const count = inValue.get(name) ?? 0;
    const last = texts.at(-1);
    if (last === undefined || (part.includes('=') && count === 0)) {
      texts.push([part]);
      inValue = namesInValue(right.get(name) ?? '');
    } else {
      last.push(part);
      if (count > 0) inValue.set(name, count - 1);
    }
  }
  return texts.map((parts) => {
    const text = parts.join('&');
    const name = nameOf(text);
    return { name, value: text.slice(name.length + 1), text };
  });
}

function nameOf(text: string): string {
  const equals = text.indexOf('=');
  return equals === -1 ? text : text.slice(0, equals);
}

/** How many times each name follows an `&` in a value, as in an address with a query. */
function namesInValue(value: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of value.split('&').slice(1)) {
    if (part.includes('=')) counts.set(nameOf(part), (counts.get(nameOf(part)) ?? 0) + 1);
  }
  return counts;
}
