import { sortedByName } from '../canonical.ts';
import { nullIncluded } from './dimensions/fields.ts';
import {
  pairsJoined,
  pairsJoinedWith,
  sortedValuesJoined,
  valuesJoined,
  valuesOnly,
} from './dimensions/joining.ts';
import {
  lowerEscape,
  nestedEscaped,
  nestedEscapedSlash,
  nestedEscapedUnicode,
  nestedFlattened,
  nestedKeyOrder,
  nestedSpacing,
  splitAfterSorting,
} from './dimensions/nested.ts';
import { booleanReformatted, numberReformatted } from './dimensions/number-and-boolean.ts';
import { alibabaJoin } from './dimensions/request-parts.ts';
import { secretAfter, secretJoined } from './dimensions/secret.ts';
import { stringQuoted, urlEncodedPairs, valueUrlEncoded } from './dimensions/text.ts';
import { BRACKET_NAMES, flattened, INDEX_NAMES, PHP_QUERY_NAMES } from './languages/flattened.ts';
import {
  GO_NUMBERS,
  general,
  isIntegerText,
  JAVA_DOUBLES,
  JAVASCRIPT_NUMBERS,
  LUA_NUMBERS,
  type NumberPrinter,
  PHP_NUMBERS,
  PYTHON_NUMBERS,
  phpJsonText,
} from './languages/number-text.ts';
import {
  GO_TEXT,
  JAVA_TEXT,
  JAVASCRIPT_TEXT,
  PYTHON_REPR,
  RUBY_3_4_TEXT,
  RUBY_TEXT,
  type Stringifier,
} from './languages/stringified.ts';
import {
  JAVA_ENCODER,
  PHP_URL_ENCODER,
  QUOTE_ENCODER,
  QUOTE_PLUS_ENCODER,
  RFC_3986_ENCODER,
  type TextEncoding,
} from './languages/url-encoding.ts';
import { type Evidence, type Mistake, RARE, type Suspect, styled, withFields } from './mistake.ts';
import { type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from './print-style.ts';

/**
 * Several mistakes with one cause, such as a signer that prints every value with the default of its
 * language. A diagnosis omits the mistakes of a habit without an effect on the request.
 */
export type Habit = readonly Suspect[];

const NOT_ASCII = /[^\0-\x7f]/g;
const escapedUnicode = escaped(
  'nested JSON was signed with \\u escapes for all characters outside ASCII',
  NOT_ASCII,
);

const pythonNumbers = numbers(PYTHON_NUMBERS);
const python = [nulls('None'), booleans('True', 'False'), pythonNumbers];
const spaced = printed(
  nestedSpacing,
  'nested JSON was signed with ", " and ": " (json.dumps of Python)',
  { layout: SPACED_STYLE.layout },
);
/** `json.dumps` of objects and lists. */
const dumped = [spaced, escapedUnicode];
const pythonDumps = [...python, ...dumped];
/** `json.dumps` for every value except strings. */
const pythonJson = [nulls('null'), pythonNumbers, ...dumped];
const sortedNames = printed(nestedKeyOrder, 'the names inside nested JSON were sorted', {
  memberOrder: sortedByName,
});
const php = [numbers(PHP_NUMBERS)];
/** `(string)` of PHP for every value. */
const phpCast = [...php, nulls(''), booleans('1', '')];
/** `json_encode` for every value except strings. */
const phpJson = [
  nulls('null'),
  numbers({ title: 'as json_encode of PHP prints them', print: phpJsonText }),
  escapedUnicode,
  slashes(),
];
const go = [nulls('<nil>'), numbers(GO_NUMBERS)];

const csharp = [booleans('True', 'False')];
const javaDoubles = numbers(JAVA_DOUBLES);
const gsonEscapes = escaped(
  'nested JSON was signed with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
  /[<>&='\u2028\u2029]/g,
);
const indented = (lineEnd: string, indent: string): Suspect =>
  printed(nestedSpacing, `nested JSON was signed indented by ${indent.length} spaces`, {
    layout: { ...RIGHT_STYLE.layout, colon: ': ', lineEnd, indent },
  });
const encodedPairs = (encoder: TextEncoding): Suspect => ({
  mistake: valueUrlEncoded,
  ...urlEncodedPairs(encoder),
});

/** The secret as the last joined text: `[...values, secret].join('|')`. */
const secretJoinedToo = [',', '|', ';', ':', '_', '-', ' ', '\n', '+', '#'].flatMap((separator) =>
  [
    { mistake: pairsJoined, ...pairsJoinedWith(separator) },
    { mistake: pairsJoined, ...pairsJoinedWith(separator, ':') },
    { mistake: valuesOnly, ...valuesJoined(separator) },
    { mistake: valuesOnly, ...sortedValuesJoined(separator) },
  ].map((joined) => [
    { ...joined, cost: RARE },
    { mistake: secretJoined, ...secretAfter(separator) },
  ]),
);

const HABITS: readonly Habit[] = [
  pythonDumps,
  [...python, spaced],
  [...python, escapedUnicode],
  python,
  [...pythonDumps, sortedNames],
  [...python, stringified(PYTHON_REPR)],
  pythonJson,
  [
    ...pythonJson,
    printed(stringQuoted, 'texts were signed as JSON (json.dumps of Python)', {
      string: (value) => JSON.stringify(value).replace(NOT_ASCII, lowerEscape),
    }),
  ],
  phpJson,
  [
    ...phpJson,
    printed(stringQuoted, 'texts were signed as JSON (json_encode of PHP)', {
      string: (value) =>
        JSON.stringify(value).replaceAll('/', '\\/').replace(NOT_ASCII, lowerEscape),
    }),
  ],
  [...phpCast, escapedUnicode, slashes()],
  [...phpCast, escapedUnicode],
  [...phpCast, slashes()],
  [...phpCast, slashes(), sortedNames],
  phpCast,
  [
    ...php,
    booleans('1', '0'),
    {
      mistake: nestedFlattened,
      title: `nested JSON was split into separate fields: ${PHP_QUERY_NAMES.title}, after sorting`,
      change: (signer) => splitAfterSorting(signer, PHP_QUERY_NAMES),
    },
    encodedPairs(PHP_URL_ENCODER),
  ],
  [...go, stringified(GO_TEXT)],
  [
    ...go,
    sortedNames,
    escaped(
      'nested JSON was signed with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
      /[<>&\u2028\u2029]/g,
    ),
  ],
  [nulls(''), stringified(RUBY_3_4_TEXT)],
  [nulls(''), stringified(RUBY_TEXT)],
  [nulls('null'), stringified(JAVA_TEXT)],
  [nulls('null'), numbers(JAVASCRIPT_NUMBERS), stringified(JAVASCRIPT_TEXT)],
  // value || '' of JavaScript.
  [
    nulls(''),
    booleans('true', ''),
    printed(numberReformatted, 'numbers were signed as empty text if they are 0', {
      number: (text, place) => (place === 'field' && Number(text) === 0 ? '' : text),
    }),
  ],
  // %s of Go for values that are not strings.
  ...['float64', 'int', 'int64'].map((type) => [
    nulls('%!s(<nil>)'),
    printed(booleanReformatted, 'booleans were signed as %s of Go prints them (%!s(bool=true))', {
      boolean: (value) => `%!s(bool=${value})`,
    }),
    numbers({
      title: `as %s of Go prints them (%!s(${type}=1))`,
      print: (text) =>
        type === 'float64' || !isIntegerText(text)
          ? `%!s(float64=${GO_NUMBERS.print(text)})`
          : `%!s(${type}=${text})`,
    }),
    stringified(GO_TEXT),
  ]),
  // ToString() and Newtonsoft.Json of C#.
  ...['\r\n', '\n'].flatMap((lineEnd) => [
    [...csharp, indented(lineEnd, '  ')],
    [nulls(''), ...csharp, indented(lineEnd, '  ')],
  ]),
  [nulls(''), ...csharp],
  // Gson of Java, which reads all numbers as Double.
  [javaDoubles, gsonEscapes],
  [nulls('null'), javaDoubles, gsonEscapes],
  [nulls('null'), javaDoubles, stringified(JAVA_TEXT)],
  [nulls('null'), gsonEscapes],
  // JSONSerialization of Swift.
  [numbers({ title: 'with 17 significant digits', print: (text) => general(text, 17) }), slashes()],
  [booleans('1', '0'), slashes()],
  // String interpolation of optionals in Swift, and {:?} of serde_json values in Rust.
  ...[
    { number: 'Optional', string: 'Optional', boolean: 'Optional' },
    { number: 'Number', string: 'String', boolean: 'Bool' },
  ].map(({ number, string, boolean }) => [
    numbers({ title: `as ${number}(1)`, print: (text) => `${number}(${text})` }),
    booleans(`${boolean}(true)`, `${boolean}(false)`),
    printed(stringQuoted, `texts were signed as ${string}("…")`, {
      string: (value) => `${string}(${JSON.stringify(value)})`,
    }),
  ]),
  // to_query of Ruby on Rails.
  [
    nulls(''),
    {
      mistake: nestedFlattened,
      ...withFields('nested JSON was split into separate fields: a[b]=, a[]=', (fields) =>
        flattened(fields, BRACKET_NAMES),
      ),
    },
    encodedPairs(QUOTE_PLUS_ENCODER),
  ],
  // qs of JavaScript.
  [
    nulls(''),
    {
      mistake: nestedFlattened,
      ...withFields('nested JSON was split into separate fields: a[b]=, a[0]=', (fields) =>
        flattened(fields, INDEX_NAMES),
      ),
    },
    encodedPairs(RFC_3986_ENCODER),
  ],
  // cjson of Lua.
  [numbers(LUA_NUMBERS), slashes()],
  // Query strings of Python and Go, with each encoding of a space.
  ...[QUOTE_PLUS_ENCODER, QUOTE_ENCODER].flatMap((encoder) => [
    [...python, stringified(PYTHON_REPR), encodedPairs(encoder)],
    [...pythonDumps, encodedPairs(encoder)],
    [...go, stringified(GO_TEXT), encodedPairs(encoder)],
  ]),
  [numbers(JAVASCRIPT_NUMBERS), stringified(JAVASCRIPT_TEXT), encodedPairs(JAVA_ENCODER)],
  ...secretJoinedToo,
  // Alibaba Cloud.
  [
    encodedPairs(RFC_3986_ENCODER),
    {
      mistake: pairsJoined,
      title: 'the pairs were percent-encoded after POST&%2F& (Alibaba Cloud)',
      change: (signer) => signer.with({ join: alibabaJoin }),
    },
  ],
];

/**
 * The habits for a request. For a request with a null field, each habit that prints null occurs
 * twice: the second one does not include that mistake.
 */
export function habitsFor({ fields }: Evidence): readonly Habit[] {
  const hasNull = fields.some(({ value }) => value.kind === 'null');
  const isNull = ({ mistake }: Suspect): boolean => mistake === nullIncluded;
  const withoutNull = (habit: Habit): Habit => habit.filter((suspect) => !isNull(suspect));
  if (!hasNull) return HABITS.map(withoutNull);
  return [...HABITS, ...HABITS.filter((habit) => habit.some(isNull)).map(withoutNull)];
}

function printed(mistake: Mistake, title: string, changes: Partial<PrintStyle>): Suspect {
  return { mistake, ...styled(title, changes) };
}

function nulls(nullText: string): Suspect {
  const shown = nullText === '' ? 'empty text' : `"${nullText}"`;
  return printed(nullIncluded, `fields that are null were signed as ${shown}`, { nullText });
}

function numbers({ title, print }: NumberPrinter): Suspect {
  return printed(numberReformatted, `numbers were signed ${title}`, { number: print });
}

/** Booleans within nested JSON stay `true` and `false`. */
function booleans(yes: string, no: string): Suspect {
  const title = `booleans were signed as ${yes} and ${no === '' ? 'empty text' : no}`;
  return printed(booleanReformatted, title, {
    boolean: (value, place) => (place === 'nested' ? String(value) : value ? yes : no),
  });
}

function stringified({ title, print }: Stringifier): Suspect {
  return printed(nestedFlattened, `nested JSON was signed ${title}`, { nested: print });
}

function escaped(title: string, pattern: RegExp): Suspect {
  const more = (quoted: string): string => quoted.replace(pattern, lowerEscape);
  return { mistake: nestedEscapedUnicode, ...nestedEscaped(title, more) };
}

function slashes(): Suspect {
  const title = 'nested JSON was signed with "\\/" for "/"';
  const more = (quoted: string): string => quoted.replaceAll('/', '\\/');
  return { mistake: nestedEscapedSlash, ...nestedEscaped(title, more) };
}
