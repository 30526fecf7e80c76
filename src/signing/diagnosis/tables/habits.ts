import { sortedByName } from '../../canonical.ts';
import { type DiagnosisId, type Evidence, RARE, type Variant } from '../mistake.ts';
import { type Row, type StepName, table } from '../steps.ts';
import {
  encodedPair,
  JAVA_URL_ENCODER,
  PHP_URLENCODE,
  QUOTE,
  QUOTE_PLUS,
  RFC_3986,
  STRING_QUOTED,
} from './encodings.ts';
import { NULL_INCLUDED } from './fields.ts';
import {
  BRACKET_NAMES,
  flattened,
  INDEX_NAMES,
  NODE_QUERY_NAMES,
  PHP_QUERY_NAMES,
  splitAfterSorting,
} from './flattened.ts';
import { joined, sortedValuesJoined, valuesJoined } from './joining.ts';
import {
  NESTED_AS_TEXT,
  NESTED_ESCAPED_SLASH,
  NESTED_ESCAPED_UNICODE,
  NESTED_SPACING,
} from './nested.ts';
import { general, phpJsonText } from './number-text.ts';
import { NUMBER_REFORMATTED } from './numbers.ts';
import { after } from './secret.ts';

/**
 * Several mistakes with one cause, such as a signer that prints every value with the default of its
 * language. A diagnosis omits the mistakes of a habit without an effect on the request.
 */
export type Habit = readonly Variant[];

/** The variant of a table with this end of its title. */
function pick(variants: readonly Variant[], end: string): Variant {
  const found = variants.find(({ title }) => title.endsWith(end));
  if (!found) throw new Error(`no variant ends with ${end}`);
  return found;
}

/** A variant that is in no table. */
function only<Name extends StepName>(id: DiagnosisId, step: Name, ...row: Row<Name>): Variant {
  return table(id, step, '', [row])[0] as Variant;
}

const nulls = (text: string): Variant =>
  only(
    'null-included',
    'nullText',
    `fields that are null were signed as ${text || 'empty text'}`,
    2,
    text,
  );
const noneAsNull = pick(NULL_INCLUDED, '"None"');
const nullWord = pick(NULL_INCLUDED, '"null"');
const emptyNull = pick(NULL_INCLUDED, 'empty text');
/** Booleans within nested JSON stay `true` and `false`. */
const booleans = (yes: string, no: string): Variant =>
  only(
    'boolean-reformatted',
    'boolean',
    `booleans were signed as ${yes} and ${no || 'empty text'}`,
    2,
    (value, place) => (place === 'nested' ? String(value) : value ? yes : no),
  );
const numbers = (how: string): Variant => pick(NUMBER_REFORMATTED, `numbers were signed ${how}`);
const printedNumbers = (how: string, print: (text: string) => string): Variant =>
  only('number-reformatted', 'number', `numbers were signed ${how}`, 2, print);
const asText = (how: string): Variant =>
  pick(NESTED_AS_TEXT, `nested JSON was signed as text by ${how}`);
const quoted = (how: string): Variant => pick(STRING_QUOTED, how);

const spaced = pick(
  NESTED_SPACING,
  'nested JSON was signed with ", " and ": " (json.dumps of Python)',
);
const escapedUnicode = pick(
  NESTED_ESCAPED_UNICODE,
  'with \\u escapes for all characters outside ASCII',
);
const goEscapes = pick(NESTED_ESCAPED_UNICODE, '(encoding/json of Go)');
const gsonEscapes = pick(NESTED_ESCAPED_UNICODE, '(Gson of Java)');
const slashes = pick(NESTED_ESCAPED_SLASH, 'nested JSON was signed with "\\/" for "/"');
const sortedNames = only(
  ...(['nested-key-order', 'memberOrder', 'the names inside nested JSON were sorted'] as const),
  ...([2, sortedByName] as const),
);
const indented = (lineEnd: string): Variant =>
  pick(
    NESTED_SPACING,
    lineEnd === '\n' ? 'nested JSON was signed indented by 2' : 'Windows line ends',
  );
const split = (names: typeof INDEX_NAMES): Variant =>
  only(
    'nested-flattened',
    'fields',
    `nested JSON was split into separate fields: ${names.how}`,
    2,
    (fields) => flattened(fields, names),
  );
const encodedPairs = (name: string, encode: typeof QUOTE): Variant =>
  only(
    'value-url-encoded',
    'pair',
    `names and values were percent-encoded (${name})`,
    2,
    encodedPair(encode),
  );
const quotePlus = encodedPairs('quote_plus of Python (QueryEscape of Go)', QUOTE_PLUS);
const quote = encodedPairs('quote of Python', QUOTE);
const rfc3986 = encodedPairs('RFC 3986 (rawurlencode of PHP)', RFC_3986);

const python = [noneAsNull, booleans('True', 'False'), numbers('as Python prints them')];
/** `json.dumps` of objects and lists. */
const pythonDumps = [...python, spaced, escapedUnicode];
/** `json.dumps` for every value except strings. */
const pythonJson = [nullWord, numbers('as Python prints them'), spaced, escapedUnicode];
const pythonRepr = asText('Python (str of a dict or list)');
const php = [numbers('as PHP prints them')];
/** `(string)` of PHP for every value. */
const phpCast = [...php, emptyNull, booleans('1', '')];
/** `json_encode` for every value except strings. */
const phpJson = [
  nullWord,
  printedNumbers('as json_encode of PHP prints them', phpJsonText),
  escapedUnicode,
  slashes,
];
const go = [pick(NULL_INCLUDED, '"<nil>"'), numbers('as Go prints a float64 with %v')];
const goMap = asText('Go (%v of a map or slice)');
const csharp = [booleans('True', 'False')];
const javaDoubles = numbers('as Java prints a Double');
const javaScript = [numbers('as JavaScript prints them'), asText('JavaScript ([object Object])')];

/** `%s` of Go for values that are not strings. */
function goVerbS(type: 'float64' | 'int' | 'int64'): Habit {
  const print = (text: string): string => {
    const isFloat = type === 'float64' || !/^-?\d+$/.test(text);
    const goNumber = Number.isFinite(Number(text)) ? general(text, 21) : text;
    return isFloat ? `%!s(float64=${goNumber})` : `%!s(${type}=${text})`;
  };
  return [
    nulls('%!s(<nil>)'),
    only(
      'boolean-reformatted',
      'boolean',
      'booleans were signed as %s of Go prints them (%!s(bool=true))',
      2,
      (value) => `%!s(bool=${value})`,
    ),
    printedNumbers(`as %s of Go prints them (%!s(${type}=1))`, print),
    goMap,
  ];
}

/** Wrappers of Swift's optionals, Scala's and Rust's options, and Java's Optional. */
function wrapped(number: string, boolean: string, string: string, nullText: string): Habit {
  return [
    nulls(nullText),
    printedNumbers(`as ${number}`, (text) => number.replace('…', () => text)),
    booleans(boolean.replace('…', 'true'), boolean.replace('…', 'false')),
    only('string-quoted', 'string', `texts were signed as ${string}`, 2, (text) =>
      string.replace(/"?…"?/, (mark) => (mark === '…' ? text : JSON.stringify(text))),
    ),
  ];
}

/** The secret as the last joined text: `[...values, secret].join('|')`. */
const secretJoinedToo = [',', '|', ';', ':', '_', '-', ' ', '\n', '+', '#'].flatMap((separator) => {
  const shown = JSON.stringify(separator);
  const joins = [
    only(
      'pairs-joined',
      'join',
      `the pairs were joined with ${shown} between them`,
      RARE,
      joined(separator, '='),
    ),
    only(
      'pairs-joined',
      'join',
      `the pairs were joined with ${shown} between them and ":" after the names`,
      RARE,
      joined(separator, ':'),
    ),
    only(
      'values-only',
      'join',
      `the values were joined without their names, with ${shown} between`,
      RARE,
      valuesJoined(separator),
    ),
    only(
      'values-only',
      'join',
      `the values were sorted and joined without their names, with ${shown} between`,
      RARE,
      sortedValuesJoined(separator),
    ),
  ];
  const secret = only(
    'secret-joined',
    'append',
    `the api secret was appended after ${shown} instead of directly`,
    RARE,
    after(separator),
  );
  return joins.map((join): Habit => [join, secret]);
});

const HABITS: readonly Habit[] = [
  pythonDumps,
  [...python, spaced],
  [...python, escapedUnicode],
  python,
  [...pythonDumps, sortedNames],
  [...python, pythonRepr],
  pythonJson,
  [...pythonJson, quoted('(json.dumps of Python)')],
  phpJson,
  [...phpJson, quoted('(json_encode of PHP)')],
  [...phpCast, escapedUnicode, slashes],
  [...phpCast, escapedUnicode],
  [...phpCast, slashes],
  [...phpCast, slashes, sortedNames],
  phpCast,
  [
    ...php,
    booleans('1', '0'),
    only(
      'nested-flattened',
      'signer',
      `nested JSON was split into separate fields: ${PHP_QUERY_NAMES.how}, after sorting`,
      2,
      (signer) => splitAfterSorting(signer, PHP_QUERY_NAMES),
    ),
    encodedPairs('urlencode of PHP', PHP_URLENCODE),
  ],
  [...go, goMap],
  [...go, sortedNames, goEscapes],
  [emptyNull, asText('Ruby 3.4 (inspect)')],
  [emptyNull, asText('Ruby (inspect)')],
  [nullWord, asText('Java (toString of a map or list)')],
  [nullWord, ...javaScript],
  // value || '' of JavaScript.
  [
    emptyNull,
    booleans('true', ''),
    only(
      'number-reformatted',
      'number',
      'numbers were signed as empty text if they are 0',
      2,
      (text, place) => (place === 'field' && Number(text) === 0 ? '' : text),
    ),
  ],
  goVerbS('float64'),
  goVerbS('int'),
  goVerbS('int64'),
  // ToString() and Newtonsoft.Json of C#.
  ...['\r\n', '\n'].flatMap((lineEnd) => [
    [...csharp, indented(lineEnd)],
    [emptyNull, ...csharp, indented(lineEnd)],
  ]),
  [emptyNull, ...csharp],
  // Gson of Java, which reads all numbers as Double.
  [javaDoubles, gsonEscapes],
  [nullWord, javaDoubles, gsonEscapes],
  [nullWord, javaDoubles, asText('Java (toString of a map or list)')],
  [nullWord, gsonEscapes],
  // JSONSerialization of Swift.
  [printedNumbers('with 17 significant digits', (text) => general(text, 17)), slashes],
  [booleans('1', '0'), slashes],
  wrapped('Optional(…)', 'Optional(…)', 'Optional("…")', 'nil'),
  wrapped('Number(…)', 'Bool(…)', 'String("…")', 'Null'),
  wrapped('Some(…)', 'Some(…)', 'Some("…")', 'None'),
  wrapped('Some(…)', 'Some(…)', 'Some(…)', 'None'),
  wrapped('Optional[…]', 'Optional[…]', 'Optional[…]', 'Optional.empty'),
  // to_query of Ruby on Rails.
  [emptyNull, split(BRACKET_NAMES), quotePlus],
  // qs and querystring of JavaScript.
  [emptyNull, split(INDEX_NAMES), rfc3986],
  [emptyNull, ...javaScript.slice(0, 1), split(NODE_QUERY_NAMES), encodedComponent()],
  // cjson of Lua.
  [numbers('with 14 significant digits, as Lua prints them'), slashes],
  // Query strings of Python and Go, with each encoding of a space.
  ...[quotePlus, quote].flatMap((encoded) => [
    [...python, pythonRepr, encoded],
    [...pythonDumps, encoded],
    [...go, goMap, encoded],
  ]),
  [...javaScript, encodedPairs('URLEncoder of Java', JAVA_URL_ENCODER)],
  ...secretJoinedToo,
  // Alibaba Cloud.
  [
    rfc3986,
    only(
      'pairs-joined',
      'join',
      'the pairs were percent-encoded after POST&%2F& (Alibaba Cloud)',
      2,
      (pairs, steps) => `POST&%2F&${RFC_3986(joined('&', '=')(pairs, steps))}`,
    ),
  ],
];

function encodedComponent(): Variant {
  return encodedPairs('encodeURIComponent of JavaScript', (text) =>
    encodeURIComponent(text.toWellFormed()),
  );
}

/**
 * The habits for a request. For a request with a null field, each habit that prints null occurs
 * twice: the second one does not include that mistake.
 */
export function habitsFor({ fields }: Evidence): readonly Habit[] {
  const isNull = ({ id }: Variant): boolean => id === 'null-included';
  const withoutNull = (habit: Habit): Habit => habit.filter((variant) => !isNull(variant));
  if (!fields.some(({ value }) => value.kind === 'null')) return HABITS.map(withoutNull);
  return [...HABITS, ...HABITS.filter((habit) => habit.some(isNull)).map(withoutNull)];
}
