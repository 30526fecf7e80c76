import type { Variant } from './mistake.ts';

/**
 * Several mistakes with one cause: a signer that prints every value with the default of its language.
 * A diagnosis omits the mistakes of a habit without an effect on the request.
 */
interface Habit {
  /** The titles of rows that belong together. */
  readonly all: readonly string[];
  /** Further rows: one choice of each list. */
  readonly either?: readonly (readonly (readonly string[])[])[];
}

const titles =
  (subject: string) =>
  (...ends: readonly string[]): readonly string[] =>
    ends.map((end) => subject + (/^[:,]/.test(end) ? end : ` ${end}`));
const nulls = titles('fields that are null were signed as');
/** Within nested JSON, booleans stay true and false. */
const booleans = titles('booleans outside nested JSON were signed as');
const numbers = titles('numbers were signed');
const texts = titles('texts were signed');
const nested = titles('nested JSON was signed');
const split = titles('nested JSON was split into separate fields');
const encoded = titles('names and values were percent-encoded');

const SORTED = ['the names inside nested JSON were sorted'];
const ESCAPED = nested('with \\u escapes for all characters outside ASCII');
const SLASHES = nested('with "\\/" for "/"');
const DUMPS = nested('with ", " and ": " (json.dumps of Python)');
/** Query strings of Python and Go, with each encoding of a space. */
const QUERY = [
  [],
  encoded('(quote_plus of Python (QueryEscape of Go))'),
  encoded('(quote of Python)'),
];
const GO_NUMBERS = numbers('as Go prints a float64 with %v');
const PYTHON_NUMBERS = numbers('as Python prints them');
const JAVA_DOUBLES = numbers('as Java prints a Double');
const JAVASCRIPT = [
  ...numbers('as JavaScript prints them'),
  ...nested('as text by JavaScript ([object Object])'),
];
const GSON = nested('with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)');
const GO_MAP = nested('as text by Go (%v of a map or slice)');

const HABITS: readonly Habit[] = [
  {
    all: [...nulls('"None"'), ...booleans('True and False'), ...PYTHON_NUMBERS],
    either: [
      [
        [...DUMPS, ...ESCAPED],
        DUMPS,
        ESCAPED,
        [],
        [...DUMPS, ...ESCAPED, ...SORTED],
        nested('as text by Python (str of a dict or list)'),
      ],
      QUERY,
    ],
  },
  // json.dumps for every value except strings, or for every value.
  {
    all: [...nulls('"null"'), ...PYTHON_NUMBERS, ...DUMPS, ...ESCAPED],
    either: [[[], texts('as JSON with \\u escapes (json.dumps of Python)')]],
  },
  // json_encode for every value except strings, or for every value.
  {
    all: [
      ...[...nulls('"null"'), ...numbers('as json_encode of PHP prints them')],
      ...[...ESCAPED, ...SLASHES],
    ],
    either: [[[], texts('as JSON with \\u escapes and "\\/" (json_encode of PHP)')]],
  },
  // (string) of PHP for every value.
  {
    all: [
      ...[...numbers('as PHP prints them'), ...nulls('empty text')],
      ...booleans('1 and empty text'),
    ],
    either: [[[...ESCAPED, ...SLASHES], ESCAPED, SLASHES, [...SLASHES, ...SORTED], []]],
  },
  {
    all: [
      ...[...numbers('as PHP prints them'), ...booleans('1 and 0')],
      ...split(', after sorting: a[b]=, a[0]=, true as 1 (http_build_query of PHP)'),
      ...encoded('(urlencode of PHP)'),
    ],
  },
  { all: [...nulls('"<nil>"'), ...GO_NUMBERS, ...GO_MAP], either: [QUERY] },
  {
    all: [
      ...[...nulls('"<nil>"'), ...GO_NUMBERS, ...SORTED],
      ...nested('with \\u003c, \\u003e and \\u0026 (encoding/json of Go)'),
    ],
  },
  ...['float64', 'int', 'int64'].map((type) => ({
    all: [
      ...[...nulls('"%!s(<nil>)"'), 'booleans were signed as %!s(bool=true) and %!s(bool=false)'],
      ...[...numbers(`as %s of Go prints them (%!s(${type}=1))`), ...GO_MAP],
    ],
  })),
  {
    all: nulls('empty text'),
    either: [[nested('as text by Ruby (inspect)'), nested('as text by Ruby 3.4 (inspect)')]],
  },
  {
    all: [...nulls('"null"'), ...nested('as text by Java (toString of a map or list)')],
    either: [[[], JAVA_DOUBLES]],
  },
  // Gson reads all numbers as Double.
  { all: GSON, either: [[JAVA_DOUBLES, nulls('"null"'), [...nulls('"null"'), ...JAVA_DOUBLES]]] },
  { all: [...nulls('"null"'), ...JAVASCRIPT] },
  { all: [...JAVASCRIPT, ...encoded('(URLEncoder of Java, URLSearchParams of JavaScript)')] },
  // value || '' of JavaScript.
  {
    all: [
      ...[...nulls('empty text'), ...booleans('true and empty text')],
      ...numbers('as empty text if they are 0 (JavaScript)'),
    ],
  },
  // qs and querystring of JavaScript, to_query of Ruby on Rails.
  {
    all: [
      ...[...nulls('empty text'), ...split(': a[b]=, a[0]= (qs of JavaScript)')],
      ...encoded('(RFC 3986 (rawurlencode of PHP))'),
    ],
  },
  {
    all: [
      ...[...nulls('empty text'), ...encoded('(encodeURIComponent of JavaScript)')],
      ...split(': a= for each item, objects as empty text (querystring of JavaScript)'),
    ],
    either: [[numbers('as JavaScript prints them'), []]],
  },
  {
    all: [
      ...[...nulls('empty text'), ...split(': a[b]=, a[]= (to_query of Ruby)')],
      ...encoded('(quote_plus of Python (QueryEscape of Go))'),
    ],
  },
  // ToString() and Newtonsoft.Json of C#.
  {
    all: booleans('True and False'),
    either: [
      [nulls('empty text'), []],
      [nested('indented by 2'), nested('indented by 2, Windows line ends'), []],
    ],
  },
  // JSONSerialization of Swift.
  {
    all: SLASHES,
    either: [[numbers('with 17 significant digits, as Swift prints JSON'), booleans('1 and 0')]],
  },
  optional('Optional(…) of Swift', 'Optional("…") of Swift', '"Optional(nil)"'),
  optional('Optional[…] of Java', 'Optional[…] of Java', '"Optional.empty"'),
  optional('Some(…) of Scala or Rust', 'Some("…") of Rust', '"None"'),
  optional('Some(…) of Scala or Rust', 'Some(…) of Scala or Rust', '"None"'),
  {
    all: [
      ...[...nulls('"Null"'), ...numbers('as Number(…) of Rust')],
      ...[...booleans('Bool(true) and Bool(false)'), ...texts('as String("…") of Rust')],
    ],
  },
  { all: [...numbers('with 14 significant digits, as Lua prints them'), ...SLASHES] },
  {
    all: [
      ...encoded('(RFC 3986 (rawurlencode of PHP))'),
      'the pairs were percent-encoded after POST&%2F& (Alibaba Cloud)',
    ],
  },
];

/** Options, printed with their wrapper. */
function optional(number: string, text: string, nullText: string): Habit {
  const [form = ''] = number.split(' ');
  const words = [form.replace('…', 'true'), form.replace('…', 'false')].join(' and ');
  return {
    all: [
      ...nulls(nullText),
      ...booleans(words),
      ...numbers(`as ${number}`),
      ...texts(`as ${text}`),
    ],
  };
}

/**
 * The habits for a request. For a request with a null field, each habit that prints null occurs twice:
 * the second one does not include that mistake.
 *
 * @param variants The usual single mistakes.
 */
export function habitsOf(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const known = new Map(variants.map((variant) => [variant.title, variant]));
  return HABITS.flatMap(({ all, either = [] }) => {
    const choices = either.reduce<readonly (readonly string[])[]>(
      (chosen, options) => options.flatMap((option) => chosen.map((each) => [...each, ...option])),
      [all],
    );
    return choices.flatMap((rows) => {
      const habit = rows.flatMap((title) => known.get(title) ?? []);
      const withoutNull = habit.filter(({ id }) => id !== 'null-included');
      return withoutNull.length < habit.length ? [habit, withoutNull] : [habit];
    });
  });
}
