import { text } from '../../../json/build.ts';
import { isNested } from '../../../json/value.ts';
import { COMMON_FIELDS, PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, RARE, USUAL, type Variant } from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';
import { type Row, shownText, table } from '../steps.ts';

/** The selection of signed fields (D1 5.1 step 1, 5.2 steps 1 and 2). */

export const NULL_INCLUDED = table(
  'null-included',
  'nullText',
  'fields that are null were signed as',
  [
    ['"null"', 2, 'null'],
    ['empty text', 2, ''],
    ['"None"', 2, 'None'],
    ['"<nil>"', 2, '<nil>'],
    ['"undefined"', 3, 'undefined'],
    ['"NULL"', 3, 'NULL'],
    ['"nil"', 3, 'nil'],
    ['"(null)"', 3, '(null)'],
    ['"<null>"', 3, '<null>'],
    ['"userdata: NULL"', 3, 'userdata: NULL'],
    ['"Optional(nil)"', 3, 'Optional(nil)'],
    ['"Optional.empty"', 3, 'Optional.empty'],
  ],
);

/** The signature among the signed fields, with the value that it has before it is computed. */
export function signIncluded({ fields, signatureName }: Evidence): readonly Variant[] {
  const sign = fields.filter(({ name }) => name === signatureName);
  const rows = ['', 'null', 'None', 'undefined', '""', '0', '<nil>'].map(
    (content, index): Row<'fields'> => [
      content === '""' ? 'two quotes' : shownText(content),
      index < 3 ? USUAL : RARE,
      (signed) => [...signed, ...sign.map((field) => ({ ...field, value: text(content) }))],
    ],
  );
  const subject = `the field ${signatureName} was among the signed fields, as`;
  return table('sign-included', 'fields', subject, rows);
}

type Test = (field: Field) => boolean;

const isHeader: Test = ({ source }) => source === 'header';

export const FIELD_MISSING = table('field-missing', 'fields', '', [
  without('the common fields were not signed', ({ source }) => source === 'common'),
  without('the business fields were not signed', ({ source }) => source === 'business'),
  without('lists and objects were not signed', ({ value }) => isNested(value)),
  without(
    'fields that are not text were not signed',
    ({ value, source }) => source !== 'header' && value.kind !== 'string',
  ),
]);

export const HEADER_UNSIGNED = table('header-unsigned', 'fields', '', [
  without('none of the X-TMS-* headers was signed', isHeader),
  without('the additional X-TMS-* headers were not signed', ({ source, name }) => {
    const documented: readonly string[] = Object.values(SIGN_HEADERS);
    return source === 'header' && !documented.includes(name);
  }),
]);

function without(title: string, isMissing: Test): Row<'fields'> {
  return [title, USUAL, (fields) => fields.filter((field) => !isMissing(field))];
}

/** The version header, which is required in header mode. */
export const VERSION: Field = {
  name: SIGN_HEADERS.version,
  value: text(PROTOCOL_VERSION.header),
  source: 'header',
  position: NO_POSITION,
};

/** A version header that was signed, but is not in the request. */
export function versionNotSent({ mode, fields }: Evidence): readonly Variant[] {
  if (mode === 'body' || fields.some(({ name }) => sameName(name, VERSION.name))) return [];
  return table('header-unsigned', 'fields', '', [
    [
      `${VERSION.name} was signed but did not arrive`,
      USUAL,
      (signed) => [VERSION, ...signed],
      { fields: [VERSION.name] },
    ],
  ]);
}

/** Each field that was not signed. */
export function unsignedFields({ fields, signatureName }: Evidence): readonly Variant[] {
  return fields
    .filter((field) => field.name !== signatureName && !isHeader(field))
    .flatMap((field) => withoutFields([field]));
}

/** Each header that was not signed. */
export function unsignedHeaders({ mode, fields, signatureName }: Evidence): readonly Variant[] {
  if (mode === 'body') return [];
  return fields
    .filter((field) => field.name !== signatureName && isHeader(field))
    .flatMap((field) => withoutFields([field]));
}

/** The mistakes of omitting these fields and headers. */
export function withoutFields(omitted: readonly Field[]): readonly Variant[] {
  const groups = [
    { id: 'field-missing' as const, names: omitted.filter((field) => !isHeader(field)) },
    { id: 'header-unsigned' as const, names: omitted.filter(isHeader) },
  ];
  return groups.flatMap(({ id, names: group }) => {
    const names = group.map(({ name }) => name);
    if (names.length === 0) return [];
    const title = `${listed(names)} ${names.length === 1 ? 'was' : 'were'} not signed`;
    const [, cost, change] = without(title, ({ name }) => names.includes(name));
    return table(id, 'fields', '', [[title, cost, change, { fields: names }]]);
  });
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Names in a title. */
const MAX_NAMES = 8;

/** Each field twice, as a list of pairs that was built from two sources has it. */
export const FIELDS_TWICE = table('field-extra', 'fields', '', [
  ['every field was signed twice', RARE, (fields) => fields.flatMap((field) => [field, field])],
  [
    'the common fields were signed twice',
    RARE,
    (fields) => fields.flatMap((field) => (isCommon(field) ? [field, field] : [field])),
  ],
  [
    'the business fields were signed twice',
    RARE,
    (fields) => fields.flatMap((field) => (field.source === 'business' ? [field, field] : [field])),
  ],
]);

function isCommon({ name, source }: Field): boolean {
  return source === 'common' && COMMON_FIELDS.some((common) => common === name);
}
