import type { Variant } from './mistake.ts';

/**
 * Mistakes with one cause, such as printing every value with the default of a language: the ends of
 * their titles, by {@link SUBJECTS}. A diagnosis omits those without an effect on the request.
 */
type Rows = { readonly [subject in Subject]?: string | readonly string[] };
type Subject = keyof typeof SUBJECTS;

interface Habit extends Rows {
  /** Further rows: one choice of each list. */
  readonly either?: readonly (readonly Rows[])[];
}

const SUBJECTS = {
  null: 'fields that are null were signed as ',
  /** Within nested JSON, booleans stay true and false. */
  boolean: 'booleans outside nested JSON were signed as ',
  number: 'numbers were signed ',
  text: 'texts were signed ',
  nested: 'nested JSON was signed ',
  split: 'nested JSON was split into separate fields',
  encoded: 'names and values were percent-encoded ',
  other: '',
};

const SORTED = 'the names inside nested JSON were sorted';
const ESCAPED = 'with \\u escapes for all characters outside ASCII';
const SLASHES = 'with "\\/" for "/"';
const DUMPS = 'with ", " and ": " (json.dumps of Python)';
const QUOTE_PLUS = '(quote_plus of Python (QueryEscape of Go))';
const RFC_3986 = '(RFC 3986 (rawurlencode of PHP))';
/** Query strings of Python and Go, with each encoding of a space. */
const QUERY = [{}, { encoded: QUOTE_PLUS }, { encoded: '(quote of Python)' }];
const PYTHON_JSON = [
  ...[{ nested: [DUMPS, ESCAPED] }, { nested: DUMPS }, { nested: ESCAPED }, {}],
  { nested: [DUMPS, ESCAPED], other: SORTED },
  { nested: 'as text by Python (str of a dict or list)' },
];
const PHP_JSON = [
  ...[{ nested: [ESCAPED, SLASHES] }, { nested: ESCAPED }, { nested: SLASHES }],
  ...[{ nested: SLASHES, other: SORTED }, {}],
];
const PYTHON = 'as Python prints them';
const PHP = 'as PHP prints them';
const JAVA = 'as Java prints a Double';
const GO = 'as Go prints a float64 with %v';
const GO_MAP = 'as text by Go (%v of a map or slice)';
const JAVASCRIPT = 'as JavaScript prints them';
const OBJECT = 'as text by JavaScript ([object Object])';

const HABITS: readonly Habit[] = [
  { null: '"None"', boolean: 'True and False', number: PYTHON, either: [PYTHON_JSON, QUERY] },
  // json.dumps for every value except strings, or for every value.
  {
    null: '"null"',
    number: PYTHON,
    nested: [DUMPS, ESCAPED],
    either: [[{}, { text: 'as JSON with \\u escapes (json.dumps of Python)' }]],
  },
  // json_encode for every value except strings, or for every value.
  {
    null: '"null"',
    number: 'as json_encode of PHP prints them',
    nested: [ESCAPED, SLASHES],
    either: [[{}, { text: 'as JSON with \\u escapes and "\\/" (json_encode of PHP)' }]],
  },
  // (string) of PHP for every value.
  { null: 'empty text', boolean: '1 and empty text', number: PHP, either: [PHP_JSON] },
  {
    boolean: '1 and 0',
    number: PHP,
    encoded: '(urlencode of PHP)',
    split: ', after sorting: a[b]=, a[0]=, true as 1 (http_build_query of PHP)',
  },
  { null: '"<nil>"', number: GO, nested: GO_MAP, either: [QUERY] },
  {
    null: '"<nil>"',
    number: GO,
    other: SORTED,
    nested: 'with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
  },
  ...['float64', 'int', 'int64'].map((type) => ({
    null: '"%!s(<nil>)"',
    number: `as %s of Go prints them (%!s(${type}=1))`,
    nested: GO_MAP,
    other: 'booleans were signed as %!s(bool=true) and %!s(bool=false)',
  })),
  { null: 'empty text', nested: 'as text by Ruby (inspect)' },
  { null: 'empty text', nested: 'as text by Ruby 3.4 (inspect)' },
  {
    null: '"null"',
    nested: 'as text by Java (toString of a map or list)',
    either: [[{}, { number: JAVA }]],
  },
  // Gson reads all numbers as Double.
  {
    nested: 'with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
    either: [[{ number: JAVA }, { null: '"null"' }, { null: '"null"', number: JAVA }]],
  },
  { null: '"null"', number: JAVASCRIPT, nested: OBJECT },
  {
    number: JAVASCRIPT,
    nested: OBJECT,
    encoded: '(URLEncoder of Java, URLSearchParams of JavaScript)',
  },
  // value || '' of JavaScript.
  {
    null: 'empty text',
    boolean: 'true and empty text',
    number: 'as empty text if they are 0 (JavaScript)',
  },
  // qs and querystring of JavaScript, to_query of Ruby on Rails.
  { null: 'empty text', encoded: RFC_3986, split: ': a[b]=, a[0]= (qs of JavaScript)' },
  {
    null: 'empty text',
    encoded: '(encodeURIComponent of JavaScript)',
    split: ': a= for each item, objects as empty text (querystring of JavaScript)',
    either: [[{ number: JAVASCRIPT }, {}]],
  },
  { null: 'empty text', encoded: QUOTE_PLUS, split: ': a[b]=, a[]= (to_query of Ruby)' },
  // ToString() and Newtonsoft.Json of C#.
  {
    boolean: 'True and False',
    either: [
      [{ null: 'empty text' }, {}],
      [{ nested: 'indented by 2' }, { nested: 'indented by 2, Windows line ends' }, {}],
    ],
  },
  // JSONSerialization of Swift.
  { nested: SLASHES, number: 'with 17 significant digits, as Swift prints JSON' },
  { nested: SLASHES, boolean: '1 and 0' },
  {
    null: '"Optional(nil)"',
    boolean: 'Optional(true) and Optional(false)',
    number: 'as Optional(…) of Swift',
    text: 'as Optional("…") of Swift',
  },
  {
    null: '"Optional.empty"',
    boolean: 'Optional[true] and Optional[false]',
    number: 'as Optional[…] of Java',
    text: 'as Optional[…] of Java',
  },
  {
    null: '"None"',
    boolean: 'Some(true) and Some(false)',
    number: 'as Some(…) of Scala or Rust',
    either: [[{ text: 'as Some("…") of Rust' }, { text: 'as Some(…) of Scala or Rust' }]],
  },
  {
    null: '"Null"',
    boolean: 'Bool(true) and Bool(false)',
    number: 'as Number(…) of Rust',
    text: 'as String("…") of Rust',
  },
  { number: 'with 14 significant digits, as Lua prints them', nested: SLASHES },
  { encoded: RFC_3986, other: 'the pairs were percent-encoded after POST&%2F& (Alibaba Cloud)' },
];

/**
 * The habits for a request. For a request with a null field, each habit that prints null occurs twice:
 * the second one does not include that mistake.
 *
 * @param variants The usual single mistakes.
 */
export function habitsOf(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const known = new Map(variants.map((variant) => [variant.title, variant]));
  return HABITS.flatMap(({ either = [], ...all }) => {
    const choices = either.reduce<readonly (readonly Rows[])[]>(
      (chosen, options) => options.flatMap((option) => chosen.map((each) => [...each, option])),
      [[all]],
    );
    return choices.flatMap((rows) => {
      const habit = rows.flatMap(titlesOf).flatMap((title) => known.get(title) ?? []);
      const withoutNull = habit.filter(({ id }) => id !== 'null-included');
      return withoutNull.length < habit.length ? [habit, withoutNull] : [habit];
    });
  });
}

function titlesOf(rows: Rows): readonly string[] {
  return Object.entries(rows).flatMap(([subject, ends]) =>
    [ends].flat().map((end) => SUBJECTS[subject as Subject] + end),
  );
}
