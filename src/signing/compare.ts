import { COMMON_FIELDS, SIGN_HEADERS } from '../protocol/operations.ts';
import { compareNames } from './canonical.ts';
import { plainName } from './header-name.ts';
import {
  alignItems,
  alignTexts,
  differs,
  firstDifference,
  joinedPieces,
  type Piece,
} from './text-difference.ts';

export interface Comparison {
  /** The first difference, in UTF-16 code units; undefined when they are equal. */
  readonly offset: number | undefined;
  /** Whether `theirs` consists of pairs joined by `&`: only then can fields be compared. */
  readonly hasPairs: boolean;
  /** The fields that differ: fields of `ours` in order, then fields only in `theirs`. */
  readonly pairs: readonly PairDifference[];
  /** Names in both strings, but at another place in `theirs`. */
  readonly moved: readonly string[];
}

export interface PairDifference {
  readonly name: string;
  /** The value in each string; undefined where the name is missing. */
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
}

/** Compares a canonical string of another program with the right pairs, which are sorted. */
export function compareCanonical(theirs: string, right: readonly Pair[]): Comparison {
  const ours = right.map(({ name, value }) => `${name}=${value}`).join('&');
  const ourValues = valuesByName(right);
  const theirValues = valuesByName(pairsOf(theirs, ourValues));
  const offset = theirs === ours ? undefined : firstDifference(theirs, ours);
  const hasPairs = isJoined(theirs, theirValues, ourValues);
  if (!hasPairs) return { offset, hasPairs, pairs: [], moved: [] };
  const pairs = [...new Set([...ourValues.keys(), ...theirValues.keys()])]
    .map((name) => ({ name, theirs: theirValues.get(name), ours: ourValues.get(name) }))
    .filter((pair) => pair.theirs !== pair.ours);
  const moved = movedNames(theirValues, ourValues);
  return { offset, hasPairs, pairs, moved };
}

/** {@link alignTexts} for strings to sign: values of one name are aligned with each other. */
export function alignCanonical(theirs: string, ours: string): readonly Piece[] {
  const pairsIn = (text: string): readonly string[] => text.split(/(?=&[^&=]*=)/);
  const runs = alignItems(pairsIn(theirs), pairsIn(ours), (pair) => nameOf(pair.replace('&', '')));
  const pieces = runs.flatMap((run): readonly Piece[] =>
    run.isSame
      ? run.theirs.flatMap((pair, at) => alignTexts(pair, run.ours[at] ?? ''))
      : [{ theirs: run.theirs.join(''), ours: run.ours.join('') }],
  );
  return joinedPieces(pieces).flatMap((piece) =>
    differs(piece) ? alignTexts(piece.theirs, piece.ours) : [piece],
  );
}

/**
 * With another separator than `&`, most names seem to be missing: they are inside the values.
 * Without names, `=` in values seems to follow unknown names.
 */
function isJoined(theirs: string, theirValues: Values, ourValues: Values): boolean {
  if (theirs === '') return true;
  const missing = [...ourValues.keys()].filter((name) => !theirValues.has(name));
  const within = missing.filter((name) => theirs.includes(`${name}=`));
  const names = new Set([...ourValues.keys()].map(plainName));
  const values = new Set(ourValues.values());
  const known = [...theirValues].filter(
    ([name, value]) => names.has(plainName(name)) || values.has(value),
  );
  return (
    theirs.includes('=') &&
    2 * within.length < ourValues.size &&
    2 * known.length >= theirValues.size
  );
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
function valuesByName(pairs: readonly Pair[]): Values {
  const values = new Map<string, string>();
  for (const { name, value } of pairs) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return values;
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** An `&` begins a new pair if a `=` follows. */
const BETWEEN_PAIRS = /&(?=[^&=]*=)/;

/**
 * The pairs of a canonical string. An `&` in the right value, as in an address, does not end a
 * pair.
 */
export function pairsOf(canonical: string, right: Values = new Map()): readonly Pair[] {
  const pairs: { readonly name: string; value: string }[] = [];
  let inValue: readonly string[] = [];
  let next = 0;
  for (const text of canonical === '' ? [] : canonical.split(BETWEEN_PAIRS)) {
    const name = nameOf(text);
    const found = inValue.indexOf(name, next);
    const last = pairs.at(-1);
    if (last && found !== -1) {
      last.value += `&${text}`;
      next = found + 1;
    } else {
      pairs.push({ name, value: text.slice(name.length + 1) });
      const [, ...others] = (right.get(name) ?? '').split(BETWEEN_PAIRS);
      inValue = others.map(nameOf);
      next = 0;
    }
  }
  return pairs;
}

function nameOf(text: string): string {
  return text.split('=', 1)[0] ?? '';
}

const { version, apiKey, timestamp, seqId } = SIGN_HEADERS;
/** A request of header mode may lack the nonce. */
const COMMON_HEADERS = [version, apiKey, timestamp, seqId];
const SIGNATURES = new Set(['sign', SIGN_HEADERS.sign.toLowerCase()]);

/**
 * The rules of D1 section 5 that a canonical string breaks, as predicates: `contains city twice`.
 */
export function canonicalFaults(canonical: string): readonly string[] {
  const names = pairsOf(canonical.trim()).map(({ name }) => name);
  const signature = names.find((name) => SIGNATURES.has(name.toLowerCase()));
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  const unsorted = names.findIndex(
    (name, at) => at > 0 && compareNames(names[at - 1] ?? '', name) > 0,
  );
  const isHeaderMode = names.some((name) => /^x-tms-/i.test(name));
  const common: readonly string[] = isHeaderMode ? COMMON_HEADERS : COMMON_FIELDS;
  const inString = new Set(names);
  const missing = common.filter((name) => !inString.has(name));
  const [before, after] = [names[unsorted - 1], names[unsorted]].map(short);
  const faults: readonly (string | false | undefined)[] = [
    canonical !== canonical.trim() && 'begins or ends with white space',
    signature && `contains the signature (${signature})`,
    repeated !== undefined && `contains ${short(repeated)} twice`,
    unsorted !== -1 && `is not sorted by name (${before} before ${after})`,
    missing.length > 0 && `lacks ${missing.join(', ')}`,
  ];
  return faults.filter((fault) => typeof fault === 'string');
}

function short(name = ''): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
