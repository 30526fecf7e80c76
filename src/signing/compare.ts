/** Two canonical strings, one beside the other. */
export interface Comparison {
  /** Where they part, in UTF-16 code units; undefined when they are the same. */
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
  const [theirPairs, ourPairs] = [pairsOf(theirs), pairsOf(ours)];
  const names = new Set([...ourPairs, ...theirPairs].map(({ name }) => name));
  const pairs = [...names].flatMap((name): PairDifference[] => {
    const [a, b] = [valuesOf(theirPairs, name), valuesOf(ourPairs, name)];
    return a === b ? [] : [{ name, theirs: a, ours: b }];
  });
  return {
    offset: theirs === ours ? undefined : parting(theirs, ours),
    pairs,
    reordered: pairs.length === 0 && theirs !== ours,
  };
}

/** Where two texts part, in UTF-16 code units; never inside a surrogate pair. */
export function parting(a: string, b: string): number {
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
  let text = pasted.trim();
  const wrapped = /^(?:\[(.*)\]|"(.*)"|'(.*)')$/s.exec(text);
  text = wrapped?.slice(1).find((inner) => inner !== undefined) ?? text;
  if (/&amp;/.test(text) && !/&amp;/.test(ours)) text = text.replaceAll('&amp;', '&');
  const secret = secrets.find((known) => known !== '' && text.endsWith(known));
  if (secret !== undefined) return text.slice(0, -secret.length);
  // A log that hides the secret writes a placeholder.
  return text.replace(/(?:\*{3,}|<secret[^>]*>|\[REDACTED\]|<redacted>)$/i, '');
}

interface PlainPair {
  readonly name: string;
  readonly value: string;
}

/** The pairs of a canonical string. An `&` inside a value begins no pair unless a `=` follows. */
function pairsOf(canonical: string): readonly PlainPair[] {
  const pairs: { name: string; value: string }[] = [];
  for (const part of canonical.split('&')) {
    const [name = '', ...value] = part.split('=');
    const last = pairs.at(-1);
    if (value.length === 0 && last) last.value += `&${part}`;
    else pairs.push({ name, value: value.join('=') });
  }
  return pairs;
}

function valuesOf(pairs: readonly PlainPair[], name: string): string | undefined {
  const values = pairs.filter((pair) => pair.name === name).map(({ value }) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
