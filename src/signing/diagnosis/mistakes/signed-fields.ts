import { text } from '../../../json/build.ts';
import { isNested, type JsonValue } from '../../../json/value.ts';
import { PROTOCOL_VERSION, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { sameName } from '../../header-mode.ts';
import type { Field } from '../../received-request.ts';
import {
  type Evidence,
  type Mistake,
  rarely,
  styled,
  type Variant,
  variantsIf,
  withFields,
} from '../mistake.ts';
import { NO_POSITION } from '../signer.ts';

/** Which fields take part (D1 5.1 step 1, 5.2 steps 1 and 2). */

export const nullIncluded: Mistake = {
  id: 'null-included',
  fix: 'leave a field that is null out in body mode; in header mode sign it as an empty value, or as the reading null-in-header says',
  variants: ({ nullAs, fields }) => {
    if (!fields.some(({ value }) => value.kind === 'null')) return [];
    const asText = (nullText: string): Variant =>
      styled(`fields that are null were signed as ${shown(nullText)}`, { nullText });
    return [
      ...['null', ...(nullAs === 'empty' ? [] : ['']), 'None', '<nil>'].map(asText),
      ...rarely(['undefined', 'NULL', 'nil'].map(asText)),
    ];
  },
};

export const emptyDropped: Mistake = {
  id: 'empty-dropped',
  looksInside: true,
  fix: 'sign fields with an empty value as well, as name=',
  variants: ({ nullAs, fields }) => {
    const dropped = (what: string, isEmpty: (value: JsonValue) => boolean): readonly Variant[] =>
      variantsIf(
        fields.some(({ value }) => isEmpty(value)),
        keepFields(`${what} were left out`, ({ value }) => !isEmpty(value)),
      );
    const isEmptyText = (value: JsonValue): boolean => isText(value, '');
    const isNull = (value: JsonValue): boolean => nullAs !== 'omit' && value.kind === 'null';
    return [
      ...dropped('fields with an empty value', (value) => isEmptyText(value) || isNull(value)),
      ...dropped('fields that are null', isNull),
      ...dropped('fields that JavaScript takes for false', (value) =>
        [isEmptyText, isNull, isFalse].some((test) => test(value)),
      ),
      ...dropped(
        'fields that PHP calls empty',
        (value) =>
          [isEmptyText, isNull, isFalse, isBare].some((test) => test(value)) || isText(value, '0'),
      ),
      ...rarely([
        ...dropped('fields that are empty text, but not null,', isEmptyText),
        ...dropped(
          'empty texts, lists and objects',
          (value) => isEmptyText(value) || isBare(value),
        ),
        ...dropped('empty lists and objects', isBare),
        ...dropped('fields of white space alone', isBlank),
        ...dropped('fields that are zero', (value) => value.kind === 'number' && isFalse(value)),
        ...dropped('fields that are false', (value) => value.kind === 'boolean' && !value.value),
      ]),
      ...variantsIf(
        fields.some(({ value }) => hasNestedNull(value)),
        withFields('nulls inside nested JSON were left out', (signed) =>
          signed.map((field) => ({ ...field, value: withoutNulls(field.value) })),
        ),
      ),
    ];
  },
};

export const signIncluded: Mistake = {
  id: 'sign-included',
  fix: 'leave the signature itself out before signing',
  variants: ({ fields, signatureName }) => {
    const sign = fields.filter(({ name }) => name === signatureName);
    const as = (content: string): Variant => {
      const placeholders = sign.map((field) => ({ ...field, value: text(content) }));
      return withFields(
        `the field ${signatureName} took part itself, as ${shown(content)}`,
        (signed) => [...signed, ...placeholders],
      );
    };
    return [...['', 'null', 'None'].map(as), ...rarely(['undefined', '""', '0', '<nil>'].map(as))];
  },
};

export const fieldMissing: Mistake = {
  id: 'field-missing',
  fix: 'sign every field that is sent',
  variants: ({ nullAs, fields, signatureName }) => {
    const isSigned = ({ value }: Field): boolean => nullAs !== 'omit' || value.kind !== 'null';
    const own = fields.filter(
      (field) => field.name !== signatureName && field.source !== 'header' && isSigned(field),
    );
    const group = (what: string, isMissing: (field: Field) => boolean): readonly Variant[] =>
      variantsIf(
        own.filter(isMissing).length > 1,
        keepFields(`${what} were not signed`, (field) => !isMissing(field)),
      );
    return [
      ...own.map(({ name }) => leaveOut([name])),
      ...group('the common fields', ({ source }) => source === 'common'),
      ...group('the business fields', ({ source }) => source === 'business'),
      ...group('lists and objects', ({ value }) => isNested(value)),
      ...group('fields that are not text', ({ value }) => value.kind !== 'string'),
    ];
  },
};

export const headerUnsigned: Mistake = {
  id: 'header-unsigned',
  fix: 'sign every X-TMS-* header that is sent but X-TMS-Sign, and send every one that is signed',
  variants: (evidence) => {
    if (evidence.mode === 'body') return [];
    const headers = signedHeaders(evidence);
    const documented: readonly string[] = Object.values(SIGN_HEADERS);
    const additional = headers.map(({ name }) => name).filter((name) => !documented.includes(name));
    const version = headers.some(({ name }) => sameName(name, VERSION.name));
    return [
      ...headers.map(({ name }) => leaveOut([name])),
      keepFields('none of the X-TMS-* headers was signed', ({ source }) => source !== 'header'),
      ...variantsIf(additional.length > 1, leaveOut(additional)),
      ...variantsIf(!version, {
        ...withFields(`${VERSION.name} was signed but did not arrive`, (signed) => [
          VERSION,
          ...signed,
        ]),
        fields: [VERSION.name],
      }),
    ];
  },
};

/** The header that every request of header mode has. */
export const VERSION: Field = {
  name: SIGN_HEADERS.version,
  value: text(PROTOCOL_VERSION.header),
  source: 'header',
  position: NO_POSITION,
};

/** The headers that take part. */
export function signedHeaders({ fields, signatureName }: Evidence): readonly Field[] {
  return fields.filter(({ name, source }) => source === 'header' && name !== signatureName);
}

/** How many names stand in a title. */
const MAX_NAMES = 8;

/** Some fields or headers of the request left out. */
export function leaveOut(names: readonly string[]): Variant {
  const more = names.length - MAX_NAMES;
  const listed = names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const title = `${listed} ${names.length === 1 ? 'was' : 'were'} not signed`;
  return { ...keepFields(title, ({ name }) => !names.includes(name)), fields: names };
}

function keepFields(title: string, keep: (field: Field) => boolean): Variant {
  return withFields(title, (signed) => signed.filter(keep));
}

function shown(text: string): string {
  return text === '' ? 'empty text' : `"${text}"`;
}

function isText(value: JsonValue, wanted: string): boolean {
  return value.kind === 'string' && value.value === wanted;
}

function isBare(value: JsonValue): boolean {
  return (
    (value.kind === 'array' && value.items.length === 0) ||
    (value.kind === 'object' && value.members.length === 0)
  );
}

function isBlank(value: JsonValue): boolean {
  return value.kind === 'string' && value.value.trim() === '';
}

function isFalse(value: JsonValue): boolean {
  return (
    (value.kind === 'number' && Number(value.text) === 0) ||
    (value.kind === 'boolean' && !value.value)
  );
}

function hasNestedNull(value: JsonValue): boolean {
  return inner(value).some((part) => part.kind === 'null' || hasNestedNull(part));
}

function inner(value: JsonValue): readonly JsonValue[] {
  if (value.kind === 'array') return value.items;
  return value.kind === 'object' ? value.members.map((member) => member.value) : [];
}

/** As fastjson and others print a map: its nulls are gone, those of a list stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (value.kind === 'array') return { kind: 'array', items: value.items.map(withoutNulls) };
  if (value.kind !== 'object') return value;
  const members = value.members
    .filter((member) => member.value.kind !== 'null')
    .map((member) => ({ ...member, value: withoutNulls(member.value) }));
  return { kind: 'object', members };
}
