import type { Variant } from './mistake.ts';
import type { Signer } from './signer.ts';

/**
 * Several mistakes with one cause: a signer that prints every value with the default of its language.
 * A habit is any combination of the rows of one language, at most one of each id. A diagnosis omits the
 * mistakes of a habit without an effect on the request.
 */

/** The beginnings of the titles of the rows below. */
const SUBJECTS = {
  nulls: 'fields that are null were signed as ',
  booleans: 'booleans were signed as ',
  numbers: 'numbers were signed ',
  texts: 'texts were signed ',
  nested: 'nested JSON was signed ',
  keys: 'the names inside nested JSON were ',
  split: 'nested JSON was split into separate fields',
  encoded: 'names and values were percent-encoded (',
  pairs: 'the pairs were ',
};

type Habit = Partial<Record<keyof typeof SUBJECTS, readonly string[]>>;

const ESCAPED = 'with \\u escapes for all characters outside ASCII';
const SLASHES = 'with "\\/" for "/"';
const DUMPS = 'with ", " and ": " (json.dumps of Python)';

const HABITS: Readonly<Record<string, Habit>> = {
  Python: {
    nulls: ['"None"', '"null"'],
    booleans: ['True and False'],
    numbers: ['as Python prints them'],
    texts: ['as JSON with \\u escapes (json.dumps of Python)'],
    nested: [DUMPS, ESCAPED, 'as text by Python (str of a dict or list)'],
    keys: ['sorted'],
    encoded: ['quote_plus of Python (QueryEscape of Go))', 'quote of Python)'],
  },
  PHP: {
    nulls: ['empty text', '"null"'],
    booleans: ['1 and empty text', '1 and 0'],
    numbers: ['as PHP prints them', 'as json_encode of PHP prints them'],
    texts: ['as JSON with \\u escapes and "\\/" (json_encode of PHP)'],
    nested: [ESCAPED, SLASHES],
    keys: ['sorted'],
    split: [', after sorting: a[b]=, a[0]=, true as 1 (http_build_query of PHP)'],
    encoded: ['urlencode of PHP)'],
  },
  Go: {
    nulls: ['"<nil>"', '"%!s(<nil>)"'],
    booleans: ['%!s(bool=true) and %!s(bool=false)'],
    numbers: [
      'as Go prints a float64 with %v',
      ...['float64', 'int', 'int64'].map((type) => `as %s of Go prints them (%!s(${type}=1))`),
    ],
    nested: [
      'as text by Go (%v of a map or slice)',
      'with \\u003c, \\u003e and \\u0026 (encoding/json of Go)',
    ],
    keys: ['sorted'],
    encoded: ['quote_plus of Python (QueryEscape of Go))', 'quote of Python)'],
  },
  Ruby: {
    nulls: ['empty text'],
    nested: ['as text by Ruby (inspect)', 'as text by Ruby 3.4 (inspect)'],
    split: [': a[b]=, a[]= (to_query of Ruby)'],
    encoded: ['quote_plus of Python (QueryEscape of Go))'],
  },
  Java: {
    nulls: ['"null"', '"Optional.empty"'],
    booleans: ['Optional[true] and Optional[false]'],
    numbers: ['as Java prints a Double', 'as Optional[…] of Java'],
    texts: ['as Optional[…] of Java'],
    nested: [
      'as text by Java (toString of a map or list)',
      'with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
    ],
    encoded: ['URLEncoder of Java)'],
  },
  JavaScript: {
    nulls: ['"null"', 'empty text'],
    booleans: ['true and empty text'],
    numbers: ['as JavaScript prints them', 'as empty text if they are 0 (JavaScript)'],
    nested: ['as text by JavaScript ([object Object])'],
    split: [
      ': a[b]=, a[0]= (qs of JavaScript)',
      ': a= for each item, objects as empty text (querystring of JavaScript)',
    ],
    encoded: [
      ...['URLEncoder of Java)', 'RFC 3986 (rawurlencode of PHP))'],
      'encodeURIComponent of JavaScript)',
    ],
  },
  '.NET': {
    nulls: ['empty text'],
    booleans: ['True and False'],
    nested: ['indented by 2', 'indented by 2, Windows line ends'],
  },
  Swift: {
    nulls: ['"nil"'],
    booleans: ['1 and 0', 'Optional(true) and Optional(false)'],
    numbers: ['with 17 significant digits, as Swift prints JSON', 'as Optional(…) of Swift'],
    texts: ['as Optional("…") of Swift'],
    nested: [SLASHES],
  },
  Rust: {
    nulls: ['"Null"', '"None"'],
    booleans: ['Bool(true) and Bool(false)', 'Some(true) and Some(false)'],
    numbers: ['as Number(…) of Rust', 'as Some(…) of Scala or Rust'],
    texts: ['as String("…") of Rust', 'as Some("…") of Rust', 'as Some(…) of Scala or Rust'],
  },
  Lua: { numbers: ['with 14 significant digits, as Lua prints them'], nested: [SLASHES] },
  'Alibaba Cloud': {
    encoded: ['RFC 3986 (rawurlencode of PHP))'],
    pairs: ['percent-encoded after POST&%2F& (Alibaba Cloud)'],
  },
};

const TITLES = Object.values(HABITS).map(
  (habit) =>
    new Set(
      Object.entries(habit).flatMap(([subject, ends]) =>
        ends.map((end) => SUBJECTS[subject as keyof typeof SUBJECTS] + end),
      ),
    ),
);

/**
 * The habits that could change something in a request, those with the most mistakes of a language first.
 *
 * @param variants The usual single mistakes.
 */
export function* habitsOf(
  right: Signer,
  variants: readonly Variant[],
): Generator<readonly Variant[]> {
  for (const titles of TITLES) {
    const seen = new Set([right.signature]);
    const byId = new Map<string, Variant[]>();
    for (const variant of variants.filter(({ title }) => titles.has(title))) {
      const { signature } = variant.change(right);
      if (seen.has(signature)) continue;
      seen.add(signature);
      byId.set(variant.id, [...(byId.get(variant.id) ?? []), variant]);
    }
    yield* combinations([...byId.values()]);
  }
}

/** Every choice of two or more variants, at most one from each list. */
function* combinations(
  [first, ...rest]: readonly (readonly Variant[])[],
  chosen: readonly Variant[] = [],
): Generator<readonly Variant[]> {
  if (first === undefined) {
    if (chosen.length > 1) yield chosen;
    return;
  }
  for (const variant of first) yield* combinations(rest, [...chosen, variant]);
  yield* combinations(rest, chosen);
}
