import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLTypeResolver,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { list, object, withMember } from '../json/build.ts';
import { type JsonValue, member } from '../json/value.ts';
import { JsonLeaf, StoredValue, toJson } from './lossless-scalars.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** How an execution finds its way through data of JSON. */
export function jsonResolvers(operation: 'query' | 'mutation'): {
  readonly fieldResolver: GraphQLFieldResolver<JsonValue, unknown>;
  readonly typeResolver: GraphQLTypeResolver<JsonValue, unknown>;
} {
  return {
    fieldResolver: (source, given: Arguments, _, info) => {
      const stored = member(source, info.fieldName);
      const isRoot = info.path.prev === undefined;
      const value =
        operation === 'mutation' && isRoot
          ? answered(stored, given, info.returnType)
          : selected(stored, given, info.returnType);
      return completed(value, info.returnType, info);
    },
    typeResolver: typeName,
  };
}

/** What of the data the arguments select: of a list every item, of anything else the first. */
function selected(
  stored: JsonValue | undefined,
  given: Arguments,
  type: GraphQLOutputType,
): JsonValue | undefined {
  if (!stored || !isCompositeType(getNamedType(type))) return stored;
  const filters = Object.entries(given).filter(
    ([name, value]) => value !== null && !isInputObject(value) && hasField(type, name),
  );
  const matches = (item: JsonValue): boolean =>
    filters.every(([name, wanted]) => isAmong(member(item, name), toJson(wanted)));
  const isList = isListType(getNullableType(type));
  if (stored.kind === 'array') {
    const items = stored.items.filter(matches);
    return isList ? list(items) : items[0];
  }
  return matches(stored) ? stored : undefined;
}

function hasField(type: GraphQLOutputType, name: string): boolean {
  const named = getNamedType(type);
  const types = isUnionType(named) ? named.getTypes() : [named];
  return types.some(
    (type) => (isObjectType(type) || isInterfaceType(type)) && name in type.getFields(),
  );
}

/** Whether a value is the wanted one; of lists, whether they have one in common. */
function isAmong(value: JsonValue | undefined, wanted: JsonValue): boolean {
  if (wanted.kind === 'array') return wanted.items.some((each) => isAmong(value, each));
  if (value?.kind === 'array') return value.items.some((item) => isAmong(item, wanted));
  switch (value?.kind) {
    case 'string':
    case 'boolean':
      return wanted.kind === value.kind && wanted.value === value.value;
    case 'number':
      // An ID is text, and may be a number in the data.
      return wanted.kind === 'string'
        ? wanted.value === value.text
        : wanted.kind === 'number' && isSameNumber(wanted.text, value.text);
    default:
      return false;
  }
}

/** Whether two numbers are equal, however they are written; large ones only to the letter. */
function isSameNumber(one: string, other: string): boolean {
  const value = Number(one);
  return one === other || (value === Number(other) && Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

function isInputObject(value: unknown): boolean {
  return toJson(value).kind === 'object' && !(value instanceof JsonLeaf);
}

/** What a mutation answers: the data of its name, and on top of it what it was given. */
function answered(
  stored: JsonValue | undefined,
  given: Arguments,
  type: GraphQLOutputType,
): JsonValue | undefined {
  const named = getNamedType(type);
  if (!isCompositeType(named)) {
    return stored ?? (named.name === 'Boolean' ? { kind: 'boolean', value: true } : undefined);
  }
  if (stored?.kind === 'array') return selected(stored, given, type);
  const inputs = Object.values(given).filter(isInputObject) as Arguments[];
  const fields = Object.entries(Object.assign({}, given, ...inputs) as Arguments);
  const base = stored?.kind === 'object' ? stored : object({});
  const answer = fields.reduce(
    (object, [name, value]) => withMember(object, name, toJson(value)),
    base,
  );
  return isListType(getNullableType(type)) ? list([answer]) : answer;
}

/** A value as the execution wants it for a type: lists as arrays, the rest as JSON. */
function completed(
  value: JsonValue | undefined,
  type: GraphQLOutputType,
  info: GraphQLResolveInfo,
): unknown {
  const wanted = getNullableType(type);
  if (!value || value.kind === 'null') return null;
  const misfit = (what: string): GraphQLError =>
    new GraphQLError(
      `${info.parentType.name}.${info.fieldName} is ${what} by the schema, and not in the data.`,
    );
  if (isListType(wanted)) {
    if (value.kind !== 'array') throw misfit('a list');
    return value.items.map((item) => completed(item, wanted.ofType, info));
  }
  if (isEnumType(wanted)) {
    if (value.kind !== 'string') throw misfit('an enum');
    return value.value;
  }
  if (!isCompositeType(wanted)) return new StoredValue(value);
  if (value.kind !== 'object') throw misfit('an object');
  return value;
}

function typeName(
  value: JsonValue,
  _: unknown,
  { schema }: GraphQLResolveInfo,
  abstract: GraphQLAbstractType,
): string {
  const name = member(value, '__typename');
  if (name?.kind === 'string') return name.value;
  const [only, ...others] = schema.getPossibleTypes(abstract);
  if (only && others.length === 0) return only.name;
  throw new GraphQLError(
    `An object of the data needs "__typename" to say which ${abstract.name} it is.`,
  );
}
