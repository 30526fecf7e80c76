import { nonProseFormat } from '../../../detection/contents/text-format.ts';
import { listed, MopError, own, quoted } from '../../../errors.ts';
import { parseJson } from '../../../json/parse.ts';
import { JsonSyntaxError } from '../../../json/reader.ts';
import { describe, type JsonValue } from '../../../json/value.ts';

/** Maximum number of paths in a hint. */
const MAX_PATHS = 3;

/** Maximum number of field names in a message. */
const MAX_NAMES = 8;

/** Maximum characters of a field name. */
const MAX_NAME = 60;

/** Names that services give to the text of a reply. */
const LIKELY_NAME = /(?:^|\.)(?:answer|completion|content|message|output|reply|response|text)$/i;

/**
 * The string at a path in a JSON document, such as `choices.0.message.content`. A number is the index
 * of an array. A field whose name is the whole rest of the path, with its dots, takes precedence.
 *
 * @throws {MopError} `usage` for a text that is not JSON, and for a path without one string.
 */
export function textInField(document: string, path: string): string {
  const json = parsed(document);
  let value = json;
  let at = '';
  for (let rest: string | undefined = path; rest !== undefined; ) {
    const [name, next] = firstStep(value, rest);
    const [found, second] = children(value, name);
    if (!found) throw fieldError(path, `is missing: ${contentOf(value, at)}`, json);
    at = at === '' ? name : `${at}.${name}`;
    // Some parsers use the first value, others the last.
    if (second) throw fieldError(path, `is ambiguous: ${JSON.stringify(at)} appears twice`, json);
    value = found;
    rest = next;
  }
  if (value.kind === 'string') return value.value;
  throw fieldError(path, `is not a string but ${describe(value)}`, json);
}

/** Names of strings that are not texts, such as identifiers, and of parts that have no text. */
const NEVER_TEXT =
  /(?:^|\.)(?:(?:error|tool_calls|usage)(?:\.|$)|(?:\w+_)?(?:id|object|model|role|type|kind|status|code|name|reason|created|timestamp|time|date|at|language|locale|url|uri|version|fingerprint|tier|arguments)$|[a-z]+(?:Id|Reason|Version|At|Type|Name)$)/;

/** A hint with the paths of strings in a JSON value, the most likely text first. */
export function fieldHint(json: JsonValue): string {
  const [first, ...others] = textPaths(json);
  if (first === undefined || !LIKELY_NAME.test(first)) {
    const absent = absentText(json, '');
    if (absent !== undefined) return quoted`${own(absent)}: the reply has no text`;
  }
  if (first === undefined)
    return 'the JSON has no text for --field to select: give the reply of the AI';
  const more = others.length > 0 ? quoted` (other texts: ${listed(others)})` : '';
  return quoted`select the text, such as --field ${first}${own(more)}`;
}

function textPaths(json: JsonValue): string[] {
  // Items of an array are mostly alike: one of each form is enough.
  const byForm = new Map<string, { path: string; rank: number }>();
  for (const { path, text } of stringsIn(json, '')) {
    const form = path.replace(/(^|\.)\d+(?=\.|$)/g, '$1#');
    const rank = (LIKELY_NAME.test(path) ? 1e9 : 0) + text.length;
    if (path === '' || text.trim() === '' || NEVER_TEXT.test(path)) continue;
    if (!byForm.has(form)) byForm.set(form, { path, rank });
  }
  const found = [...byForm.values()].sort((a, b) => b.rank - a.rank);
  return found.slice(0, MAX_PATHS).map(({ path }) => path);
}

/** The first path at which a reply of an API usually has its text, and its fault. */
function absentText(value: JsonValue, path: string): string | undefined {
  if (value.kind === 'null' && LIKELY_NAME.test(path)) return quoted`${path} is null`;
  if (value.kind === 'string' && LIKELY_NAME.test(path)) return quoted`${path} is empty`;
  const members = entries(value);
  const isMessage = value.kind === 'object' && /(?:^|\.)message$/.test(path);
  if (isMessage && members.every(([name]) => name !== 'content')) {
    return quoted`${`${path}.content`} is missing`;
  }
  for (const [name, each] of members) {
    const at = path === '' ? name : `${path}.${name}`;
    const absent = NEVER_TEXT.test(at) ? undefined : absentText(each, at);
    if (absent !== undefined) return absent;
  }
  return undefined;
}

function* stringsIn(value: JsonValue, path: string): Generator<{ path: string; text: string }> {
  if (value.kind === 'string') yield { path, text: value.value };
  for (const [name, each] of entries(value)) {
    // Any other name would need quotes in a shell, or be split at its dots.
    if (name === '' || /[^\p{L}\p{N}_-]/u.test(name)) continue;
    yield* stringsIn(each, path === '' ? name : `${path}.${name}`);
  }
}

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

function fieldError(path: string, fault: string, json: JsonValue): MopError {
  return new MopError('usage', `the field ${JSON.stringify(path)} ${fault}`, {
    hint: fieldHint(json),
  });
}

function parsed(document: string): JsonValue {
  try {
    return parseJson(document);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const isEmpty = document.trim() === '';
    const hint = isEmpty
      ? 'check the program that writes the input'
      : nonProseFormat(document)?.hint;
    throw new MopError(
      'usage',
      `the input is ${isEmpty ? 'empty' : `not JSON: ${error.message}`}`,
      {
        hint:
          hint ??
          'correct the JSON; for plain text, leave out --field, or use --lines instead of --batch',
        cause: error,
      },
    );
  }
}
