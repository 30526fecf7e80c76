import { printJson } from '../../../json/print.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Field } from '../../received-request.ts';
import { type Mistake, rarely, type Variant, variantsIf, withFields } from '../mistake.ts';
import { keepFields } from './fields.ts';

/** Fields with an empty value, which are signed like all others (D1 5.1 step 1). */

export const emptyDropped: Mistake = {
  id: 'empty-dropped',
  readsEveryValue: true,
  fix: 'sign fields with an empty value as well, as name=',
  variants: ({ nullAs, fields }) => {
    const dropped = (subject: string, isEmpty: (value: JsonValue) => boolean): readonly Variant[] =>
      variantsIf(
        fields.some(({ value }) => isEmpty(value)),
        keepFields(`${subject} were left out`, ({ value }) => !isEmpty(value)),
      );
    const isEmptyText = (value: JsonValue): boolean => isText(value, '');
    const isNull = (value: JsonValue): boolean => nullAs !== 'omit' && value.kind === 'null';
    return [
      ...dropped('fields with an empty value', (value) => isEmptyText(value) || isNull(value)),
      ...dropped('fields that are null', isNull),
      ...dropped('fields that JavaScript treats as false', (value) =>
        [isEmptyText, isNull, isFalsy].some((test) => test(value)),
      ),
      ...dropped(
        'fields that PHP treats as empty',
        (value) =>
          [isEmptyText, isNull, isFalsy, isEmptyContainer].some((test) => test(value)) ||
          isText(value, '0'),
      ),
      ...rarely([
        ...dropped('fields that are empty text, but not null,', isEmptyText),
        ...dropped(
          'empty texts, lists and objects',
          (value) => isEmptyText(value) || isEmptyContainer(value),
        ),
        ...dropped('empty lists and objects', isEmptyContainer),
        ...dropped('fields that contain only white space', isBlank),
        ...dropped('fields that are zero', (value) => value.kind === 'number' && isFalsy(value)),
        ...dropped('fields that are false', (value) => value.kind === 'boolean' && !value.value),
      ]),
      ...droppedInside(fields),
    ];
  },
};

function isText(value: JsonValue, wanted: string): boolean {
  return value.kind === 'string' && value.value === wanted;
}

function isEmptyContainer(value: JsonValue): boolean {
  return (
    (value.kind === 'array' && value.items.length === 0) ||
    (value.kind === 'object' && value.members.length === 0)
  );
}

function isBlank(value: JsonValue): boolean {
  return value.kind === 'string' && value.value.trim() === '';
}

function isFalsy(value: JsonValue): boolean {
  return (
    (value.kind === 'number' && Number(value.text) === 0) ||
    (value.kind === 'boolean' && !value.value)
  );
}

/** Members that serializers omit from nested JSON, alone or together with such fields. */
const EMPTY_MEMBERS: readonly {
  readonly subject: string;
  readonly isEmpty: (value: JsonValue) => boolean;
}[] = [
  { subject: 'nulls', isEmpty: ({ kind }) => kind === 'null' },
  { subject: 'empty texts', isEmpty: (value) => isText(value, '') },
  {
    subject: 'nulls and empty texts',
    isEmpty: (value) => value.kind === 'null' || isText(value, ''),
  },
  {
    subject: 'nulls, empty texts, lists and objects',
    isEmpty: (value) => value.kind === 'null' || isText(value, '') || isEmptyContainer(value),
  },
  {
    subject: 'values that PHP treats as empty',
    isEmpty: (value) =>
      value.kind === 'null' ||
      isText(value, '') ||
      isText(value, '0') ||
      isEmptyContainer(value) ||
      isFalsy(value),
  },
];

function droppedInside(fields: readonly Field[]): readonly Variant[] {
  const seen = new Set([shapeOf(fields)]);
  return EMPTY_MEMBERS.flatMap(({ subject, isEmpty }) => {
    if (!fields.some(({ value }) => hasInside(value, isEmpty))) return [];
    const inside = (all: readonly Field[]): readonly Field[] =>
      all.map((field) => ({ ...field, value: withoutEmpty(field.value, isEmpty) }));
    const everywhere = (all: readonly Field[]): readonly Field[] =>
      inside(all).filter(({ value, source }) => source === 'header' || !isEmpty(value));
    const variants = [
      { title: `${subject} inside nested JSON were left out`, change: inside },
      {
        title: `${subject} were left out, inside nested JSON too`,
        change: everywhere,
      },
    ];
    return variants.flatMap(({ title, change }) => {
      const shape = shapeOf(change(fields));
      if (seen.has(shape)) return [];
      seen.add(shape);
      return [withFields(title, change)];
    });
  });
}

function shapeOf(fields: readonly Field[]): string {
  return fields.map(({ name, value }) => `${name}=${printJson(value)}`).join('\n');
}

function hasInside(value: JsonValue, isEmpty: (value: JsonValue) => boolean): boolean {
  if (value.kind === 'array') return value.items.some((item) => hasInside(item, isEmpty));
  if (value.kind !== 'object') return false;
  return value.members.some((member) => isEmpty(member.value) || hasInside(member.value, isEmpty));
}

/** Removes some members of objects at every level. Items of lists stay. */
function withoutEmpty(value: JsonValue, isEmpty: (value: JsonValue) => boolean): JsonValue {
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
