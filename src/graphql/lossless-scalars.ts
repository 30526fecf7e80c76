import {
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { type JsonValue, parseJson, printJson } from '../signing/json.ts';

/** A leaf of a result. */
export class JsonLeaf {
  readonly json: JsonValue;

  constructor(json: JsonValue) {
    this.json = json;
  }
}

/**
 * Makes a schema give leaves of JSON as they stand: the built-in scalars would turn numbers into
 * those of JavaScript, which have no digits of their own.
 */
export function withLosslessScalars(schema: GraphQLSchema): GraphQLSchema {
  const made = new Map<GraphQLScalarType, GraphQLScalarType>();
  const lossless = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(lossless(type.ofType) as never);
    if (isListType(type)) return new GraphQLList(lossless(type.ofType));
    if (!isScalarType(type)) return type;
    const scalar = made.get(type) ?? losslessScalar(type);
    made.set(type, scalar);
    return scalar;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    const isOwn = !type.name.startsWith('__');
    if (!isOwn || !(isObjectType(type) || isInterfaceType(type))) continue;
    for (const field of Object.values(type.getFields())) field.type = lossless(field.type);
  }
  return schema;
}

function losslessScalar(type: GraphQLScalarType): GraphQLScalarType {
  return new GraphQLScalarType({
    name: type.name,
    serialize: (value) => new JsonLeaf(serialized(value as JsonValue, type)),
  });
}

function serialized(value: JsonValue, type: GraphQLScalarType): JsonValue {
  if (!isSpecifiedScalarType(type)) return value;
  const isText = type.name === 'String' || type.name === 'ID';
  if (isText && value.kind === 'number') return { kind: 'string', value: value.text };
  // Throws for a value that is none of the type.
  const result = type.serialize(JSON.parse(printJson(value)));
  return typeof result === value.kind ? value : parseJson(JSON.stringify(result));
}
