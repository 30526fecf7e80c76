import type { JsonValue } from '../../../json/value.ts';
import type { Field } from '../../received-request.ts';
import { mistake, RARE, USUAL } from '../mistake.ts';
import { table, tableOf } from '../steps.ts';

/** Fields with an empty value, which are signed like all others (D1 5.1 step 1). */

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

const dropped =
  (isEmpty: Test) =>
  (fields: readonly Field[]): readonly Field[] =>
    fields.filter(({ value, source }) => source === 'header' || !isEmpty(value));

const droppedInside =
  (isEmpty: Test) =>
  (fields: readonly Field[]): readonly Field[] =>
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
  tableOf(
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
