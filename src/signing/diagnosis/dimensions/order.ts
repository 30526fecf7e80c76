import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import { hashMapOrder } from '../languages/java-hash-map.ts';
import { once } from '../memoized.ts';
import { inFamily, type Mistake, rarely, type Variant, withSteps } from '../mistake.ts';
import type { Pair, Steps } from '../signer.ts';

/** The order of the pairs (D1 5.1 step 2). */

const FIX = 'sort by field name, character by character: digits, upper case, "_", lower case';

export const sortUnsorted: Mistake = {
  id: 'sort-unsorted',
  fix: FIX,
  variants: ({ mode }) => {
    const ofSource =
      (source: Pair['source']): Order =>
      (pairs) =>
        inRequestOrder(pairs).filter((pair) => pair.source === source);
    const [business, common, headers] = [
      ofSource('business'),
      ofSource('common'),
      ofSource('header'),
    ];
    const groups: readonly (readonly [names: string, parts: readonly Order[]])[] =
      mode === 'body'
        ? [
            ['business fields, common fields', [business, common]],
            ['common fields, business fields', [common, business]],
          ]
        : [
            ['body, headers', [business, headers]],
            ['headers, body', [headers, business]],
          ];
    return [
      sorted('left in the order of the request', inRequestOrder),
      ...groups.map(([names, parts]) =>
        sorted(`left in the order ${names}`, (pairs) => parts.flatMap((part) => part(pairs))),
      ),
      sorted('sorted in descending order', (pairs) => sortedByName(pairs).toReversed()),
      sorted('taken in the order of a Java HashMap', (pairs) =>
        hashMapOrder(inRequestOrder(pairs), ({ name }) => name),
      ),
      sorted(
        'sorted as name=value, not by name',
        by(compareNames, ({ name, value }) => `${name}=${value}`),
      ),
      ...rarely([
        ...groups.flatMap(([names, parts]) => [
          sorted(`sorted separately: ${names}`, (pairs) =>
            parts.flatMap((part) => sortedByName(part(pairs))),
          ),
          ...[0, 1].map((left) =>
            sorted(
              `sorted separately: ${names}, the ${['first', 'second'][left]} of them left in the order of the request`,
              (pairs) =>
                parts.flatMap((part, index) =>
                  index === left ? part(pairs) : sortedByName(part(pairs)),
                ),
            ),
          ),
        ]),
        ...commonOrders(mode),
        sorted('sorted by UTF-8 bytes of name and value', (pairs) =>
          pairs.toSorted((a, b) =>
            Buffer.compare(
              Buffer.from(`${a.name}=${a.value}`),
              Buffer.from(`${b.name}=${b.value}`),
            ),
          ),
        ),
        sorted('sorted by code points', (pairs) =>
          pairs.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))),
        ),
        sorted('left in the reverse order of the request', (pairs) =>
          inRequestOrder(pairs).toReversed(),
        ),
        sorted(
          'sorted by length of the name',
          by((a, b) => a.length - b.length || compareNames(a, b)),
        ),
        sorted(
          'sorted by value',
          by(compareNames, ({ value }) => value),
        ),
      ]),
    ];
  },
};

export const sortCaseInsensitive: Mistake = {
  id: 'sort-case-insensitive',
  fix: FIX,
  variants: () => [
    sorted(
      'sorted without regard to case',
      by(compareNames, ({ name }) => name.toLowerCase()),
    ),
    sorted(
      'sorted by upper-cased name',
      by(compareNames, ({ name }) => name.toUpperCase()),
    ),
  ],
};

export const sortLocale: Mistake = {
  id: 'sort-locale',
  fix: `${FIX}; not by a locale`,
  variants: () => [
    byRules('by a locale (localeCompare)', 'en'),
    byRules('by a locale, upper case first', 'en', { caseFirst: 'upper' }),
    byRules('by a locale, punctuation ignored', 'en', { ignorePunctuation: true }),
    ...rarely([
      byRules('by the Chinese locale', 'zh'),
      byRules('naturally, numbers by their value', 'en', { numeric: true }),
    ]),
  ],
};

/** The common fields in any fixed order, and the business fields after or before them. */
function commonOrders(mode: 'body' | 'header'): readonly Variant[] {
  if (mode === 'header') return [];
  return permutations(COMMON_FIELDS).flatMap((names) =>
    [sortedByName, inRequestOrder].flatMap((business, index) => {
      const how = index === 0 ? 'sorted' : 'in the order of the request';
      const isBusiness = (pair: Pair): boolean => !names.some((name) => name === pair.name);
      const common = (pairs: readonly Pair[]): readonly Pair[] =>
        names.flatMap((name) => pairs.filter((pair) => pair.name === name));
      const others = (pairs: readonly Pair[]): readonly Pair[] =>
        business(pairs.filter(isBusiness));
      return inFamily(
        `the common fields were put in any order, business fields (${how}) separately`,
        [
          sorted(`put in the order ${names.join(', ')}, business fields (${how})`, (pairs) => [
            ...common(pairs),
            ...others(pairs),
          ]),
          sorted(`put in the order business fields (${how}), ${names.join(', ')}`, (pairs) => [
            ...others(pairs),
            ...common(pairs),
          ]),
        ],
      );
    }),
  );
}

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

type Order = (pairs: readonly Pair[]) => readonly Pair[];
type Compare = (a: string, b: string) => number;

function sorted(how: string, order: Steps['order']): Variant {
  return withSteps(`the pairs were ${how}`, { order });
}

function byRules(how: string, language: string, options: Intl.CollatorOptions = {}): Variant {
  // A collator takes long to load.
  const collator = once(() => new Intl.Collator(language, options));
  return sorted(`sorted ${how}`, (pairs) => by(collator().compare)(pairs));
}

function by(order: Compare, keyOf: (pair: Pair) => string = ({ name }) => name): Order {
  return (pairs) =>
    inRequestOrder(pairs)
      .map((pair) => ({ pair, key: keyOf(pair) }))
      .sort((a, b) => order(a.key, b.key))
      .map(({ pair }) => pair);
}

function inRequestOrder(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted((a, b) => a.position - b.position);
}
