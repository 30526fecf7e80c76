import { text } from '../../../json/build.ts';
import { isNested } from '../../../json/value.ts';
import { PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import {
  type Evidence,
  mistake,
  mistakeOfRequest,
  RARE,
  type TableRow,
  USUAL,
  type Variant,
} from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';
import { shownText, table, tableOf } from '../steps.ts';

/** The selection of signed fields (D1 5.1 step 1, 5.2 steps 1 and 2). */

const isHeader = ({ source }: Field): boolean => source === 'header';

function without(isMissing: (field: Field) => boolean) {
  return (fields: readonly Field[]): readonly Field[] =>
    fields.filter((field) => !isMissing(field));
}

export const fieldMissing = mistake(
  'field-missing',
  [
    table('fields', '', {
      [USUAL]: {
        'the common fields were not signed': without(({ source }) => source === 'common'),
        'the business fields were not signed': without(({ source }) => source === 'business'),
        'lists and objects were not signed': without(({ value }) => isNested(value)),
        'fields that are not text were not signed': without(
          (field) => !isHeader(field) && field.value.kind !== 'string',
        ),
      },
    }),
  ],
  [
    'some fields were not signed',
    (evidence) => eachUnsigned(ownFields(evidence).filter((field) => !isHeader(field))),
  ],
);

export const headerUnsigned = mistake(
  'header-unsigned',
  [
    table('fields', '', {
      [USUAL]: {
        'none of the X-TMS-* headers was signed': without(isHeader),
        'the additional X-TMS-* headers were not signed': without(
          (field) => isHeader(field) && !DOCUMENTED.includes(field.name),
        ),
      },
    }),
  ],
  [
    'some X-TMS-* headers were not signed',
    (evidence) =>
      evidence.mode === 'body' ? [] : eachUnsigned(ownFields(evidence).filter(isHeader)),
  ],
  ['X-TMS-Sign-Ver was signed but did not arrive', versionNotSent],
);

const DOCUMENTED: readonly string[] = Object.values(SIGN_HEADERS);

/** The version header, which is required in header mode. */
export const VERSION: Field = {
  name: SIGN_HEADERS.version,
  value: text(PROTOCOL_VERSION.header),
  source: 'header',
  position: NO_POSITION,
};

function versionNotSent({ mode, fields }: Evidence): readonly TableRow[] {
  if (mode === 'body' || fields.some(({ name }) => sameName(name, VERSION.name))) return [];
  const { name } = VERSION;
  return tableOf('fields', name, USUAL, ['was signed but did not arrive'], (how) => [
    how,
    (signed) => [VERSION, ...signed],
    { fields: [name] },
  ]);
}

function ownFields({ fields, signatureName }: Evidence): readonly Field[] {
  return fields.filter(({ name }) => name !== signatureName);
}

function eachUnsigned(fields: readonly Field[]): readonly TableRow[] {
  return fields.flatMap((field) => unsigned([field.name]));
}

/** The mistakes of omitting these fields and headers. */
export function withoutFields(omitted: readonly Field[]): readonly Variant[] {
  const headers = omitted.filter(isHeader).map(({ name }) => name);
  const others = omitted.filter((field) => !isHeader(field)).map(({ name }) => name);
  return [
    ...unsigned(others).map((row) => ({ ...row, id: 'field-missing' as const })),
    ...unsigned(headers).map((row) => ({ ...row, id: 'header-unsigned' as const })),
  ];
}

function unsigned(names: readonly string[]): readonly TableRow[] {
  if (names.length === 0) return [];
  const more = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return tableOf('fields', listed, USUAL, [names.length === 1 ? 'was' : 'were'], (verb) => [
    `${verb} not signed`,
    without(({ name }) => names.includes(name)),
    { fields: names },
  ]);
}

/** Names in a title. */
const MAX_NAMES = 8;

/** The signature among the signed fields, with the value that it has before it is computed. */
export const signIncluded = mistakeOfRequest(
  'sign-included',
  'the signature was among the signed fields, as empty text or a word such as null',
  ({ fields, signatureName }) => {
    const sign = fields.filter(({ name }) => name === signatureName);
    const subject = `the field ${signatureName} was among the signed fields, as`;
    const included = (words: readonly string[], cost: number): readonly TableRow[] =>
      tableOf('fields', subject, cost, words, (word) => [
        word === '""' ? 'two quotes' : shownText(word),
        (signed) => [...signed, ...sign.map((field) => ({ ...field, value: text(word) }))],
      ]);
    return [
      ...included(['', 'null', 'None'], USUAL),
      ...included(['undefined', '""', '0', '<nil>'], RARE),
    ];
  },
);

const nullTexts = (cost: number, ...words: readonly string[]): readonly TableRow[] =>
  tableOf('nullText', 'fields that are null were signed as', cost, words, (word) => [
    shownText(word),
    word,
  ]);

export const nullIncluded = mistake('null-included', [
  nullTexts(2, 'null', '', 'None', '<nil>'),
  nullTexts(3, 'undefined', 'NULL', 'nil', '(null)', '<null>', 'userdata: NULL', 'Null'),
  nullTexts(3, 'Optional(nil)', 'Optional.empty', '%!s(<nil>)'),
]);
