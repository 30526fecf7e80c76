import { compareNames } from '../canonical.ts';
import { nullIncluded } from './dimensions/fields.ts';
import {
  alibabaJoin,
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
import { secretAfter, secretJoined } from './dimensions/secret.ts';
import { stringQuoted, urlEncodedPairs, valueUrlEncoded } from './dimensions/text.ts';
import { BRACKET_NAMES, flattened, INDEX_NAMES, PHP_QUERY_NAMES } from './languages/flattened.ts';
import {
  general,
  goText,
  javaDoubleText,
  luaText,
  phpJsonText,
  phpText,
  pythonText,
} from './languages/number-text.ts';
import {
  goMapText,
  javaScriptText,
  javaText,
  pythonRepr,
  rubyInspect,
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
import { type PrintStyle, RIGHT_STYLE } from './print-style.ts';

/**
 * The mistakes of a signer that prints every value with the default of its language: one line of
 * code causes several mistakes. A diagnosis omits mistakes without an effect on the request.
 */
export type Habit = readonly Suspect[];

const NOT_ASCII = /[^\0-\x7f]/g;
const escapedUnicode = escaped(
  'nested JSON was signed with \\u escapes for all characters outside ASCII',
  NOT_ASCII,
);

const pythonNumbers = numbers('as Python prints them', pythonText);
const python = [nulls('None'), booleans('True', 'False'), pythonNumbers];
/** `json.dumps` of objects and lists. */
const spaced = printed(
  nestedSpacing,
  'nested JSON was signed with ", " and ": " (json.dumps of Python)',
  { layout: { ...RIGHT_STYLE.layout, comma: ', ', colon: ': ' } },
);
const dumped = [spaced, escapedUnicode];
const pythonDumps = [...python, ...dumped];
/** `json.dumps` for every value except strings. */
const pythonJson = [nulls('null'), pythonNumbers, ...dumped];
const sortedNames = printed(nestedKeyOrder, 'the names inside nested JSON were sorted', {
  memberOrder: (members) => members.toSorted((a, b) => compareNames(a.name, b.name)),
});
const php = [numbers('as PHP prints them', phpText)];
const phpJson = [...php, nulls(''), booleans('1', '')];
/** `json_encode` for every value except strings. */
const phpEncoded = [
  nulls('null'),
  numbers('as json_encode of PHP prints them', phpJsonText),
  escapedUnicode,
  slashes(),
];
const go = [nulls('<nil>'), numbers('as Go prints a float64 with %v', goText)];

const csharp = [booleans('True', 'False')];
const javaDoubles = numbers('as Java prints a Double', javaDoubleText);
const gsonEscapes = escaped(
  'nested JSON was signed with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
  /[<>&='\u2028\u2029]/g,
);
const indented = (lineEnd: string, indent: string): Suspect =>
  printed(nestedSpacing, `nested JSON was signed indented by ${indent.length}`, {
    layout: { ...RIGHT_STYLE.layout, colon: ': ', lineEnd, indent },
  });
const encodedPairs = (encoder: TextEncoding): Suspect => ({
  mistake: valueUrlEncoded,
  ...urlEncodedPairs(encoder),
});

/** The secret as the last joined text: `[...values, secret].join('|')`. */
const secretJoinedToo = [',', '|', ';', ':', '_', '-', ' ', '\n', '+', '#'].flatMap((joint) =>
  [
    { mistake: pairsJoined, ...pairsJoinedWith(joint) },
    { mistake: pairsJoined, ...pairsJoinedWith(joint, ':') },
    { mistake: valuesOnly, ...valuesJoined(joint) },
    { mistake: valuesOnly, ...sortedValuesJoined(joint) },
  ].map((joined) => [
    { ...joined, cost: RARE },
    { mistake: secretJoined, ...secretAfter(joint) },
  ]),
);

const HABITS: readonly Habit[] = [
  pythonDumps,
  [...python, spaced],
  [...python, escapedUnicode],
  python,
  [...pythonDumps, sortedNames],
  [...python, stringified('as text by Python (str of a dict or list)', pythonRepr)],
  pythonJson,
  [
    ...pythonJson,
    printed(stringQuoted, 'texts were signed as JSON (json.dumps of Python)', {
      string: (value) => JSON.stringify(value).replace(NOT_ASCII, lowerEscape),
    }),
  ],
  phpEncoded,
  [
    ...phpEncoded,
    printed(stringQuoted, 'texts were signed as JSON (json_encode of PHP)', {
      string: (value) =>
        JSON.stringify(value).replaceAll('/', '\\/').replace(NOT_ASCII, lowerEscape),
    }),
  ],
  [...phpJson, escapedUnicode, slashes()],
  [...phpJson, escapedUnicode],
  [...phpJson, slashes()],
  phpJson,
  [
    ...php,
    booleans('1', '0'),
    {
      mistake: nestedFlattened,
      title: `nested JSON was split into separate fields: ${PHP_QUERY_NAMES.title}, after sorting`,
      change: (signer) => splitAfterSorting(signer, PHP_QUERY_NAMES),
    },
    { mistake: valueUrlEncoded, ...urlEncodedPairs(PHP_URL_ENCODER) },
  ],
  [...go, stringified('as text by Go (%v of a map or slice)', goMapText)],
  [
    ...go,
    sortedNames,
    escaped(
      'nested JSON was signed with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
      /[<>&\u2028\u2029]/g,
    ),
  ],
  ...[' => ', '=>'].map((colon) => [
    nulls(''),
    stringified('as text by Ruby (to_s of a hash or array)', rubyInspect(colon)),
  ]),
  [nulls('null'), stringified('as text by Java (toString of a map or list)', javaText)],
  [
    nulls('null'),
    numbers('as JavaScript prints them', (text) => String(Number(text))),
    stringified('as text by JavaScript ([object Object])', javaScriptText),
  ],
  // ToString() and Newtonsoft.Json of C#.
  ...['\r\n', '\n'].flatMap((lineEnd) => [
    [...csharp, indented(lineEnd, '  ')],
    [nulls(''), ...csharp, indented(lineEnd, '  ')],
  ]),
  [nulls(''), ...csharp],
  // Gson of Java, which reads all numbers as Double.
  [javaDoubles, gsonEscapes],
  [nulls('null'), javaDoubles, gsonEscapes],
  [
    nulls('null'),
    javaDoubles,
    stringified('as text by Java (toString of a map or list)', javaText),
  ],
  [nulls('null'), gsonEscapes],
  // JSONSerialization of Swift.
  [numbers('with 17 significant digits', (text) => general(text, 17)), slashes()],
  [booleans('1', '0'), slashes()],
  [...phpJson, slashes(), sortedNames],
  // String interpolation of optionals in Swift, and {:?} of serde_json values in Rust.
  ...[
    { wrap: (text: string) => `Optional(${text})`, quote: 'Optional', word: 'Optional' },
    { wrap: (text: string) => `Number(${text})`, quote: 'String', word: 'Bool' },
  ].map(({ wrap, quote, word }) => [
    numbers(`as ${wrap('1')}`, wrap),
    booleans(`${word}(true)`, `${word}(false)`),
    printed(stringQuoted, `texts were signed as ${quote}("…")`, {
      string: (value) => `${quote}(${JSON.stringify(value)})`,
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
  [numbers('with 14 significant digits, as Lua prints them', luaText), slashes()],
  // Builders of query strings.
  ...[QUOTE_PLUS_ENCODER, QUOTE_ENCODER].flatMap((encoder) => [
    [
      ...python,
      stringified('as text by Python (str of a dict or list)', pythonRepr),
      encodedPairs(encoder),
    ],
    [...pythonDumps, encodedPairs(encoder)],
    [...go, stringified('as text by Go (%v of a map or slice)', goMapText), encodedPairs(encoder)],
  ]),
  [
    numbers('as JavaScript prints them', (text) => String(Number(text))),
    stringified('as text by JavaScript ([object Object])', javaScriptText),
    encodedPairs(JAVA_ENCODER),
  ],
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

/** The habits that apply to a request, each also with null signed right. */
export function habitsFor({ fields }: Evidence): readonly Habit[] {
  const hasNull = fields.some(({ value }) => value.kind === 'null');
  const withoutNull = HABITS.map((habit) =>
    habit.filter(({ mistake }) => mistake !== nullIncluded),
  );
  return hasNull ? [...HABITS, ...withoutNull] : withoutNull;
}

function printed(mistake: Mistake, title: string, changes: Partial<PrintStyle>): Suspect {
  return { mistake, ...styled(title, changes) };
}

function nulls(nullText: string): Suspect {
  const shown = nullText === '' ? 'empty text' : `"${nullText}"`;
  return printed(nullIncluded, `fields that are null were signed as ${shown}`, { nullText });
}

function numbers(how: string, print: (text: string) => string): Suspect {
  return printed(numberReformatted, `numbers were signed ${how}`, { number: print });
}

/** Booleans within nested JSON stay `true` and `false`. */
function booleans(yes: string, no: string): Suspect {
  const title = `booleans were signed as ${yes} and ${no === '' ? 'empty text' : no}`;
  return printed(booleanReformatted, title, {
    boolean: (value, place) => (place === 'nested' ? String(value) : value ? yes : no),
  });
}

function stringified(how: string, nested: PrintStyle['nested']): Suspect {
  return printed(nestedFlattened, `nested JSON was signed ${how}`, { nested });
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
