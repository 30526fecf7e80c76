import { distance } from 'fastest-levenshtein';

/** The name that somebody may have meant; undefined when none is near. */
export function closest(word: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.name;
}
