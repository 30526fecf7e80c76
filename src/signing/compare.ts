import { alignItems, firstDifference } from './text-difference.ts';

/** Two canonical strings, pair by pair. */
export interface Comparison {
  /** The first difference, in UTF-16 code units; undefined when they are equal. */
  readonly offset: number | undefined;
  /** Whether `theirs` consists of pairs joined by `&`, so that its fields can be compared. */
  readonly hasPairs: boolean;
  /** The fields that differ, by name: those of both first in the order of `ours`. */
  readonly pairs: readonly PairDifference[];
  /** Fields of `pairs` that are likely the same one under another name. */
  readonly renamed: readonly Renaming[];
  /** The names in both strings that `theirs` has in another place. */
  readonly moved: readonly string[];
}

export interface PairDifference {
  readonly name: string;
  /** The value in each string; undefined where the name is missing. */
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
}

export interface Renaming {
  readonly theirs: string;
  readonly ours: string;
}

/** Compares a canonical string of another program with the right one. */
export function compareCanonical(theirs: string, ours: string): Comparison {
  const [theirValues, ourValues] = [valuesByName(theirs), valuesByName(ours)];
  const offset = theirs === ours ? undefined : firstDifference(theirs, ours);
  if (!isJoined(theirs, theirValues, ourValues)) {
    return { offset, hasPairs: false, pairs: [], renamed: [], moved: [] };
  }
  const names = new Set([...ourValues.keys(), ...theirValues.keys()]);
  const pairs = [...names].flatMap((name): PairDifference[] => {
    const [a, b] = [theirValues.get(name), ourValues.get(name)];
    return a === b ? [] : [{ name, theirs: a, ours: b }];
  });
  return {
    offset,
    hasPairs: true,
    pairs,
    renamed: renamings(pairs),
    moved: movedNames(theirValues, ourValues),
  };
}

/**
 * Whether a string can be read as pairs joined by `&`. Joined in another way, it seems to lack most
 * names, which then stand within the values.
 */
function isJoined(theirs: string, theirValues: Values, ourValues: Values): boolean {
  if (theirs === '') return true;
  const missing = [...ourValues.keys()].filter((name) => !theirValues.has(name));
  const within = missing.filter((name) => theirs.includes(`${name}=`));
  return theirs.includes('=') && 2 * within.length < ourValues.size;
}

/** Names that are alike, or that have the same value, which no other field has. */
function renamings(pairs: readonly PairDifference[]): readonly Renaming[] {
  const added = pairs.filter(({ ours }) => ours === undefined);
  const alike = onlyOnes(added, ({ name }) => plain(name));
  const equal = onlyOnes(added, ({ theirs = '' }) => theirs);
  const taken = new Set<string>();
  return pairs.flatMap(({ name, theirs, ours }): Renaming[] => {
    if (theirs !== undefined) return [];
    const match = alike.get(plain(name)) ?? (ours ? equal.get(ours) : undefined);
    if (match === undefined || taken.has(match.name)) return [];
    taken.add(match.name);
    return [{ theirs: match.name, ours: name }];
  });
}

/** By key, the pairs whose key no other has. */
function onlyOnes(
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

/** A name without what styles of writing change: `apiKey`, `API_KEY` and `api-key` are alike. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function movedNames(theirs: Values, ours: Values): readonly string[] {
  const [order, right] = [
    [...theirs.keys()].filter((name) => ours.has(name)),
    [...ours.keys()].filter((name) => theirs.has(name)),
  ];
  const kept = alignItems(order, right) ?? [];
  const inPlace = new Set(kept.flatMap(({ from, length }) => order.slice(from, from + length)));
  return order.filter((name) => !inPlace.has(name));
}

type Values = ReadonlyMap<string, string>;

/** The value of each name. */
function valuesByName(canonical: string): Values {
  const values = new Map<string, string>();
  for (const { name, value } of pairsOf(canonical)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return values;
}

/** The pairs of a canonical string; an `&` inside a value begins no pair unless a `=` follows. */
export function pairsOf(canonical: string): readonly { name: string; value: string }[] {
  const pairs: { name: string; value: string }[] = [];
  if (canonical === '') return pairs;
  for (const part of canonical.split('&')) {
    const equals = part.indexOf('=');
    const last = pairs.at(-1);
    if (equals === -1 && last !== undefined) last.value += `&${part}`;
    else if (equals === -1) pairs.push({ name: part, value: '' });
    else pairs.push({ name: part.slice(0, equals), value: part.slice(equals + 1) });
  }
  return pairs;
}
