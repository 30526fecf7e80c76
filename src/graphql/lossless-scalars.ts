import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type ValueNode,
  type VariableNode,
  valueFromAST,
} from 'graphql';
import { list, text } from '../json/build.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import type { JsonValue } from '../json/value.ts';
import { isInput, schemaElements } from './schema-elements.ts';

/** The unchanged JSON of a scalar, in an argument or in a result. */
export class JsonLeaf {
  readonly json: JsonValue;

  constructor(json: JsonValue) {
    this.json = json;
  }
}

/** A scalar from the data; the class distinguishes it from a default of the schema. */
export class StoredValue extends JsonLeaf {}

/** Makes scalars accept and return a {@link JsonLeaf}: JavaScript numbers would lose digits. */
export function makeScalarsLossless(schema: GraphQLSchema): void {
  const types = schema.getTypeMap();
  const scalars = new Map<GraphQLType, GraphQLScalarType>();
  for (const type of Object.values(types).filter(isScalarType)) {
    scalars.set(type, losslessScalar(type));
  }
  const lossless = <T extends GraphQLType>(type: T): T => {
    if (isNonNullType(type)) return new GraphQLNonNull(lossless(type.ofType)) as GraphQLType as T;
    if (isListType(type)) return new GraphQLList(lossless(type.ofType)) as GraphQLType as T;
    return (scalars.get(type) ?? type) as T;
  };
  for (const element of schemaElements(schema).values()) {
    if ('type' in element) element.type = lossless(element.type);
    const literal = isInput(element) && element.astNode?.defaultValue;
    if (literal) element.defaultValue = valueFromAST(literal, element.type);
  }
  for (const scalar of scalars.values()) types[scalar.name] = scalar;
}

export function losslessInput(value: JsonValue): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'number':
      return new JsonLeaf(value);
    case 'array':
      return value.items.map(losslessInput);
    case 'object':
      return Object.fromEntries(
        value.members.map(({ name, value }) => [name, losslessInput(value)]),
      );
    default:
      return value.value;
  }
}

/** The JSON of an argument or of a part of a result of such a schema. */
export function toJson(value: unknown): JsonValue {
  if (value instanceof JsonLeaf) return value.json;
  if (Array.isArray(value)) return list(value.map(toJson));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, part]) => ({ name, value: toJson(part) }));
    return { kind: 'object', members };
  }
  return parseJson(JSON.stringify(value));
}

function losslessScalar(type: GraphQLScalarType): GraphQLScalarType {
  const input = (value: JsonValue, check: (plain: unknown) => unknown): unknown => {
    const json = validated(value, type, check);
    // Only numbers lose digits; directives require a plain boolean.
    return json.kind === 'boolean' || json.kind === 'string' ? json.value : new JsonLeaf(json);
  };
  return new GraphQLScalarType({
    name: type.name,
    serialize: (value) =>
      value instanceof StoredValue
        ? new JsonLeaf(validated(value.json, type, (plain) => type.serialize(plain)))
        : // A default, for a description of the schema.
          type.serialize(JSON.parse(printJson(toJson(value)))),
    parseValue: (value) => input(toJson(value), (plain) => type.parseValue(plain)),
    parseLiteral: (node, variables) =>
      input(
        literalJson(node, ({ name }) => toJson(variables?.[name.value] ?? null)),
        () => type.parseLiteral(node, variables),
      ),
  });
}

/** Validates a scalar by the coercion of graphql-js. Custom scalars accept any JSON. */
function validated(
  value: JsonValue,
  type: GraphQLScalarType,
  check: (plain: unknown) => unknown,
): JsonValue {
  if (!isSpecifiedScalarType(type)) return value;
  const isText = type.name === 'String' || type.name === 'ID';
  const result = check(JSON.parse(printJson(value)));
  if (isText && value.kind === 'number') return text(value.text);
  return typeof result === value.kind ? value : parseJson(JSON.stringify(result));
}

/** The JSON of a literal: numbers keep their digits, and an enum value is a string. */
export function literalJson(
  node: ValueNode,
  replace: (variable: VariableNode) => JsonValue,
): JsonValue {
  switch (node.kind) {
    case Kind.NULL:
      return { kind: 'null' };
    case Kind.INT:
    case Kind.FLOAT:
      return { kind: 'number', text: node.value };
    case Kind.BOOLEAN:
      return { kind: 'boolean', value: node.value };
    case Kind.VARIABLE:
      return replace(node);
    case Kind.LIST:
      return list(node.values.map((item) => literalJson(item, replace)));
    case Kind.OBJECT: {
      const members = node.fields.map(({ name, value }) => ({
        name: name.value,
        value: literalJson(value, replace),
      }));
      return { kind: 'object', members };
    }
    default:
      return text(node.value);
  }
}
