import { text } from '../../../json/build.ts';
import { isNested, type JsonValue } from '../../../json/value.ts';
import { PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL, type Variant } from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';
import { each, table } from '../steps.ts';

// The selection of signed fields (D1 5.1 step 1, 5.2 steps 1 and 2).

export const isHeader = ({ source }: Field): boolean => source === 'header';

export type FieldChange = (fields: readonly Field[]) => readonly Field[];

const without =
  (isMissing: (field: Field) => boolean): FieldChange =>
  (fields) =>
    fields.filter((field) => !isMissing(field));

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

const MAX_NAMES = 8;

export const signIncluded = mistake('sign-included', [], {
  'the signature was among the signed fields, as empty text or a word such as null': signSigned,
});

/** The signature, with the value that it has before it is computed. */
function signSigned({ fields, signatureName }: Evidence): Table {
  const sign = fields.filter(({ name }) => name === signatureName);
  const included =
    (word: string): FieldChange =>
    (signed) => [...signed, ...sign.map((field) => ({ ...field, value: text(word) }))];
  return table('fields', `the field ${signatureName} was among the signed fields, as`, [
    ...each(USUAL, '"*"', ['', 'null', 'None'], included),
    ...each(RARE, '"*"', ['undefined', '0', '<nil>'], included),
    ['two quotes', RARE, included('""')],
  ]);
}

const RARE_NULLS =
  'undefined, NULL, nil, (null), <null>, userdata: NULL, Null, Optional(nil), Optional.empty, %!s(<nil>)';

export const nullIncluded = mistake('null-included', [
  table('nullText', 'fields that are null were signed as', [
    ...each(2, '"*"', ['null', '', 'None', '<nil>'], (word) => word),
    ...each(3, '"*"', RARE_NULLS.split(', '), (word) => word),
  ]),
]);

// Fields with an empty value, which are signed like all others (D1 5.1 step 1).

type Test = (value: JsonValue) => boolean;

const isNull: Test = ({ kind }) => kind === 'null';
const isEmptyText: Test = (value) => value.kind === 'string' && value.value === '';
const isBlank: Test = (value) => value.kind === 'string' && value.value.trim() === '';
const isZero: Test = (value) => value.kind === 'number' && Number(value.text) === 0;
const isZeroText: Test = (value) => value.kind === 'string' && value.value === '0';
const isFalse: Test = (value) => value.kind === 'boolean' && !value.value;
const isEmptyContainer: Test = (value) =>
  (value.kind === 'array' && value.items.length === 0) ||
  (value.kind === 'object' && value.members.length === 0);

const any =
  (...tests: readonly Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));
const isEmptyOrNull = any(isNull, isEmptyText);
const isFalsy = any(isEmptyOrNull, isZero, isFalse);
const isGoEmpty = any(isFalsy, isEmptyContainer);
const isPhpEmpty = any(isGoEmpty, isZeroText);

const dropped = (isEmpty: Test): FieldChange =>
  without((field) => !isHeader(field) && isEmpty(field.value));

const droppedInside =
  (isEmpty: Test): FieldChange =>
  (fields) =>
    fields.map((field) => ({ ...field, value: withoutEmpty(field.value, isEmpty) }));

/** Members that a serializer leaves out of nested JSON. */
const EMPTY_MEMBERS: Readonly<Record<string, Test>> = {
  nulls: isNull,
  'empty texts': isEmptyText,
  'nulls and empty texts': isEmptyOrNull,
  'nulls, empty texts, lists and objects': any(isEmptyOrNull, isEmptyContainer),
  'values that Go omits as empty': isGoEmpty,
  'values that PHP treats as empty': isPhpEmpty,
};

export const emptyDropped = mistake('empty-dropped', [
  table('fields', '', {
    [USUAL]: {
      'fields with an empty value were left out': dropped(isEmptyOrNull),
      'fields that are null were left out': dropped(isNull),
      'fields that JavaScript treats as false were left out': dropped(isFalsy),
      'fields that Go omits as empty (omitempty) were left out': dropped(isGoEmpty),
      'fields that PHP treats as empty were left out': dropped(isPhpEmpty),
    },
    [RARE]: {
      'fields that are empty text, but not null, were left out': dropped(isEmptyText),
      'empty texts, lists and objects were left out': dropped(any(isEmptyText, isEmptyContainer)),
      'empty lists and objects were left out': dropped(isEmptyContainer),
      'fields that contain only white space were left out': dropped(isBlank),
      'fields that are zero were left out': dropped(isZero),
      'fields that are false were left out': dropped(isFalse),
    },
  }),
  table(
    'fields',
    '',
    Object.entries(EMPTY_MEMBERS).flatMap(([subject, isEmpty]) => [
      [`${subject} inside nested JSON were left out`, USUAL, droppedInside(isEmpty)],
      [
        `${subject} were left out, inside nested JSON too`,
        USUAL,
        (fields) => dropped(isEmpty)(droppedInside(isEmpty)(fields)),
      ],
    ]),
  ),
]);

/** Removes members of objects at every level; items of lists stay. */
function withoutEmpty(value: JsonValue, isEmpty: Test): JsonValue {
  // A value without such members keeps its sent text.
  if (!hasInside(value, isEmpty)) return value;
  if (value.kind === 'array') {
    return { kind: 'array', items: value.items.map((item) => withoutEmpty(item, isEmpty)) };
  }
  if (value.kind !== 'object') return value;
  const members = value.members
    .filter((member) => !isEmpty(member.value))
    .map((member) => ({ ...member, value: withoutEmpty(member.value, isEmpty) }));
  return { kind: 'object', members };
}

function hasInside(value: JsonValue, isEmpty: Test): boolean {
  if (value.kind === 'array') return value.items.some((item) => hasInside(item, isEmpty));
  if (value.kind !== 'object') return false;
  return value.members.some((member) => isEmpty(member.value) || hasInside(member.value, isEmpty));
}
