import { append } from '../../any-length.ts';
import { jsonValue } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import { withoutBackslashes } from '../../notations/escapes.ts';
import { splitComments } from '../../notations/markup.ts';
import { tagTexts } from './in-place.ts';
import { base64Texts, hexTexts } from './runs.ts';

/** A format with values, which a service may take for quotations. */
interface RecordFormat {
  readonly name: string;
  /** The values in their order; empty when the text does not have the format. */
  readonly values: (text: string) => readonly string[];
}

export const RECORDS: readonly RecordFormat[] = [
  { name: 'JSON', values: jsonStrings },
  { name: 'YAML', values: yamlValues },
  { name: 'a MIME message', values: mimeBodies },
  { name: 'a log', values: loggedQuotations },
  { name: 'quoted values', values: quotedTexts },
  { name: 'characters of tags', values: tagTexts },
  { name: 'comments', values: (text) => splitComments(text).comments },
  { name: 'Base64', values: base64Texts },
  { name: 'hex digits', values: hexTexts },
];

/** The strings of JSON or of JSON lines, and the names that are phrases. */
function jsonStrings(text: string): readonly string[] {
  if (!/^\s*[{["]/.test(text)) return [];
  const whole = jsonValue(text);
  if (whole) return [...stringsIn(whole)];
  const strings: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = jsonValue(line);
    if (!value) return [];
    append(strings, stringsIn(value));
  }
  return strings;
}

function* stringsIn(value: JsonValue): Generator<string> {
  if (value.kind === 'string') yield value.value;
  if (value.kind === 'array') for (const item of value.items) yield* stringsIn(item);
  if (value.kind !== 'object') return;
  for (const member of value.members) {
    if (/\s/.test(member.name)) yield member.name;
    yield* stringsIn(member.value);
  }
}

/** The text before a quote that prose does not attach to it. */
const BEFORE_VALUE = [
  '=[ \\t]{0,4}', // key = "value"
  '\\w\\(', // print("value")
  '\\b[a-z]:\\d{1,9}:', // s:5:"value"
  '\\bvalues\\s?\\(', // VALUES ('value'
  '\\b(?:echo|print|puts|return) ',
  '\\[\\s{0,20}', // ["value"
  '["\']\\s{0,4}:\\s{0,4}', // "key": "value"
  '\\{\\s{0,20}[\\w$-]{1,64}:\\s{0,4}', // {key: "value"
  '["\'\\d\\]}],\\s{0,20}[\\w$-]{1,64}:\\s{0,4}', // "value", key: "value"
];
/** Cells have delimiters on both sides, without spaces: prose has a comma before a quotation, too. */
const BEFORE_CELL = '^|[^\\s“”][,;|\\t]';
const AFTER_CELL = /[,;|\t)\]}]|\r?\n|$/y;
const OPENING = new RegExp(
  `(?:(?<=${BEFORE_VALUE.join('|')})|(?<cell>(?<=${BEFORE_CELL})))(?<quote>"""|'''|["'\`])`,
  'gim',
);

/** All quotations in code with few words; elsewhere those at the place of a value. */
function quotedTexts(text: string): readonly string[] {
  return [...new Set([...codeQuotations(text), ...quotedValues(text)])];
}

/** Values in quotes, as TOML, CSV, SQL, attributes and source code write them. */
function quotedValues(text: string): readonly string[] {
  const values: string[] = [];
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const { quote: quotes = '', cell } = found.groups ?? {};
    // In a cell, the second and third quote are a doubled one.
    const quote = cell === undefined ? quotes : quotes.slice(0, 1);
    const start = found.index + quote.length;
    const end = closingQuote(text, start, quote);
    if (end === undefined || (cell !== undefined && !isCell(text, found.index, end + 1))) continue;
    values.push(unescaped(text.slice(start, end), quote));
    OPENING.lastIndex = end + quote.length;
  }
  return values;
}

function isCell(text: string, start: number, end: number): boolean {
  AFTER_CELL.lastIndex = end;
  const isOnlyCell = /^(?:\n|)$/.test(text[start - 1] ?? '') && !/[,;|\t]/.test(text[end] ?? '');
  return AFTER_CELL.test(text) && !isOnlyCell && !/^[,;|\t] /.test(text.slice(end, end + 2));
}

const APOSTROPHE = /^\p{L}'\p{L}$/u;

/** The offset of the quote that ends a value; undefined without one. A doubled quote is part of it. */
function closingQuote(text: string, start: number, quote: string): number | undefined {
  if (quote.length > 1) {
    const end = text.indexOf(quote, start);
    return end === -1 ? undefined : end;
  }
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote && !APOSTROPHE.test(text.slice(at - 1, at + 2))) {
      if (text[at + 1] !== quote) return at;
      at++;
    }
  }
  return undefined;
}

function unescaped(value: string, quote: string): string {
  const single = value.replaceAll(quote + quote, quote);
  return withoutBackslashes(single)[0] ?? single;
}

const TIME =
  /\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d?[/ ][A-Z][a-z]{2}[/ ]\d{4}[: ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|[IWEF]\d{4} \d\d:\d\d:\d\d|(?<!\d)\d{10}(?:\d{3})?(?!\d)|\d\d:\d\d:\d\d/;
const LEVEL = /INFO|DEBUG|TRACE|WARN|ERROR|FATAL/;
/** The start of a line of a log: a time or a level after at most three words. */
const LOG_LINE = new RegExp(
  `^(?:[^\\s"']{1,80}\\s{1,4}){0,3}[[(<]?(?:${TIME.source}|(?:${LEVEL.source})\\b)`,
);

/** The quotations in the lines of a log: a message contains a value, not speech. */
function loggedQuotations(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (!LOG_LINE.test(line)) return [];
    return quotationsIn(line);
  });
}

/** A quotation, or an escape outside of one: an escaped quote would begin a search of the whole line. */
const QUOTATION =
  /\\.|"(?:[^"\\]|\\.){1,100000}"|(?<!\w)'(?:[^'\\]|\\.|(?<=\w)'(?=\w)){1,100000}'(?!\w)/g;
const isEscape = (found: string): boolean => found.startsWith('\\');

function quotationsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(QUOTATION), ([found]) => found)
    .filter((found) => !isEscape(found))
    .map((quoted) => unescaped(quoted.slice(1, -1), quoted[0] ?? ''));
}

/** Signs of code outside quotations, which are replaced by a quote. */
const CODE_SIGN = /[({[|=]|<[</!\w]|[@#$]"|(?:^|\s)--?[a-z]/i;
/** With as many words for each quotation, the text is prose about them. */
const PROSE_WORDS = 5;

/** The quotations in code with few words, such as arguments, cells and options. */
function codeQuotations(text: string): readonly string[] {
  const rest = text.replace(QUOTATION, (found) => (isEscape(found) ? found : '"'));
  if (!CODE_SIGN.test(rest)) return [];
  const values = quotationsIn(text);
  const words = rest.match(/\p{L}{2,1000}/gu)?.length ?? 0;
  return words < PROSE_WORDS * values.length ? values : [];
}

const HEADER = /^[A-Za-z][\w-]*:[ \t]/;

/** The bodies of a message or of its parts, without headers and boundaries (RFC 2045). */
function mimeBodies(text: string): readonly string[] {
  if (!/^(?:content-(?:type|transfer-encoding|disposition)|mime-version):/im.test(text)) return [];
  const parts = text.split(/^--[^\s-]\S{0,70}[ \t]*$/m);
  return parts.map((part) => {
    const lines = part.trimStart().split(/\r?\n/);
    if (!HEADER.test(lines[0] ?? '')) return part;
    const end = lines.findIndex((line) => line.trim() === '');
    return end === -1 ? '' : lines.slice(end).join('\n');
  });
}

/** A line with a key: its indentation with the dashes of lists, and the value. */
const KEY = /^([ \t]*(?:- +)*)(?:["'][^"'\n]{1,64}["']|[\p{L}\p{N}_.$-]{1,64}):(?:[ \t]+(.*))?$/su;
const ITEM = /^([ \t]*(?:- +)+)(.*)$/s;
const NO_CONTENT = /^(?:[ \t]*(?:#.*)?|---.*|\.\.\.|%\w.*)$/;
const BLOCK = /^[|>][-+\d]*[ \t]*(?:#.*)?$/;
const PROPERTIES = /^(?:[!&][^\s,[\]{}]*[ \t]+)+/;
const QUOTED = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^']|'')*)')[ \t]*(?:#.*)?$/;

interface Value {
  readonly indent: number;
  readonly lines: string[];
}

/** The values of YAML, if a notation hides one: quotes, a block, a tag or a continued line. */
function yamlValues(text: string): readonly string[] {
  const values: Value[] = [];
  let hasKey = false;
  for (const line of text.split(/\r?\n/)) {
    const value = values.at(-1);
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const isInBlock = value !== undefined && BLOCK.test(value.lines[0] ?? '');
    if (isInBlock && (indent > value.indent || line.trim() === '')) {
      value.lines.push(line.trim());
      continue;
    }
    if (NO_CONTENT.test(line)) continue;
    const key = KEY.exec(line);
    hasKey ||= key !== null;
    const [, prefix, content = ''] = key ?? ITEM.exec(line) ?? [];
    if (prefix !== undefined) {
      values.push({
        indent: prefix.search(/-|$/),
        lines: [content.replace(PROPERTIES, '').trim()],
      });
    } else if (value !== undefined && indent > value.indent) {
      value.lines.push(line.trim());
    } else {
      return [];
    }
  }
  const isHidden = values.some(({ lines }) => lines.length > 1 || QUOTED.test(lines[0] ?? ''));
  return isHidden && hasKey ? values.map(({ lines }) => textOf(lines)) : [];
}

function textOf([first = '', ...rest]: readonly string[]): string {
  if (BLOCK.test(first)) return rest.join(first.startsWith('|') ? '\n' : ' ').trim();
  const folded = [first, ...rest].join(' ');
  const [, double, single] = QUOTED.exec(folded) ?? [];
  if (double !== undefined) return withoutBackslashes(double)[0] ?? double;
  return single?.replaceAll("''", "'") ?? folded;
}
