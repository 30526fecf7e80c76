import type { Variant } from './mistake.ts';

/**
 * Mistakes with one cause, such as printing every value with the default of a language: their titles, of
 * which {@link SUBJECTS} shortens the beginning. A nested list is a choice; each of its items is a title, a
 * list of titles, or none. A diagnosis omits mistakes without an effect on the request.
 */
type Titles = string | readonly string[];
type Habit = readonly (string | readonly Titles[])[];

const SUBJECTS: Readonly<Record<string, string>> = {
  null: 'fields that are null were signed as',
  /** Within nested JSON, booleans stay true and false. */
  boolean: 'booleans outside nested JSON were signed as',
  number: 'numbers were signed',
  text: 'texts were signed',
  nested: 'nested JSON was signed',
  split: 'nested JSON was split into separate fields:',
  encoded: 'names and values were percent-encoded',
};

const SORTED = 'the names inside nested JSON were sorted';
const ESCAPED = 'nested with \\u escapes for all characters outside ASCII';
const SLASHES = 'nested with "\\/" for "/"';
const DUMPS = 'nested with ", " and ": " (json.dumps of Python)';
const QUOTE_PLUS = 'encoded (quote_plus of Python (QueryEscape of Go))';
const RFC_3986 = 'encoded (RFC 3986 (rawurlencode of PHP))';
/** Query strings of Python and Go, with each encoding of a space. */
const QUERY = [[], QUOTE_PLUS, 'encoded (quote of Python)'];
const PYTHON_JSON = [
  ...[[DUMPS, ESCAPED], DUMPS, ESCAPED, [], [DUMPS, ESCAPED, SORTED]],
  'nested as text by Python (str of a dict or list)',
];
const PHP_JSON = [[ESCAPED, SLASHES], ESCAPED, SLASHES, [SLASHES, SORTED], []];
const JAVA = 'number as Java prints a Double';
const GO = 'number as Go prints a float64 with %v';
const GO_MAP = 'nested as text by Go (%v of a map or slice)';
const PYTHON = 'number as Python prints them';
const PHP = 'number as PHP prints them';
const JAVASCRIPT = 'number as JavaScript prints them';
const OBJECT = 'nested as text by JavaScript ([object Object])';

const HABITS: readonly Habit[] = [
  ['null "None"', 'boolean True and False', PYTHON, PYTHON_JSON, QUERY],
  // json.dumps for every value except strings, or for every value.
  [
    ...['null "null"', PYTHON, DUMPS, ESCAPED],
    [[], 'text as JSON with \\u escapes (json.dumps of Python)'],
  ],
  // json_encode for every value except strings, or for every value.
  [
    ...['null "null"', 'number as json_encode of PHP prints them', ESCAPED, SLASHES],
    [[], 'text as JSON with \\u escapes and "\\/" (json_encode of PHP)'],
  ],
  // (string) of PHP for every value.
  ['null empty text', 'boolean 1 and empty text', PHP, PHP_JSON],
  [
    ...['boolean 1 and 0', PHP, 'encoded (urlencode of PHP)'],
    'nested JSON was split into separate fields, after sorting: a[b]=, a[0]=, true as 1 (http_build_query of PHP)',
  ],
  ['null "<nil>"', GO, GO_MAP, QUERY],
  ['null "<nil>"', GO, SORTED, 'nested with \\u003c, \\u003e and \\u0026 (encoding/json of Go)'],
  ...['float64', 'int', 'int64'].map((type) => [
    ...['null "%!s(<nil>)"', `number as %s of Go prints them (%!s(${type}=1))`, GO_MAP],
    'booleans were signed as %!s(bool=true) and %!s(bool=false)',
  ]),
  ['null empty text', 'nested as text by Ruby (inspect)'],
  ['null empty text', 'nested as text by Ruby 3.4 (inspect)'],
  ['null "null"', 'nested as text by Java (toString of a map or list)', [[], JAVA]],
  // Gson reads all numbers as Double.
  [
    'nested with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
    [JAVA, 'null "null"', ['null "null"', JAVA]],
  ],
  ['null "null"', JAVASCRIPT, OBJECT],
  [JAVASCRIPT, OBJECT, 'encoded (URLEncoder of Java, URLSearchParams of JavaScript)'],
  // value || '' of JavaScript.
  [
    ...['null empty text', 'boolean true and empty text'],
    'number as empty text if they are 0 (JavaScript)',
  ],
  // qs and querystring of JavaScript, to_query of Ruby on Rails.
  ['null empty text', RFC_3986, 'split a[b]=, a[0]= (qs of JavaScript)'],
  [
    ...['null empty text', 'encoded (encodeURIComponent of JavaScript)'],
    'split a= for each item, objects as empty text (querystring of JavaScript)',
    [JAVASCRIPT, []],
  ],
  ['null empty text', QUOTE_PLUS, 'split a[b]=, a[]= (to_query of Ruby)'],
  // ToString() and Newtonsoft.Json of C#.
  [
    'boolean True and False',
    ['null empty text', []],
    ['nested indented by 2', 'nested indented by 2, Windows line ends', []],
  ],
  // JSONSerialization of Swift.
  [SLASHES, 'number with 17 significant digits, as Swift prints JSON'],
  [SLASHES, 'boolean 1 and 0'],
  ...[
    ['Optional(nil)', 'Optional(…)', 'Swift', 'Optional("…") of Swift'],
    ['Optional.empty', 'Optional[…]', 'Java', 'Optional[…] of Java'],
    ['None', 'Some(…)', 'Scala or Rust', 'Some("…") of Rust'],
    ['None', 'Some(…)', 'Scala or Rust', 'Some(…) of Scala or Rust'],
    ['Null', 'Number(…)', 'Rust', 'String("…") of Rust'],
  ].map(([nothing, number = '', language, text]) => {
    const boolean = number.replace('Number', 'Bool');
    return [
      `null "${nothing}"`,
      `boolean ${boolean.replace('…', 'true')} and ${boolean.replace('…', 'false')}`,
      ...[`number as ${number} of ${language}`, `text as ${text}`],
    ];
  }),
  ['number with 14 significant digits, as Lua prints them', SLASHES],
  // The secret is the last of the joined texts: [...values, secret].join('|').
  ...[',', '|', ';', ':', '_', '-', ' ', '\n', '+', '#'].map((separator) => {
    const text = JSON.stringify(separator);
    const values = `joined without their names, with ${text} between`;
    return [
      [
        ...[`the pairs were joined with ${text} between them`, `the values were ${values}`],
        `the pairs were joined with ${text} between them and ":" after the names`,
        `the values were sorted and ${values}`,
      ],
      `the api secret was appended after ${text} instead of directly`,
    ];
  }),
  [RFC_3986, 'the joined pairs were percent-encoded after POST&%2F& (Alibaba Cloud)'],
];

/**
 * The habits for a request. For a request with a null field, each habit that prints null occurs twice:
 * the second one does not include that mistake.
 *
 * @param variants The usual single mistakes.
 */
export function habitsOf(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const known = new Map(variants.map((variant) => [variant.title, variant]));
  return HABITS.flatMap((parts) => {
    const choices = parts.reduce<readonly (readonly string[])[]>(
      (chosen, part) =>
        [part].flat().flatMap((option) => chosen.map((each) => [...each, ...[option].flat()])),
      [[]],
    );
    return choices.flatMap((titles) => {
      const habit = titles.flatMap((title) => known.get(longTitle(title)) ?? []);
      const withoutNull = habit.filter(({ id }) => id !== 'null-included');
      return withoutNull.length < habit.length ? [habit, withoutNull] : [habit];
    });
  });
}

function longTitle(title: string): string {
  const [word = ''] = title.split(' ', 1);
  const subject = title.startsWith('nested JSON') ? undefined : SUBJECTS[word];
  return subject === undefined ? title : subject + title.slice(word.length);
}
