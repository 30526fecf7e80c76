import { utf8Bytes } from '../../bytes.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import { mistake, RARE, type Table, USUAL, VERY_RARE } from '../mistake.ts';
import type { Pair } from '../signer.ts';
import { type Row, table } from '../steps.ts';
import { hashMapOrder } from './languages.ts';

// The order of the pairs (D1 5.1 step 2).

type Order = (pairs: readonly Pair[]) => readonly Pair[];

const sent: Order = (pairs) => pairs.toSorted((a, b) => a.position - b.position);
const nameOf = ({ name }: Pair): string => name;
const pairOf = ({ name, value }: Pair): string => `${name}=${value}`;

/** Groups of pairs that a program builds separately, in the order in which it joins them. */
const GROUPS = {
  'business fields, common fields': ['business', 'common'],
  'common fields, business fields': ['common', 'business'],
  'body, headers': ['business', 'header'],
  'headers, body': ['header', 'business'],
} as const;

export const sortUnsorted = mistake('sort-unsorted', [
  table('order', 'the pairs were', {
    [USUAL]: {
      'left in the order of the request': sent,
      'sorted in descending order': (pairs) => sortedByName(pairs).toReversed(),
      'taken in the order of a Java HashMap': (pairs) => hashMapOrder(sent(pairs), nameOf),
      'sorted as name=value, not by name': by(compareNames, pairOf),
    },
    [RARE]: {
      'sorted by UTF-8 bytes of name and value': by(compareBytes, pairOf),
      'sorted by code points': by(compareBytes, nameOf),
      'left in the reverse order of the request': (pairs) => sent(pairs).toReversed(),
      'sorted by length of the name': by((a, b) => a.length - b.length || compareNames(a, b)),
      'sorted by value': by(compareNames, ({ value }) => value),
    },
  }),
  groupTable('left in the order', '', USUAL, sent, sent),
  groupTable('sorted separately:', '', RARE, sortedByName, sortedByName),
  groupTable('sorted separately:', ', the first left as sent', RARE, sent, sortedByName),
  groupTable('sorted separately:', ', the second left as sent', RARE, sortedByName, sent),
]);

function groupTable(how: string, end: string, cost: number, first: Order, second: Order): Table {
  const rows = Object.entries(GROUPS).map(
    ([names, [a, b]]): Row<Order> => [
      names + end,
      cost,
      (pairs) => [
        ...first(pairs.filter(({ source }) => source === a)),
        ...second(pairs.filter(({ source }) => source === b)),
        ...pairs.filter(({ source }) => source !== a && source !== b),
      ],
    ],
  );
  return table('order', `the pairs were ${how}`, rows);
}

export const anyOrder = mistake('sort-unsorted', [], {
  'up to six pairs were in any order': ({ mode, fields, signatureName, nullAs }) => {
    const names = fields
      .filter(
        ({ name, source, value }) =>
          name !== signatureName &&
          (mode === 'header' || source !== 'header') &&
          (nullAs !== 'omit' || value.kind !== 'null'),
      )
      .map(({ name }) => name);
    // More than 720 orders take too long.
    const orders = names.length > 6 ? [] : permutations(names);
    return table(
      'order',
      'the pairs were put in the order',
      orders.map((order) => [
        order.join(', '),
        VERY_RARE,
        (pairs) => order.flatMap((name) => pairs.filter((pair) => pair.name === name)),
      ]),
    );
  },
});

export const sortCaseInsensitive = mistake('sort-case-insensitive', [
  table('order', 'the pairs were', {
    [USUAL]: {
      'sorted without regard to case': by(compareNames, ({ name }) => name.toLowerCase()),
      'sorted by upper-cased name': by(compareNames, ({ name }) => name.toUpperCase()),
    },
  }),
]);

export const sortLocale = mistake('sort-locale', [
  table('order', 'the pairs were sorted', {
    [USUAL]: {
      'by a locale (localeCompare)': byRules('en'),
      'by a locale, upper case first': byRules('en', { caseFirst: 'upper' }),
      'by a locale, punctuation ignored': byRules('en', { ignorePunctuation: true }),
    },
    [RARE]: {
      'by the Chinese locale': byRules('zh'),
      'naturally, numbers by their value': byRules('en', { numeric: true }),
    },
  }),
]);

function byRules(language: string, options: Intl.CollatorOptions = {}): Order {
  let collator: Intl.Collator | undefined;
  return (pairs) => {
    // A collator takes long to load.
    collator ??= new Intl.Collator(language, options);
    return by(collator.compare)(pairs);
  };
}

function by(compare: (a: string, b: string) => number, keyOf = nameOf): Order {
  return (pairs) =>
    sent(pairs)
      .map((pair) => ({ pair, key: keyOf(pair) }))
      .sort((a, b) => compare(a.key, b.key))
      .map(({ pair }) => pair);
}

function compareBytes(a: string, b: string): number {
  const [first, second] = [utf8Bytes(a), utf8Bytes(b)];
  const at = first.findIndex((byte, index) => byte !== second[index]);
  return at < 0 ? first.length - second.length : (first[at] ?? 0) - (second[at] ?? -1);
}

/** All orders of some items: `n!` of them. */
export function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** Every ordered choice of one or more items. */
export function arrangements<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.flatMap((item) => [
    [item],
    ...arrangements(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  ]);
}
