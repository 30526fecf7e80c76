import { COMMON_FIELDS } from '../../../protocol/operations.ts';
import { utf8Bytes } from '../../bytes.ts';
import type { Entry } from '../../canonical.ts';
import { commonFieldText } from '../../received-request.ts';
import { type Evidence, RARE, UNCOMMON, USUAL, type Variant, VERY_RARE } from '../mistake.ts';
import { joinPairs, type Steps, withoutSecret } from '../signer.ts';
import { type Row, separatorText, table } from '../steps.ts';
import { RFC_3986 } from './encodings.ts';
import { pythonBytes } from './languages.ts';
import { PRINTED_MAPS } from './printed-maps.ts';

/** The joining of the sorted pairs into one string (D1 5.1 step 2). */

type Join = Steps['join'];

/** Between pairs, and between a name and its value: the usual choices first. */
const BETWEEN_PAIRS = [
  ...['&', '', '\n', ',', ', ', '|', ';', ' ', '&&', '\r\n', '&amp;', '+', '\t'],
  ...['#', '_', '-', ':', '%26', '^', '; ', ' & '],
];
const AFTER_NAMES = ['=', '', ':', ': ', ' ', '=>', '==', ' = ', '_', '|', ',', '-', '%3D'];
/** The number of usual choices in each list. */
const USUAL_SEPARATORS = 7;

const WRAPPINGS: readonly (readonly [how: string, cost: number, open: string, close: string])[] = [
  ['with "&" after the last one', USUAL, '', '&'],
  ['with "&" in front', UNCOMMON, '&', ''],
  ['with "?" in front', UNCOMMON, '?', ''],
  ['with "?" after the last one', UNCOMMON, '', '?'],
  ['in double quotes', UNCOMMON, '"', '"'],
  ['in single quotes', UNCOMMON, "'", "'"],
  ['in brackets', UNCOMMON, '[', ']'],
  ['in braces', UNCOMMON, '{', '}'],
];

const SIZES = [64, 100, 127, 128, 200, 250, 255, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4096];
const CUT_FIX = 'sign all characters of the joined pairs: remove only an "&" that is there';
const BYTES_FIX = 'hash the bytes of the string (s.encode()), not their text (str(s.encode()))';

export const PAIRS_JOINED = [
  ...table('pairs-joined', 'join', 'the pairs were', [
    ...separatorRows(),
    ...WRAPPINGS.map(
      ([how, cost, open, close]): Row<'join'> => [
        `joined ${how}`,
        cost,
        (pairs) => open + joinPairs(pairs) + close,
      ],
    ),
    ...['\n', ',', ';', '|', ' '].map(
      (end): Row<'join'> => [
        `joined with ${shown(end)} after each of them`,
        UNCOMMON,
        (pairs) => pairs.map(({ name, value }) => `${name}=${value}${end}`).join(''),
      ],
    ),
    ...PRINTED_MAPS.map(([how, join]): Row<'join'> => [`printed as ${how}`, UNCOMMON, join]),
    ...[':', ': '].map(
      (colon): Row<'join'> => [
        `joined with ${shown(colon)} after the names of headers`,
        3,
        (pairs) =>
          pairs
            .map(({ name, value, source }) => name + (source === 'header' ? colon : '=') + value)
            .join('&'),
      ],
    ),
  ]),
  ...table('pairs-joined', 'rewrite', 'the joined pairs were', [
    ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap(cutRows),
    ...SIZES.map(
      (size): Row<'rewrite'> => [
        `cut to ${size} characters`,
        UNCOMMON,
        (text) => text.slice(0, size),
        { fix: 'sign all characters of the joined pairs' },
      ],
    ),
    ['split at "&" and sorted again', UNCOMMON, (text) => text.split('&').sort().join('&')],
    [
      'signed as Python prints their bytes',
      UNCOMMON,
      (text) => pythonBytes(utf8Bytes(text)),
      { fix: BYTES_FIX },
    ],
  ]),
  ...table('pairs-joined', 'append', 'the string was', [
    [
      'signed as Python prints its bytes',
      UNCOMMON,
      (text, secret) => pythonBytes(utf8Bytes(text + secret)),
      { fix: BYTES_FIX },
    ],
  ]),
  ...table('pairs-joined', 'join', '', twoStringRows()),
];

function separatorRows(): readonly Row<'join'>[] {
  return BETWEEN_PAIRS.flatMap((between, pairIndex) =>
    AFTER_NAMES.map((after, nameIndex): Row<'join'> => {
      const how = [
        ...(between === '&' ? [] : [`${shown(between)} between them`]),
        ...(after === '=' ? [] : [`${shown(after)} after the names`]),
      ].join(' and ');
      const isUsual = pairIndex < USUAL_SEPARATORS && nameIndex < USUAL_SEPARATORS;
      const isSingle = pairIndex === 0 || nameIndex === 0;
      const usual = isSingle ? USUAL : pairIndex + nameIndex < 5 ? 3 : UNCOMMON;
      return [`joined with ${how}`, isUsual ? usual : RARE, joined(between, after)];
    }),
  ).slice(1);
}

/** The pairs with `between` between them, and `after` between a name and its value. */
export function joined(between: string, after: string): Join {
  return (pairs) => pairs.map(({ name, value }) => name + after + value).join(between);
}

/** Cut by code that expects an `&` there. A cut up to an `&` is a missing field. */
function cutRows(count: number): readonly Row<'rewrite'>[] {
  const characters = count === 1 ? 'character' : `${count} characters`;
  return [
    [
      `signed without their last ${characters}`,
      // Costs more than another text of the last field.
      count === 1 ? 6 : count === 2 ? UNCOMMON : VERY_RARE,
      (text) => (text.slice(-count - 1).includes('&') ? text : text.slice(0, -count)),
      { fix: CUT_FIX },
    ],
    [
      `signed without their first ${characters}`,
      count === 1 ? UNCOMMON : VERY_RARE,
      (text) => (text.slice(0, count + 1).includes('&') ? text : text.slice(count)),
      { fix: CUT_FIX },
    ],
  ];
}

/** The business fields, and the common fields or headers, as two joined strings. */
function twoStringRows(): readonly Row<'join'>[] {
  const halves = (pairs: readonly Entry[]): readonly [business: string, others: string] => [
    joinPairs(pairs.filter(({ source }) => source === 'business')),
    joinPairs(pairs.filter(({ source }) => source !== 'business')),
  ];
  const first = 'the business fields and the common fields or headers were joined';
  const second = 'the common fields or headers and the business fields were joined';
  return [
    [`${first} without "&" between them`, UNCOMMON, (pairs) => halves(pairs).join('')],
    [
      `${second} without "&" between them`,
      UNCOMMON,
      (pairs) => halves(pairs).toReversed().join(''),
    ],
    [`${first} on two lines`, UNCOMMON, (pairs) => halves(pairs).join('\n')],
    [`${second} on two lines`, UNCOMMON, (pairs) => halves(pairs).toReversed().join('\n')],
  ];
}

/** The value of a common field, repeated after the pairs. */
export function repeatedValues(evidence: Evidence): readonly Variant[] {
  // The mistake secret-joined covers the api_key.
  return COMMON_FIELDS.filter((field) => field !== 'api_key').flatMap((field) => {
    const value = commonFieldText(evidence, field);
    if (value === undefined) return [];
    return table('pairs-joined', 'append', `the value of ${field} was appended to the pairs`, [
      ['after the api secret', UNCOMMON, (t, secret) => t + secret + value, SECRET_SLOT],
      ['before the api secret', UNCOMMON, (t, secret) => t + value + secret, SECRET_SLOT],
    ]);
  });
}

const SECRET_SLOT = { slot: 'secret-joined' };

/** The method, the host or the path as a part of the string, as other platforms require. */
export function requestParts({ request, mode }: Evidence): readonly Variant[] {
  const method = request.method ?? 'POST';
  const address = /^(https?:\/\/([^/?#]*))?(\/[^?#]*)/.exec(request.url ?? '');
  const [, origin = '', host = '', path = ''] = address ?? [];
  const short = path.replace(mode === 'body' ? /^.*\/open\/v1/ : /^.*\/api\/open/, '');
  const ofAddress = [
    ...[path, short, path.slice(1), short.slice(1), origin + path, host + path],
    // AWS requires an empty query after the path; the path of Alibaba Cloud is "/".
    ...[`${method}\n${path}\n`, 'POST&/', method + host + path],
    ...['', ' ', '\n', '&'].map((separator) => method + separator + path),
    ...['\n', '&'].map((separator) => [method, host, path].join(separator)),
  ];
  const texts = new Set([method, ...(address ? ofAddress : [])]);
  texts.delete('');
  const rows = [...texts].flatMap((text) =>
    ['', '&', '\n', '?', '|', ' ', ':', '%'].flatMap((separator, index): Row<'join'>[] => {
      const cost = index < 3 ? UNCOMMON : RARE;
      const how = `${shown(text)}${separatorText(separator)}`;
      return [
        [`preceded by ${how}`, cost, (pairs) => text + separator + joinPairs(pairs)],
        [`followed by ${how}`, cost + 1, (pairs) => joinPairs(pairs) + separator + text],
      ];
    }),
  );
  return table('pairs-joined', 'join', 'the pairs were', [
    ...rows,
    ...[...texts].map(
      (text): Row<'join'> => [
        `percent-encoded and preceded by ${shown(text)}, percent-encoded, and "&"`,
        RARE,
        (pairs) => [...text.split('&'), joinPairs(pairs)].map((part) => RFC_3986(part)).join('&'),
      ],
    ),
  ]);
}

export const VALUES_ONLY = [
  ...table('values-only', 'join', 'the values were', [
    ...['', '&', ',', '|', '\n', '_', '-', ' ', ';', ':', '+', '='].flatMap(
      (separator, index): readonly Row<'join'>[] => [
        [
          `joined without their names${separatorText(separator)}`,
          index < 5 ? USUAL : RARE,
          valuesJoined(separator),
        ],
        [
          `sorted and joined without their names${separatorText(separator)}`,
          index < 2 ? 3 : RARE,
          sortedValuesJoined(separator),
        ],
      ],
    ),
  ]),
  ...table('values-only', 'steps', 'the values and the api secret were', [
    ...['', '&'].map(
      (separator): Row<'steps'> => [
        `sorted together and joined without names${separatorText(separator)}`,
        RARE,
        { secretName: 'secret', join: sortedValuesJoined(separator), append: withoutSecret },
      ],
    ),
  ]),
  ...table('values-only', 'join', 'the names were', [
    ['joined without their values', RARE, (pairs) => pairs.map(({ name }) => name).join('&')],
  ]),
];

export function valuesJoined(separator: string): Join {
  return (pairs) => pairs.map(({ value }) => value).join(separator);
}

export function sortedValuesJoined(separator: string): Join {
  return (pairs) =>
    pairs
      .map(({ value }) => value)
      .sort()
      .join(separator);
}

function shown(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text);
}
