export interface Comparison {
  /** The first difference, in UTF-16 code units; undefined when they are equal. */
  readonly offset: number | undefined;
  /** The pairs that differ, by name: those of both first in the order of `ours`. */
  readonly pairs: readonly PairDifference[];
  /** Whether the same pairs stand in another order. */
  readonly reordered: boolean;
}

export interface PairDifference {
  readonly name: string;
  /** The value in each string; undefined where the name is missing. */
  readonly theirs: string | undefined;
  readonly ours: string | undefined;
}

/** Compares a canonical string of another program with the right one. */
export function compareCanonical(theirs: string, ours: string): Comparison {
  const [theirValues, ourValues] = [valuesByName(theirs), valuesByName(ours)];
  const names = new Set([...ourValues.keys(), ...theirValues.keys()]);
  const pairs = [...names].flatMap((name): PairDifference[] => {
    const [a, b] = [theirValues.get(name), ourValues.get(name)];
    return a === b ? [] : [{ name, theirs: a, ours: b }];
  });
  return {
    offset: theirs === ours ? undefined : firstDifference(theirs, ours),
    pairs,
    reordered: pairs.length === 0 && theirs !== ours,
  };
}

/** The first difference in UTF-16 code units; never inside a surrogate pair. */
export function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return /[\ud800-\udbff]/.test(a[at - 1] ?? '') ? at - 1 : at;
}

/**
 * A string as it was pasted from a log, as the signer had it: without brackets, quotes and line
 * ends around it, without HTML entities that the log added, and without the secret.
 *
 * @param ours The right canonical string; what it holds itself is not taken away.
 */
export function pastedCanonical(pasted: string, ours: string, secrets: readonly string[]): string {
  if (pasted.replace(/\r?\n$/, '') === ours) return ours;
  let text = pasted.trim();
  const wrapped = /^(?:\[(.*)\]|"(.*)"|'(.*)')$/s.exec(text);
  text = wrapped?.slice(1).find((inner) => inner !== undefined) ?? text;
  if (/&amp;/.test(text) && !/&amp;/.test(ours)) text = text.replaceAll('&amp;', '&');
  const secret = secrets.find((known) => known !== '' && text.endsWith(known));
  if (secret !== undefined) return text.slice(0, -secret.length);
  // A log that hides the secret writes a placeholder; a value may end like one.
  return PLACEHOLDER.test(ours) ? text : text.replace(PLACEHOLDER, '');
}

const PLACEHOLDER = /(?:\*{3,}|<secret[^>]*>|\[REDACTED\]|<redacted>)$/i;

/** The value of each name; an `&` inside a value begins no pair unless a `=` follows. */
function valuesByName(canonical: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (canonical === '') return values;
  let last: string | undefined;
  for (const part of canonical.split('&')) {
    const equals = part.indexOf('=');
    if (equals === -1 && last !== undefined) {
      values.set(last, `${values.get(last)}&${part}`);
      continue;
    }
    last = equals === -1 ? part : part.slice(0, equals);
    const value = equals === -1 ? '' : part.slice(equals + 1);
    const before = values.get(last);
    values.set(last, before === undefined ? value : `${before}, ${value}`);
  }
  return values;
}
