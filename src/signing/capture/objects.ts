import { parseMembers } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';

export interface FoundObject {
  readonly value: JsonObject;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is within braces that are not JSON, such as an object that is cut off. */
  readonly isInner: boolean;
}

/** Maximum searches within braces that are not JSON, which may nest. */
const MAX_SEARCHES = 5;
/** Skips the parser for most texts that are not JSON. */
const FIRST_NAME = /^\{\s*(?:"(?:[^"\\]|\\.){0,1000}"\s*:|\})/;

/** The outermost JSON objects in a text. */
export function* objectsIn(text: string): Generator<FoundObject> {
  let searched = 0;
  let outerEnd = 0;
  const opening = /\{\s*"/g;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = match.index;
    const { end, isClosed } = closingBrace(text, start);
    const json = isClosed ? text.slice(start, end) : '';
    const value = FIRST_NAME.test(json) ? objectOf(json) : undefined;
    if (value) yield { value, text: json, start, end, isInner: start < outerEnd };
    else outerEnd = Math.max(end, outerEnd);
    // An object that is cut off, or in the notation of a logger, may contain JSON.
    const searchesInside = !value && searched < MAX_SEARCHES * text.length;
    searched += end - start;
    opening.lastIndex = searchesInside ? start + 1 : Math.max(end, start + 1);
  }
}

function objectOf(json: string): JsonObject | undefined {
  try {
    const value = parseMembers(json, 'as-written');
    return value.kind === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

function closingBrace(text: string, start: number): { end: number; isClosed: boolean } {
  const token = /[{}"]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '"') {
      const string = closingQuote(text, token.lastIndex);
      if (!string.isClosed) return string;
      token.lastIndex = string.end + 1;
    } else {
      depth += found[0] === '{' ? 1 : -1;
      if (depth === 0) return { end: token.lastIndex, isClosed: true };
    }
  }
  return { end: text.length, isClosed: false };
}

/** The quote that closes a string in its line. A pattern for it would overflow the stack. */
function closingQuote(text: string, from: number): { end: number; isClosed: boolean } {
  const special = /["\\\n]/g;
  special.lastIndex = from;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    if (found[0] !== '\\') return { end: found.index, isClosed: found[0] === '"' };
    special.lastIndex = found.index + 2;
  }
  return { end: text.length, isClosed: false };
}
