import { printJson } from '../../../json/print.ts';
import type { JsonMember, JsonValue } from '../../../json/value.ts';
import { visibleLine } from '../../context/visible-text.ts';

/** A line of text, with its indentation in columns. */
export interface FieldLine {
  readonly indent: number;
  readonly text: string;
}

/** Maximum characters of a value: a longer one would hide its neighbours. */
const MAX_VALUE = 400;

/** Maximum depth of indented values; deeper values are printed as JSON. */
const MAX_DEPTH = 4;

/** JSON for a person: a line for each field, nested ones indented, numbers with their digits. */
export function* valueLines(value: JsonValue, depth = 0): Generator<FieldLine> {
  if (isFlat(value) || depth === MAX_DEPTH) {
    yield { indent: 0, text: inline(value) };
  } else if (value.kind === 'array') {
    for (const item of value.items) yield* asItem(valueLines(item, depth + 1));
  } else if (value.kind === 'object') {
    yield* fieldLines(value.members, depth);
  }
}

export function* fieldLines(members: readonly JsonMember[], depth = 0): Generator<FieldLine> {
  for (const { name, value } of members) {
    const label = `${cut(name) || '""'}:`;
    if (isFlat(value) || depth + 1 === MAX_DEPTH) {
      yield { indent: 0, text: `${label} ${inline(value)}` };
      continue;
    }
    yield { indent: 0, text: label };
    for (const { indent, text } of valueLines(value, depth + 1)) yield { indent: indent + 2, text };
  }
}

function* asItem(lines: Iterable<FieldLine>): Generator<FieldLine> {
  let isFirst = true;
  for (const { indent, text } of lines) {
    yield isFirst ? { indent, text: `- ${text}` } : { indent: indent + 2, text };
    isFirst = false;
  }
}

/** Whether a value fits on a line: a scalar, an empty list or object, a list of numbers. */
function isFlat(value: JsonValue): boolean {
  if (value.kind === 'object') return value.members.length === 0;
  return (
    value.kind !== 'array' || value.items.every(({ kind }) => /number|boolean|null/.test(kind))
  );
}

function inline(value: JsonValue): string {
  if (value.kind === 'string' && value.value.trim() !== '') return cut(value.value);
  const isNumbers = value.kind === 'array' && isFlat(value);
  return cut(isNumbers ? `[${value.items.map(printJson).join(', ')}]` : printJson(value));
}

function cut(text: string): string {
  if (text.length <= MAX_VALUE) return visibleLine(text);
  return `${visibleLine(text.slice(0, MAX_VALUE).toWellFormed())}... (${text.length} characters, --json shows all)`;
}
