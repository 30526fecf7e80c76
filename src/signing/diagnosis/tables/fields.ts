import { text } from '../../../json/build.ts';
import { isNested } from '../../../json/value.ts';
import { PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL, type Variant } from '../mistake.ts';
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
  {
    'some fields were not signed': (evidence) =>
      eachUnsigned(ownFields(evidence).filter((field) => !isHeader(field))),
  },
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
  {
    'some X-TMS-* headers were not signed': (evidence) =>
      evidence.mode === 'body' ? [] : eachUnsigned(ownFields(evidence).filter(isHeader)),
    'X-TMS-Sign-Ver was signed but did not arrive': versionNotSent,
  },
);

const DOCUMENTED: readonly string[] = Object.values(SIGN_HEADERS);

/** The version header, which is required in header mode. */
export const VERSION: Field = {
  name: SIGN_HEADERS.version,
  value: text(PROTOCOL_VERSION.header),
  source: 'header',
  position: NO_POSITION,
};

function versionNotSent({ mode, fields }: Evidence): Table {
  const { name } = VERSION;
  if (mode === 'body' || fields.some((field) => sameName(field.name, name))) return [];
  const how = 'was signed but did not arrive';
  const change = (signed: readonly Field[]) => [VERSION, ...signed];
  return table('fields', name, { [USUAL]: { [how]: change } }, { fields: [name] });
}

function ownFields({ fields, signatureName }: Evidence): readonly Field[] {
  return fields.filter(({ name }) => name !== signatureName);
}

function eachUnsigned(fields: readonly Field[]): Table {
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

function unsigned(names: readonly string[]): Table {
  if (names.length === 0) return [];
  const more = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const how = `${names.length === 1 ? 'was' : 'were'} not signed`;
  const change = without(({ name }) => names.includes(name));
  return table('fields', listed, { [USUAL]: { [how]: change } }, { fields: names });
}

/** Names in a title. */
const MAX_NAMES = 8;

export const signIncluded = mistake('sign-included', [], {
  'the signature was among the signed fields, as empty text or a word such as null': signSigned,
});

/** The signature, with the value that it has before it is computed. */
function signSigned({ fields, signatureName }: Evidence): Table {
  const sign = fields.filter(({ name }) => name === signatureName);
  const included = (cost: number, ...words: readonly string[]): Table =>
    tableOf(
      'fields',
      `the field ${signatureName} was among the signed fields, as`,
      words.map((word) => [
        word === '""' ? 'two quotes' : shownText(word),
        cost,
        (signed) => [...signed, ...sign.map((field) => ({ ...field, value: text(word) }))],
      ]),
    );
  return [
    ...included(USUAL, '', 'null', 'None'),
    ...included(RARE, 'undefined', '""', '0', '<nil>'),
  ];
}

const nullTexts = (cost: number, ...words: readonly string[]): Table =>
  tableOf(
    'nullText',
    'fields that are null were signed as',
    words.map((word) => [shownText(word), cost, word]),
  );

export const nullIncluded = mistake('null-included', [
  nullTexts(2, 'null', '', 'None', '<nil>'),
  nullTexts(3, 'undefined', 'NULL', 'nil', '(null)', '<null>', 'userdata: NULL', 'Null'),
  nullTexts(3, 'Optional(nil)', 'Optional.empty', '%!s(<nil>)'),
]);
