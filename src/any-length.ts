/** Operations on lists and texts of any length: no call has an argument per item, no step a search. */

export function largest(numbers: Iterable<number>, atLeast = 0): number {
  let result = atLeast;
  for (const number of numbers) if (number > result) result = number;
  return result;
}

export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A text without spaces and tabs around it. */
export function withoutBlanks(text: string): string {
  let start = 0;
  while (text[start] === ' ' || text[start] === '\t') start++;
  return withoutEnd(text.slice(start), ' \t');
}
