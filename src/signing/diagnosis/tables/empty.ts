import type { JsonValue } from '../../../json/value.ts';
import type { Field } from '../../received-request.ts';
import { RARE, USUAL } from '../mistake.ts';
import { type Row, table } from '../steps.ts';

/** Fields with an empty value, which are signed like all others (D1 5.1 step 1). */

type Test = (value: JsonValue) => boolean;

const isNull: Test = ({ kind }) => kind === 'null';
const isEmptyText: Test = (value) => value.kind === 'string' && value.value === '';
const isBlank: Test = (value) => value.kind === 'string' && value.value.trim() === '';
const isZero: Test = (value) => value.kind === 'number' && Number(value.text) === 0;
const isZeroText: Test = (value) => value.kind === 'string' && value.value === '0';
const isFalse: Test = (value) => value.kind === 'boolean' && !value.value;
const isEmptyList: Test = (value) => value.kind === 'array' && value.items.length === 0;
const isEmptyContainer: Test = (value) =>
  isEmptyList(value) || (value.kind === 'object' && value.members.length === 0);

function any(...tests: readonly Test[]): Test {
  return (value) => tests.some((test) => test(value));
}

const isEmptyOrNull = any(isNull, isEmptyText);
const isFalsy = any(isEmptyOrNull, isZero, isFalse);
const isPhpEmpty = any(isFalsy, isEmptyContainer, isZeroText);

/** Fields that a signer leaves out. */
const EMPTY_FIELDS: readonly (readonly [subject: string, cost: number, isEmpty: Test])[] = [
  ['fields with an empty value', USUAL, isEmptyOrNull],
  ['fields that are null', USUAL, isNull],
  ['fields that JavaScript treats as false', USUAL, isFalsy],
  ['fields that Go omits as empty (omitempty)', USUAL, any(isFalsy, isEmptyContainer)],
  ['fields that PHP treats as empty', USUAL, isPhpEmpty],
  ['fields that are empty text, but not null,', RARE, isEmptyText],
  ['empty texts, lists and objects', RARE, any(isEmptyText, isEmptyContainer)],
  ['empty lists and objects', RARE, isEmptyContainer],
  ['fields that contain only white space', RARE, isBlank],
  ['fields that are zero', RARE, isZero],
  ['fields that are false', RARE, isFalse],
];

/** Members that a serializer leaves out of nested JSON. */
const EMPTY_MEMBERS: readonly (readonly [subject: string, isEmpty: Test])[] = [
  ['nulls', isNull],
  ['empty texts', isEmptyText],
  ['nulls and empty texts', isEmptyOrNull],
  ['nulls, empty texts, lists and objects', any(isEmptyOrNull, isEmptyContainer)],
  ['values that Go omits as empty', any(isFalsy, isEmptyContainer)],
  ['values that PHP treats as empty', isPhpEmpty],
];

export const EMPTY_DROPPED = table('empty-dropped', 'fields', '', [
  ...EMPTY_FIELDS.map(
    ([subject, cost, isEmpty]): Row<'fields'> => [
      `${subject} were left out`,
      cost,
      (fields) => kept(fields, isEmpty),
    ],
  ),
  ...EMPTY_MEMBERS.flatMap(([subject, isEmpty]): readonly Row<'fields'>[] => [
    [`${subject} inside nested JSON were left out`, USUAL, (fields) => inside(fields, isEmpty)],
    [
      `${subject} were left out, inside nested JSON too`,
      USUAL,
      (fields) => kept(inside(fields, isEmpty), isEmpty),
    ],
  ]),
]);

function kept(fields: readonly Field[], isEmpty: Test): readonly Field[] {
  return fields.filter(({ value, source }) => source === 'header' || !isEmpty(value));
}

function inside(fields: readonly Field[], isEmpty: Test): readonly Field[] {
  return fields.map((field) => ({ ...field, value: withoutEmpty(field.value, isEmpty) }));
}

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
