import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import type { Entry } from '../../canonical.ts';
import { commonFieldText } from '../../received-request.ts';
import { pythonBytes } from '../languages/python-bytes.ts';
import {
  type Evidence,
  type Mistake,
  RARE,
  rewritten,
  separatorText,
  UNCOMMON,
  USUAL,
  type Variant,
  VERY_RARE,
  withSteps,
} from '../mistake.ts';
import { joinPairs, withoutSecret } from '../signer.ts';
import { commonValues } from './common-values.ts';
import { joined, PRINTED_MAPS } from './printed-maps.ts';
import { requestVariants } from './request-parts.ts';

/** The joining of the sorted pairs into one string (D1 5.1 step 2). */

const FIX = 'join the pairs as name=value with "&" between them, and add nothing else';

/** Between pairs, and between a name and its value: the usual choices first. */
const BETWEEN_PAIRS = ['&', '', '\n', ',', ', ', '|', ';', ' ', '&&', '\r\n', '&amp;', '+', '\t'];
const BETWEEN_PAIRS_RARE = ['#', '_', '-', ':', '%26', '^', '; ', ' & '];
const AFTER_NAMES = ['=', '', ':', ': ', ' ', '=>', '==', ' = ', '_', '|', ',', '-', '%3D'];
/** The number of usual choices in each list. Other separators are {@link RARE}. */
const USUAL_SEPARATORS = 7;

const WRAPPINGS: readonly Wrapping[] = [
  { title: 'with "&" after the last one', wrap: (text) => `${text}&`, cost: USUAL },
  { title: 'with "&" in front', wrap: (text) => `&${text}` },
  { title: 'with "?" in front', wrap: (text) => `?${text}` },
  { title: 'with "?" after the last one', wrap: (text) => `${text}?` },
  { title: 'in double quotes', wrap: (text) => `"${text}"` },
  { title: 'in single quotes', wrap: (text) => `'${text}'` },
  { title: 'in brackets', wrap: (text) => `[${text}]` },
  { title: 'in braces', wrap: (text) => `{${text}}` },
];

interface Wrapping {
  readonly title: string;
  readonly wrap: (text: string) => string;
  readonly cost?: number;
}

export const pairsJoined: Mistake = {
  id: 'pairs-joined',
  fix: FIX,
  variants: (evidence) => [
    ...separatorVariants(),
    ...WRAPPINGS.map(({ title, wrap, cost = UNCOMMON }) => ({
      ...withSteps(`the pairs were joined ${title}`, { join: (pairs) => wrap(joinPairs(pairs)) }),
      cost,
    })),
    ...cutVariants(),
    ...shortenedVariants(),
    ...['\n', ',', ';', '|', ' '].map((end) => ({
      ...withSteps(`the pairs were joined with ${shown(end)} after each of them`, {
        join: (pairs) => pairs.map(({ name, value }) => `${name}=${value}${end}`).join(''),
      }),
      cost: UNCOMMON,
    })),
    ...PRINTED_MAPS.map(({ title, join }) => ({
      ...withSteps(`the pairs were printed as ${title}`, { join }),
      cost: UNCOMMON,
    })),
    ...(evidence.mode === 'header' ? headerSeparatorVariants() : []),
    ...twoStringVariants(evidence),
    ...appendedVariants(evidence),
    ...requestVariants(evidence),
    {
      ...rewritten('the joined pairs were split at "&" and sorted again', (text) =>
        text.split('&').sort().join('&'),
      ),
      cost: UNCOMMON,
    },
    ...[
      withSteps('the string was signed as Python prints its bytes', {
        append: (text, secret) => pythonBytes(Buffer.from(text + secret)),
      }),
      rewritten('the pairs were signed as Python prints their bytes', (text) =>
        pythonBytes(Buffer.from(text)),
      ),
    ].map((variant) => ({
      ...variant,
      fix: 'hash the bytes of the string (s.encode()), not their text (str(s.encode()))',
      cost: UNCOMMON,
    })),
  ],
};

/**
 * The joined pairs without their last or first characters, cut by code that expects an `&` there.
 * A cut up to an `&` is a missing field.
 */
function cutVariants(): readonly Variant[] {
  return [1, 2, 3, 4, 5, 6, 7, 8].flatMap((count) => {
    const characters = count === 1 ? 'character was' : `${count} characters were`;
    return [
      {
        ...rewritten(`the last ${characters} cut from the joined pairs`, (text) =>
          text.slice(-count - 1).includes('&') ? text : text.slice(0, -count),
        ),
        family: 'the last 1 to 8 characters were cut from the joined pairs',
        // Costs more than another text of the last field.
        cost: count === 1 ? 6 : count === 2 ? UNCOMMON : VERY_RARE,
      },
      {
        ...rewritten(`the first ${characters} cut from the joined pairs`, (text) =>
          text.slice(0, count + 1).includes('&') ? text : text.slice(count),
        ),
        family: 'the first 1 to 8 characters were cut from the joined pairs',
        cost: count === 1 ? UNCOMMON : VERY_RARE,
      },
    ].map((cut) => ({ ...cut, fix: CUT_FIX }));
  });
}

const CUT_FIX = 'sign all characters of the joined pairs: remove only an "&" that is there';

/** The joined pairs, cut to the size of a column or a buffer. */
function shortenedVariants(): readonly Variant[] {
  return SIZES.map((size) => ({
    ...rewritten(`the joined pairs were cut to ${size} characters`, (text) => text.slice(0, size)),
    family: `the joined pairs were cut to ${SIZES.join(', ')} characters`,
    fix: 'sign all characters of the joined pairs',
    cost: UNCOMMON,
  }));
}

const SIZES = [64, 100, 127, 128, 200, 250, 255, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4096];

/** The business fields, and the common fields or headers, as two joined strings. */
function twoStringVariants({ mode }: Evidence): readonly Variant[] {
  const others = mode === 'body' ? 'common fields' : 'headers';
  const split = (pairs: readonly Entry[]): readonly [business: string, others: string] => [
    joinPairs(pairs.filter(({ source }) => source === 'business')),
    joinPairs(pairs.filter(({ source }) => source !== 'business')),
  ];
  return [
    withSteps(`the business fields and the ${others} were joined without "&" between them`, {
      join: (pairs) => split(pairs).join(''),
    }),
    withSteps(`the ${others} and the business fields were joined without "&" between them`, {
      join: (pairs) => split(pairs).toReversed().join(''),
    }),
  ].map((variant) => ({ ...variant, cost: UNCOMMON }));
}

/** The value of a common field, repeated after the pairs. */
function appendedVariants(evidence: Evidence): readonly Variant[] {
  // The mistake secret-joined covers the api_key.
  return COMMON_FIELDS.filter((field) => field !== 'api_key').flatMap((field) => {
    const value = commonFieldText(evidence, field);
    if (value === undefined) return [];
    const title = `the value of ${field} was appended to the pairs`;
    const variants = [
      withSteps(`${title} after the api secret`, {
        append: (text, secret) => text + secret + value,
      }),
      withSteps(`${title} before the api secret`, {
        append: (text, secret) => text + value + secret,
      }),
    ];
    return variants.map((variant) => ({ ...variant, slot: 'secret-joined', cost: UNCOMMON }));
  });
}

export const valuesOnly: Mistake = {
  id: 'values-only',
  fix: FIX,
  variants: (evidence) => [
    ...['', '&', ',', '|', '\n', '_', '-', ' ', ';', ':', '+', '='].flatMap((separator, index) => [
      { ...valuesJoined(separator), cost: index < 5 ? USUAL : RARE },
      { ...sortedValuesJoined(separator), cost: index < 2 ? 3 : RARE },
    ]),
    ...['', '&'].map((separator) => ({
      ...withSteps(
        `the values and the api secret were sorted together and joined without names${separatorText(separator)}`,
        {
          secretName: 'secret',
          join: (pairs) => sortedValues(pairs).join(separator),
          append: withoutSecret,
        },
      ),
      cost: RARE,
    })),
    {
      ...withSteps('the names were joined without their values', {
        join: (pairs) => pairs.map(({ name }) => name).join('&'),
      }),
      cost: RARE,
    },
    ...commonValues(evidence),
  ],
};

export function valuesJoined(separator: string): Variant {
  return withSteps(`the values were joined without their names${separatorText(separator)}`, {
    join: (pairs) => pairs.map(({ value }) => value).join(separator),
  });
}

export function sortedValuesJoined(separator: string): Variant {
  return withSteps(
    `the values were sorted and joined without their names${separatorText(separator)}`,
    {
      join: (pairs) => sortedValues(pairs).join(separator),
    },
  );
}

/** The pairs with `separator` between them, and `nameSeparator` between a name and its value. */
export function pairsJoinedWith(separator: string, nameSeparator = '='): Variant {
  const after = nameSeparator === '=' ? '' : ` and ${shown(nameSeparator)} after the names`;
  return withSteps(`the pairs were joined with ${shown(separator)} between them${after}`, {
    join: joined(separator, nameSeparator),
  });
}

function separatorVariants(): readonly Variant[] {
  const between = [...BETWEEN_PAIRS, ...BETWEEN_PAIRS_RARE];
  return between.flatMap((pairSeparator, pairIndex) =>
    AFTER_NAMES.flatMap((nameSeparator, nameIndex): Variant[] => {
      if (pairSeparator === '&' && nameSeparator === '=') return [];
      const how = [
        ...(pairSeparator === '&' ? [] : [`${shown(pairSeparator)} between them`]),
        ...(nameSeparator === '=' ? [] : [`${shown(nameSeparator)} after the names`]),
      ].join(' and ');
      const changed = Number(pairIndex > 0) + Number(nameIndex > 0);
      const isUsual = pairIndex < USUAL_SEPARATORS && nameIndex < USUAL_SEPARATORS;
      return [
        {
          ...(changed === 2 && {
            family: 'the pairs were joined with other separators between them and after the names',
          }),
          ...withSteps(`the pairs were joined with ${how}`, {
            join: joined(pairSeparator, nameSeparator),
          }),
          cost: !isUsual ? RARE : changed === 1 ? USUAL : pairIndex + nameIndex < 5 ? 3 : UNCOMMON,
        },
      ];
    }),
  );
}

/** Headers in the notation of a request (`Name: value`), fields with `=`. */
function headerSeparatorVariants(): readonly Variant[] {
  return [':', ': '].map((nameSeparator) => ({
    ...withSteps(`headers were joined with ${shown(nameSeparator)} after the names`, {
      join: (pairs: readonly Entry[]) =>
        pairs
          .map(
            ({ name, value, source }) => name + (source === 'header' ? nameSeparator : '=') + value,
          )
          .join('&'),
    }),
    cost: 3,
  }));
}

function sortedValues(pairs: readonly Entry[]): readonly string[] {
  return pairs.map(({ value }) => value).sort();
}

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
