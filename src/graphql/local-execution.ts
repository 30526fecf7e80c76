import {
  type DocumentNode,
  execute,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type OperationDefinitionNode,
} from 'graphql';
import { MopError } from '../errors.ts';
import { list, object, withMember } from '../json/build.ts';
import { type JsonObject, type JsonValue, member } from '../json/value.ts';
import {
  JsonLeaf,
  losslessInput,
  makeScalarsLossless,
  StoredValue,
  toJson,
} from './lossless-scalars.ts';
import { asResponse, type GraphqlResponse } from './response.ts';

export interface LocalExecution {
  readonly schema: GraphQLSchema;
  /** Valid against the schema. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Coercible to the types that the operation declares. */
  readonly variables: JsonObject;
  /** The fields of the root types by their names. */
  readonly data: JsonObject;
}

/**
 * Executes an operation against JSON data (D3 section 4). Arguments select objects by the scalar
 * field of the same name. `__typename` names the type of an interface or a union. A mutation
 * changes nothing: it returns the data of its name, with its arguments in fields of matching types.
 */
export async function executeLocally(local: LocalExecution): Promise<GraphqlResponse> {
  const { schema, document, operation, variables, data } = local;
  if (operation.operation === 'subscription') {
    throw new MopError('usage', 'a file has no events to subscribe to', {
      hint: 'run a query or a mutation; mop gql subscribes at a server',
    });
  }
  makeScalarsLossless(schema);
  const result = await execute({
    schema,
    document,
    rootValue: data,
    variableValues: losslessInput(variables) as Record<string, unknown>,
    ...jsonResolvers(operation.operation),
    ...(operation.name && { operationName: operation.name.value }),
  });
  const errors = result.errors?.map((error) => error.toJSON());
  const json = toJson({ ...(errors && { errors }), data: result.data });
  return asResponse(json) ?? { json, data: undefined, errors: [] };
}

type Arguments = Readonly<Record<string, unknown>>;

function jsonResolvers(operation: 'query' | 'mutation'): {
  readonly fieldResolver: GraphQLFieldResolver<JsonValue, unknown>;
  readonly typeResolver: GraphQLTypeResolver<JsonValue, unknown>;
} {
  return {
    fieldResolver: (source, given: Arguments, _, info) => {
      const stored = member(source, info.fieldName);
      const isRoot = info.path.prev === undefined;
      const value =
        operation === 'mutation' && isRoot
          ? answered(stored, given, info)
          : selected(stored, given, info.returnType);
      return completed(value, info.returnType, info);
    },
    typeResolver: typeName,
  };
}

/** The data that matches the arguments: every match for a list, otherwise the first one. */
function selected(
  stored: JsonValue | undefined,
  given: Arguments,
  type: GraphQLOutputType,
): JsonValue | undefined {
  if (!stored || !isCompositeType(getNamedType(type))) return stored;
  const filters = Object.entries(given).filter(
    ([name, value]) => value !== null && !isInputObject(value) && hasLeaf(type, name),
  );
  const matches = (item: JsonValue): boolean =>
    filters.every(([name, expected]) => matchesValue(member(item, name), toJson(expected)));
  const isList = isListType(getNullableType(type));
  if (stored.kind === 'array') {
    const items = stored.items.filter(matches);
    return isList ? list(items) : items[0];
  }
  return matches(stored) ? stored : undefined;
}

/** Whether a type, or one of a union, has a field of this name with a scalar or an enum. */
function hasLeaf(type: GraphQLOutputType, name: string): boolean {
  const named = getNamedType(type);
  const types = isUnionType(named) ? named.getTypes() : [named];
  return types.some((each) => isLeafType(getNamedType(fieldType(each, name))));
}

/** The type of a value, or the abstract type if the value does not name its own. */
function concreteType(
  value: JsonValue,
  type: GraphQLCompositeType,
  schema: GraphQLSchema,
): GraphQLNamedType | undefined {
  return schema.getType(concreteName(value, type, schema) ?? type.name);
}

function fieldType(
  type: GraphQLNamedType | undefined,
  name: string,
): GraphQLOutputType | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name]?.type : undefined;
}

/** Whether a value equals the expected one, or any item of one list equals any of the other. */
function matchesValue(value: JsonValue | undefined, expected: JsonValue): boolean {
  if (expected.kind === 'array') return expected.items.some((each) => matchesValue(value, each));
  if (value?.kind === 'array') return value.items.some((item) => matchesValue(item, expected));
  switch (value?.kind) {
    case 'string':
    case 'boolean':
      return expected.kind === value.kind && expected.value === value.value;
    case 'number':
      // An ID is a string, but may be a number in the data.
      return expected.kind === 'string'
        ? expected.value === value.text
        : expected.kind === 'number' && isSameNumber(expected.text, value.text);
    default:
      return false;
  }
}

/** Whether two numbers have the same value; large numbers must also have the same text. */
function isSameNumber(one: string, other: string): boolean {
  const value = Number(one);
  return one === other || (value === Number(other) && Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

function isInputObject(value: unknown): boolean {
  return toJson(value).kind === 'object' && !(value instanceof JsonLeaf);
}

/** The answer to a mutation: the data of its name, overlaid with the arguments. */
function answered(
  stored: JsonValue | undefined,
  given: Arguments,
  { returnType: type, schema }: GraphQLResolveInfo,
): JsonValue | undefined {
  const named = getNamedType(type);
  if (!isCompositeType(named)) {
    return stored ?? (named.name === 'Boolean' ? { kind: 'boolean', value: true } : undefined);
  }
  if (stored?.kind === 'array') return selected(stored, given, type);
  // The members of an input object are arguments too, unless the object is itself a field.
  const concrete = concreteType(stored ?? object({}), named, schema);
  const inputs = Object.entries(given).flatMap(([name, value]) =>
    isInputObject(value) && !fieldType(concrete, name) ? (value as Arguments) : [],
  );
  const answer = overlaid(stored, toJson(Object.assign({}, given, ...inputs)), named, schema);
  return isListType(getNullableType(type)) ? list([answer ?? object({})]) : answer;
}

/** Replaces fields of a stored value by given ones; omits those of incompatible types. */
function overlaid(
  stored: JsonValue | undefined,
  given: JsonValue,
  type: GraphQLOutputType,
  schema: GraphQLSchema,
): JsonValue | undefined {
  if (given.kind === 'null') return isNonNullType(type) ? undefined : given;
  const expected = getNullableType(type);
  if (isListType(expected)) {
    if (given.kind !== 'array') return undefined;
    const items = given.items.map((item) => overlaid(undefined, item, expected.ofType, schema));
    return items.every((item) => item !== undefined) ? list(items) : undefined;
  }
  if (!isCompositeType(expected)) return accepts(expected, given) ? given : undefined;
  if (given.kind !== 'object') return undefined;
  const base = stored?.kind === 'object' ? stored : object({});
  const concrete = concreteType(base, expected, schema);
  return given.members.reduce((answer, { name, value }) => {
    const field = fieldType(concrete, name);
    const laid = field && overlaid(member(answer, name), value, field, schema);
    return laid ? withMember(answer, name, laid) : answer;
  }, base);
}

function accepts(type: GraphQLLeafType, value: JsonValue): boolean {
  if (isEnumType(type)) return value.kind === 'string' && type.getValue(value.value) != null;
  try {
    type.serialize(new StoredValue(value));
    return true;
  } catch {
    return false;
  }
}

/** A value in the form that graphql-js expects: lists as arrays, other values as JSON. */
function completed(
  value: JsonValue | undefined,
  type: GraphQLOutputType,
  info: GraphQLResolveInfo,
): unknown {
  const expected = getNullableType(type);
  if (!value || value.kind === 'null') return null;
  const misfit = (subject: string): GraphQLError =>
    new GraphQLError(
      `${info.parentType.name}.${info.fieldName} is ${subject} in the schema, but not in the data.`,
    );
  if (isListType(expected)) {
    if (value.kind !== 'array') throw misfit('a list');
    return value.items.map((item) => completed(item, expected.ofType, info));
  }
  if (isEnumType(expected)) {
    if (value.kind !== 'string') throw misfit('an enum');
    return value.value;
  }
  if (!isCompositeType(expected)) return new StoredValue(value);
  if (value.kind !== 'object') throw misfit('an object');
  return value;
}

function typeName(
  value: JsonValue,
  _: unknown,
  { schema }: GraphQLResolveInfo,
  abstract: GraphQLAbstractType,
): string {
  const name = concreteName(value, abstract, schema);
  if (name !== undefined) return name;
  throw new GraphQLError(
    `An object in the data needs "__typename": ${abstract.name} has several types.`,
  );
}

/** Undefined if several types are possible and `__typename` is missing. */
function concreteName(
  value: JsonValue,
  type: GraphQLCompositeType,
  schema: GraphQLSchema,
): string | undefined {
  if (isObjectType(type)) return type.name;
  const name = member(value, '__typename');
  if (name?.kind === 'string') return name.value;
  const [only, ...others] = schema.getPossibleTypes(type);
  return others.length === 0 ? only?.name : undefined;
}
