import { MopError } from '../../../errors.ts';
import { parseJson } from '../../../json/parse.ts';
import { JsonSyntaxError } from '../../../json/reader.ts';
import { describe, type JsonValue } from '../../../json/value.ts';

/** Maximum number of field names in a message. */
const MAX_NAMES = 8;

/** Maximum characters of a field name. */
const MAX_NAME = 60;

/** The string at a path in a JSON document; see {@link textIn}. */
export function textInField(document: string, path: string): string {
  return textIn(parsedInput(document), path);
}

/**
 * The string at a path in JSON, such as `choices.0.message.content`. A number is the index of an
 * array. A field whose name is the whole rest of the path, with its dots, takes precedence.
 */
export function textIn(json: JsonValue, path: string): string {
  let value = json;
  let at = '';
  for (let rest: string | undefined = path; rest !== undefined; ) {
    const [name, next] = firstStep(value, rest);
    const [found, second] = children(value, name);
    if (!found) throw fieldError(path, `is missing: ${contentOf(value, at)}`);
    at = at === '' ? name : `${at}.${name}`;
    // Some parsers use the first value, others the last.
    if (second) throw fieldError(path, `is ambiguous: ${JSON.stringify(at)} appears twice`);
    value = found;
    rest = next;
  }
  if (value.kind === 'string') return value.value;
  throw fieldError(path, `is not a string but ${describe(value)}`);
}

export const FIELD_HINT =
  'select the text with --field PATH, such as choices.0.message.content; print a JSON string with jq -r';

function entries(value: JsonValue): (readonly [name: string, value: JsonValue])[] {
  if (value.kind === 'array') return value.items.map((item, index) => [String(index), item]);
  return value.kind === 'object' ? value.members.map(({ name, value }) => [name, value]) : [];
}

function firstStep(value: JsonValue, path: string): [name: string, rest: string | undefined] {
  const dot = path.indexOf('.');
  if (dot === -1 || children(value, path).length > 0) return [path, undefined];
  return [path.slice(0, dot), path.slice(dot + 1)];
}

function children(value: JsonValue, name: string): JsonValue[] {
  return entries(value).flatMap(([each, child]) => (each === name ? [child] : []));
}

/** The content of a value in which a field was not found. */
function contentOf(value: JsonValue, path: string): string {
  const where = path === '' ? 'the JSON' : JSON.stringify(path);
  if (value.kind === 'array') return `${where} is an array of ${value.items.length}`;
  if (value.kind !== 'object') return `${where} is ${describe(value)}`;
  const names = value.members.map(({ name }) => name);
  if (names.length === 0) return `${where} is an empty object`;
  const more = names.length > MAX_NAMES ? ', ...' : '';
  return `${where} has ${names.slice(0, MAX_NAMES).map(shortened).join(', ')}${more}`;
}

function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}...` : name;
}

function fieldError(path: string, fault: string): MopError {
  return new MopError('usage', `the field ${JSON.stringify(path)} ${fault}`, {
    hint: FIELD_HINT,
  });
}

/** @throws {MopError} `usage` for a text that is not JSON. */
export function parsedInput(document: string): JsonValue {
  try {
    return parseJson(document);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const fault = document.trim() === '' ? 'empty' : `not JSON: ${error.message}`;
    throw new MopError('usage', `the input is ${fault}`, {
      hint: 'correct the JSON; for plain text, leave out --field, or use --lines instead of --batch',
      cause: error,
    });
  }
}
