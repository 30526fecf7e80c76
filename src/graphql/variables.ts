import {
  GraphQLID,
  type GraphQLInputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  getVariableValues,
  introspectionTypes,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  parseValue,
  print,
  specifiedScalarTypes,
  typeFromAST,
  type ValueNode,
} from 'graphql';
import { listed, MopError, quoted } from '../errors.ts';
import { list, object, text, withMember } from '../json/build.ts';
import { jsonValue } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { type JsonObject, type JsonValue, member, repeatedName } from '../json/value.ts';
import { withOthers } from './document.ts';
import { literalJson } from './lossless-scalars.ts';
import type { Upload } from './upload.ts';
import { assignAt, type Leaf, stepsOf, typeAfter } from './variable-path.ts';

export interface GivenValue {
  /** The variable, or a part of it: `k`, `k[]`, `k[field]`. */
  readonly key: string;
  readonly text: string;
  /**
   * `literal` is JSON, or a list or an object of GraphQL. `string` stays text, except for an Int,
   * Float or Boolean. `file` is like a string, and JSON for a list, an input object or a custom
   * scalar.
   */
  readonly origin: 'literal' | 'string' | 'file';
}

export interface GivenUpload extends Omit<Upload, 'path'> {
  readonly key: string;
}

export interface VariablesInput {
  /** The other values are merged into it, in their order. */
  readonly json?: JsonObject | undefined;
  readonly given?: readonly (GivenValue | GivenUpload)[] | undefined;
}

export interface Variables {
  /** Null in the place of each file. */
  readonly json: JsonObject;
  readonly uploads: readonly Upload[];
}

/**
 * The variables of an operation (D3 section 4), each value converted to its declared type. Without
 * a schema, enums, input objects and custom scalars are not checked.
 */
export function readVariables(
  operation: OperationDefinitionNode,
  { json, given = [] }: VariablesInput,
  schema?: GraphQLSchema,
): Variables {
  const known = schema ?? schemaOfTypes(operation);
  const types = declaredTypes(operation, known);
  assertCompatible(given.map(({ key }) => key));
  const build = (place: (path: readonly string[], upload: GivenUpload) => JsonValue): JsonObject =>
    given.reduce((variables, each) => {
      const [name = '', ...steps] = stepsOf(each.key);
      const leaf: Leaf = (type, path) =>
        'file' in each ? place(path, each) : coerced(each.text, each.origin, type);
      const value = assignAt(member(variables, name), steps, types.get(name), leaf, [name]);
      return withMember(variables, name, value);
    }, json ?? object({}));
  // The upload is not read here: for validation, the file name represents its content.
  const checked = build((_, { file }) => text(file));
  const twice = repeatedName(checked);
  if (twice !== undefined) {
    throw new MopError('usage', `${JSON.stringify(twice)} occurs twice in a value`, {
      hint: 'give each field of an input object once',
    });
  }
  assertDeclared(checked, operation);
  assertCoercible(operation, known, checked);
  const placed: Upload[] = [];
  const variables = build((path, { key: _, ...upload }) => {
    placed.push({ path: ['variables', ...path].join('.'), ...upload });
    return { kind: 'null' };
  });
  return { json: variables, uploads: placed };
}

/** The key for a file if the type takes one: `Upload`, or `File` in the schema. */
export function uploadKey(
  operation: OperationDefinitionNode,
  key: string,
  schema: GraphQLSchema | undefined,
): string | undefined {
  const [name = '', ...steps] = stepsOf(key);
  const declared = declaredTypes(operation, schema ?? schemaOfTypes(operation)).get(name);
  const type = steps.reduce(typeAfter, declared);
  const named = getNamedType(type);
  const names = schema ? ['Upload', 'File'] : ['Upload'];
  if (!type || !isScalarType(named) || !names.includes(named.name)) return undefined;
  return isListType(getNullableType(type)) ? `${key}[]` : key;
}

/** A schema of the variables' types; custom types accept any value. */
function schemaOfTypes({ variableDefinitions = [] }: OperationDefinitionNode): GraphQLSchema {
  const builtIn = [...specifiedScalarTypes, ...introspectionTypes].map(({ name }) => name);
  const names = new Set(variableDefinitions.map(({ type }) => print(type).replace(/[[\]!]/g, '')));
  const others = [...names].filter((name) => !builtIn.includes(name));
  const types = others.map((name) => new GraphQLScalarType({ name }));
  return new GraphQLSchema({ types: [...specifiedScalarTypes, ...types], assumeValid: true });
}

function declaredTypes(
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
): ReadonlyMap<string, GraphQLInputType | undefined> {
  return new Map(
    variableDefinitions.map(({ variable, type }) => [
      variable.name.value,
      typeFromAST(schema, type) as GraphQLInputType | undefined,
    ]),
  );
}

/** The JSON of a text for a declared type; validated later. */
function coerced(
  given: string,
  origin: GivenValue['origin'],
  type: GraphQLInputType | undefined,
): JsonValue {
  const asText = text(given);
  const wanted = type && getNullableType(type);
  const isText = wanted === GraphQLString || wanted === GraphQLID;
  const isGraphql = origin === 'literal' && !isText;
  const json =
    jsonValue(given) ??
    (isGraphql ? containerLiteral(given, isListType(wanted)) : undefined) ??
    asText;
  const literal = origin === 'literal' ? json : asText;
  if (literal.kind === 'null' && !(isText && isNonNullType(type))) return literal;
  if (wanted && isListType(wanted)) {
    const isList = json.kind === 'array' && origin !== 'string';
    return isList ? json : list([coerced(given, origin, wanted.ofType)]);
  }
  if (isText) return literal.kind === 'string' ? literal : asText;
  // The content of a file often ends with a line end, which is not part of an enum value.
  if (isEnumType(wanted)) return literal.kind === 'string' ? text(literal.value.trim()) : asText;
  if (isScalarType(wanted) && isSpecifiedScalarType(wanted)) {
    return json.kind === 'null' ? asText : json;
  }
  // For input objects and custom scalars, a file may contain a JSON object or list.
  const isContainer = json.kind === 'object' || json.kind === 'array';
  return origin === 'file' && isContainer ? json : literal;
}

function assertCompatible(keys: readonly string[]): void {
  const given = keys.map((key) => ({ key, steps: stepsOf(key) }));
  for (const [at, { key, steps }] of given.entries()) {
    // `k[]` may be repeated. Its conflict with `k` is found at `k`.
    if (steps.at(-1) === '') continue;
    const other = given.find(
      (other, otherAt) =>
        otherAt !== at && steps.every((step, depth) => step === other.steps[depth]),
    );
    // Given twice, `k[][a]` is a field of two items.
    if (!other || (steps.includes('') && other.key === key)) continue;
    if (other.key === key) {
      throw new MopError('usage', `${key} is given twice`, {
        hint: quoted`give it once; for the items of a list write ${`${steps[0]}[]=ITEM`}`,
      });
    }
    throw new MopError('usage', `${other.key} is a part of ${key}, which is also given`, {
      hint: quoted`leave out ${key} or its parts`,
    });
  }
}

function assertDeclared({ members }: JsonObject, operation: OperationDefinitionNode): void {
  const { variableDefinitions = [] } = operation;
  const declared = variableDefinitions.map(({ variable }) => variable.name.value);
  const unknown = members.find(({ name }) => !declared.includes(name));
  if (!unknown) return;
  const all = variableDefinitions.map((definition) => print(definition));
  throw new MopError('usage', `the operation declares no variable $${unknown.name}`, {
    hint: quoted`leave it out, or add it to the variables of the operation: (${listed(all)})`,
  });
}

function assertCoercible(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  variables: JsonObject,
): void {
  const { variableDefinitions = [] } = operation;
  const inputs = JSON.parse(printJson(variables)) as Record<string, unknown>;
  const { errors = [] } = getVariableValues(schema, variableDefinitions, inputs);
  const [first, ...others] = errors;
  if (!first) return;
  const fault = new MopError('usage', first.message, { cause: first });
  throw withOthers(fault, others, VALUES_HINT);
}

const VALUES_HINT =
  'give values with -F NAME=VALUE, items of a list with -F NAME[]=ITEM, fields with -F NAME[FIELD]=VALUE';

/** A list or an input object in GraphQL syntax as JSON; undefined for any other text. */
function containerLiteral(given: string, isList: boolean): JsonValue | undefined {
  if (!/^\s*[[{]/.test(given)) return undefined;
  let node: ValueNode;
  try {
    node = parseValue(given);
  } catch (error) {
    // A list of characters such as [a-z] may be a text.
    if (!isList && !/^\s*\{/.test(given)) return undefined;
    const [reason] = String((error as Error).message).split('\n');
    throw new MopError('usage', `${given} is neither JSON nor a value of GraphQL: ${reason}`, {
      hint: 'correct it, or give it as a text with -f',
    });
  }
  return literalJson(node, ({ name }) => {
    throw new MopError('usage', `the value ${given} contains the variable $${name.value}`, {
      hint: quoted`write the value of ${`$${name.value}`} in its place, or give a text with -f`,
    });
  });
}
