import { COMMON_FIELDS, HEADER_OF_FIELD } from '../../../protocol/operations.ts';
import { utf8Bytes } from '../../bytes.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import { sameName } from '../../header-mode.ts';
import { type Evidence, RARE, type Variant, VERY_RARE } from '../mistake.ts';
import { permutations } from '../permutations.ts';
import type { Pair } from '../signer.ts';
import { type Row, table } from '../steps.ts';
import { hashMapOrder } from './languages.ts';

/** The order of the pairs (D1 5.1 step 2). */

type Order = (pairs: readonly Pair[]) => readonly Pair[];
type Source = Pair['source'];

/** Groups of pairs that a program builds separately, in the order in which it joins them. */
const GROUPS: readonly (readonly [names: string, ...sources: Source[]])[] = [
  ['business fields, common fields', 'business', 'common'],
  ['common fields, business fields', 'common', 'business'],
  ['body, headers', 'business', 'header'],
  ['headers, body', 'header', 'business'],
];

export const SORT_UNSORTED = table('sort-unsorted', 'order', 'the pairs were', [
  ['left in the order of the request', 2, inRequestOrder],
  ...GROUPS.flatMap(([names, ...sources]): readonly Row<'order'>[] => [
    [`left in the order ${names}`, 2, grouped(sources, inRequestOrder, inRequestOrder)],
    [`sorted separately: ${names}`, RARE, grouped(sources, sortedByName, sortedByName)],
    [
      `sorted separately: ${names}, the first of them left in the order of the request`,
      RARE,
      grouped(sources, inRequestOrder, sortedByName),
    ],
    [
      `sorted separately: ${names}, the second of them left in the order of the request`,
      RARE,
      grouped(sources, sortedByName, inRequestOrder),
    ],
  ]),
  ['sorted in descending order', 2, (pairs) => sortedByName(pairs).toReversed()],
  [
    'taken in the order of a Java HashMap',
    2,
    (pairs) => hashMapOrder(inRequestOrder(pairs), ({ name }) => name),
  ],
  [
    'sorted as name=value, not by name',
    2,
    by(compareNames, ({ name, value }) => `${name}=${value}`),
  ],
  [
    'sorted by UTF-8 bytes of name and value',
    RARE,
    by(compareBytes, ({ name, value }) => `${name}=${value}`),
  ],
  ['sorted by code points', RARE, by(compareBytes)],
  ['left in the reverse order of the request', RARE, (pairs) => inRequestOrder(pairs).toReversed()],
  ['sorted by length of the name', RARE, by((a, b) => a.length - b.length || compareNames(a, b))],
  ['sorted by value', RARE, by(compareNames, ({ value }) => value)],
]);

/** Any order of up to six pairs, or of the common fields before or after the business fields. */
export function anyOrder({ mode, fields, signatureName, nullAs }: Evidence): readonly Variant[] {
  const signed = fields.filter(
    ({ name, source, value }) =>
      name !== signatureName &&
      (mode === 'header' || source !== 'header') &&
      (nullAs !== 'omit' || value.kind !== 'null'),
  );
  const isCommon = ({ name }: Pair): boolean =>
    COMMON_FIELDS.some((field) => field === name || sameName(HEADER_OF_FIELD[field], name));
  const ordered = (names: readonly string[]): Order => {
    const rank = new Map(names.map((name, index) => [name, index]));
    return (pairs) => pairs.toSorted((a, b) => (rank.get(a.name) ?? 0) - (rank.get(b.name) ?? 0));
  };
  if (signed.length <= MAX_ORDERED) {
    const rows = permutations(signed.map(({ name }) => name)).map(
      (names): Row<'order'> => [`put in the order ${names.join(', ')}`, VERY_RARE, ordered(names)],
    );
    return table('sort-unsorted', 'order', 'the pairs were', rows);
  }
  const common = signed.map(({ name }) => name).filter((name) => isCommon({ name } as Pair));
  const rows = permutations(common).flatMap((names) =>
    [sortedByName, inRequestOrder].flatMap((business, index): readonly Row<'order'>[] => {
      const how = `business fields (${index === 0 ? 'sorted' : 'in the order of the request'})`;
      const first: Order = (pairs) => ordered(names)(pairs.filter(isCommon));
      const others: Order = (pairs) => business(pairs.filter((pair) => !isCommon(pair)));
      return [
        [`put in the order ${names.join(', ')}, ${how}`, RARE, (p) => [...first(p), ...others(p)]],
        [`put in the order ${how}, ${names.join(', ')}`, RARE, (p) => [...others(p), ...first(p)]],
      ];
    }),
  );
  return table('sort-unsorted', 'order', 'the pairs were', rows);
}

/** 720 orders. */
const MAX_ORDERED = 6;

export const SORT_CASE_INSENSITIVE = table('sort-case-insensitive', 'order', 'the pairs were', [
  ['sorted without regard to case', 2, by(compareNames, ({ name }) => name.toLowerCase())],
  ['sorted by upper-cased name', 2, by(compareNames, ({ name }) => name.toUpperCase())],
]);

export const SORT_LOCALE = table('sort-locale', 'order', 'the pairs were sorted', [
  ['by a locale (localeCompare)', 2, byRules('en')],
  ['by a locale, upper case first', 2, byRules('en', { caseFirst: 'upper' })],
  ['by a locale, punctuation ignored', 2, byRules('en', { ignorePunctuation: true })],
  ['by the Chinese locale', RARE, byRules('zh')],
  ['naturally, numbers by their value', RARE, byRules('en', { numeric: true })],
]);

function byRules(language: string, options: Intl.CollatorOptions = {}): Order {
  let collator: Intl.Collator | undefined;
  return (pairs) => {
    // A collator takes long to load.
    collator ??= new Intl.Collator(language, options);
    return by(collator.compare)(pairs);
  };
}

function by(
  compare: (a: string, b: string) => number,
  keyOf: (pair: Pair) => string = ({ name }) => name,
): Order {
  return (pairs) =>
    inRequestOrder(pairs)
      .map((pair) => ({ pair, key: keyOf(pair) }))
      .sort((a, b) => compare(a.key, b.key))
      .map(({ pair }) => pair);
}

function compareBytes(a: string, b: string): number {
  const [first, second] = [utf8Bytes(a), utf8Bytes(b)];
  const at = first.findIndex((byte, index) => byte !== second[index]);
  return at < 0 ? first.length - second.length : (first[at] ?? 0) - (second[at] ?? -1);
}

function grouped([a, b]: readonly Source[], first: Order, second: Order): Order {
  return (pairs) => [
    ...first(pairs.filter(({ source }) => source === a)),
    ...second(pairs.filter(({ source }) => source === b)),
    ...pairs.filter(({ source }) => source !== a && source !== b),
  ];
}

function inRequestOrder(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted((a, b) => a.position - b.position);
}
