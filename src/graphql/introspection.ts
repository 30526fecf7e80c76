import {
  buildASTSchema,
  buildClientSchema,
  type ConstValueNode,
  DEFAULT_DEPRECATION_REASON,
  type DocumentNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionEnumValue,
  type IntrospectionField,
  type IntrospectionInputValue,
  type IntrospectionOptions,
  type IntrospectionQuery,
  type IntrospectionType,
  introspectionFromSchema,
  OperationTypeNode,
  parseConstValue,
  printSchema,
} from 'graphql';
import { MopError } from '../errors.ts';
import { object } from '../json/build.ts';
import { type JsonValue, member } from '../json/value.ts';
import { parseSdl } from './document.ts';
import type { GraphqlRequest } from './request.ts';
import { type GraphqlResponse, responseError } from './response.ts';
import { defaultText, isInput, schemaElements } from './schema-elements.ts';

/** Later features of introspection, and the words in the errors of servers without them. */
const FEATURES: readonly (readonly [keyof IntrospectionOptions, words: RegExp])[] = [
  ['oneOf', /isOneOf/],
  ['inputValueDeprecation', /includeDeprecated|isDeprecated|deprecationReason/],
  ['specifiedByUrl', /specifiedBy/i],
  ['directiveIsRepeatable', /isRepeatable/],
  ['schemaDescription', /description/],
];

const SWITCHED_OFF = 'the server may have disabled introspection: pass its schema as a file';

/**
 * Requests the schema of a server. Each further attempt omits the features that the server
 * rejected; the last one omits all optional features.
 */
export async function introspect(
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): Promise<JsonValue> {
  let features = FEATURES;
  for (;;) {
    const response = await send(introspectionRequest(features)).catch((error: unknown) =>
      refusalOf(features, error),
    );
    const { data, errors } = response;
    if (data && member(data, '__schema')?.kind === 'object' && errors.length === 0) return data;
    if (features.length === 0 || errors.length === 0) {
      throw responseError(response, 'introspection', SWITCHED_OFF);
    }
    const known = features.filter(
      ([, words]) => !errors.some(({ message }) => words.test(message)),
    );
    features = known.length < features.length ? known : [];
  }
}

/**
 * HTTP 400 and 422 as errors: gateways refuse an invalid query in many forms. The last is thrown.
 */
function refusalOf(features: typeof FEATURES, error: unknown): GraphqlResponse {
  const { httpStatus = 0, answer = '' } = error instanceof MopError ? error.details : {};
  const isRefusal = httpStatus === 400 || httpStatus === 422;
  if (!isRefusal || features.length === 0) throw error;
  const errors = [{ message: answer, path: undefined, locations: [] }];
  return { json: object({}), data: undefined, errors };
}

/** The request for a schema, by default with all current features. */
export function introspectionRequest(features = FEATURES): GraphqlRequest {
  const options = Object.fromEntries(features.map(([name]) => [name, true]));
  const query = getIntrospectionQuery(options);
  return { kind: 'query', query, operationName: 'IntrospectionQuery' };
}

/** A part of a schema that introspection never contains, or that older servers omit. */
export type Omission =
  | 'directives'
  | 'repeatable directives'
  | '@oneOf'
  | '@specifiedBy'
  | 'deprecated elements'
  | 'deprecated arguments';

/** The parts of a schema that an introspection does not contain: it lacks their keys. */
export function omissionsOf(introspection: IntrospectionQuery): Omission[] {
  const { types, directives } = introspection.__schema;
  const omissions: [Omission, boolean][] = [
    ['directives', true],
    ['repeatable directives', directives.some((each) => each.isRepeatable === undefined)],
    ['@oneOf', types.some((each) => each.kind === 'INPUT_OBJECT' && each.isOneOf === undefined)],
    [
      '@specifiedBy',
      types.some((each) => each.kind === 'SCALAR' && each.specifiedByURL === undefined),
    ],
    [
      'deprecated elements',
      types.some((each) =>
        [...outputValues(each)].some(({ isDeprecated }) => isDeprecated === undefined),
      ),
    ],
    [
      'deprecated arguments',
      [...inputValues(introspection)].some(([, each]) => each.isDeprecated === undefined),
    ],
  ];
  return omissions.flatMap(([omission, isOmitted]) => (isOmitted ? [omission] : []));
}

/**
 * The document of an introspected schema. Defaults keep their text: graphql-js would lose digits.
 */
export function introspectedDocument(
  introspection: IntrospectionQuery,
  name: string,
): DocumentNode {
  const defaults = new Map<string, string>();
  for (const [element, value] of inputValues(introspection)) {
    if (value.defaultValue != null) defaults.set(element, value.defaultValue);
    Object.assign(value, { defaultValue: null });
  }
  for (const element of deprecatedWithoutReason(introspection)) {
    Object.assign(element, { deprecationReason: DEFAULT_DEPRECATION_REASON });
  }
  const schema = buildClientSchema(introspection, { assumeValid: true });
  const document = parseSdl(rootTypes(introspection) + printSchema(schema), name);
  // The elements of a schema have names, and refer to the nodes of the document.
  const built = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
  for (const [element, { astNode }] of schemaElements(built)) {
    const text = defaults.get(element);
    if (text !== undefined)
      Object.assign(astNode ?? {}, { defaultValue: readDefault(text, element) });
  }
  return document;
}

/** The root types, if `printSchema` omits them although an ordinary type has the name of one. */
function rootTypes({ __schema: schema }: IntrospectionQuery): string {
  const names = Object.values(OperationTypeNode).map((kind) => {
    const root = schema[`${kind}Type`]?.name;
    const usual = kind.replace(/^./, (first) => first.toUpperCase());
    return { kind, root, usual };
  });
  const isUsual = names.every(({ root, usual }) => root === undefined || root === usual);
  const isMisleading = names.some(
    ({ root, usual }) => root === undefined && schema.types.some((type) => type.name === usual),
  );
  // printSchema also defines the root types to describe the schema.
  if (!isUsual || !isMisleading || schema.description) return '';
  return `schema { ${names.map(({ kind, root }) => (root ? `${kind}: ${root}` : '')).join(' ')} }\n`;
}

function readDefault(text: string, element: string): ConstValueNode {
  try {
    return parseConstValue(text);
  } catch (error) {
    throw new Error(`the default of ${element} is not a value of GraphQL: ${text}`, {
      cause: error,
    });
  }
}

/** The introspection of a schema, whose defaults are removed. Its own keep their text. */
export function schemaIntrospection(schema: GraphQLSchema): IntrospectionQuery {
  if (!schema.getQueryType()) {
    throw new MopError('usage', 'the schema has no query type, and so no introspection', {
      hint: 'print it with --as sdl',
    });
  }
  const elements = schemaElements(schema);
  // graphql-js fails to print some values and rounds others.
  for (const element of elements.values()) if (isInput(element)) element.defaultValue = undefined;
  const introspection = introspectionFromSchema(schema, {
    experimentalDirectiveDeprecation: false,
  });
  for (const [name, value] of inputValues(introspection)) {
    const element = elements.get(name);
    const text = element && isInput(element) ? defaultText(element) : undefined;
    if (text !== undefined) Object.assign(value, { defaultValue: text });
  }
  const deprecated = introspection.__schema.directives.find(({ name }) => name === 'deprecated');
  // A location of a later draft, which graphql-js prints and many parsers reject.
  const locations = deprecated?.locations.filter((each) => each !== 'DIRECTIVE_DEFINITION');
  Object.assign(deprecated ?? {}, { locations });
  return introspection;
}

/** graphql-js would take these elements for not deprecated. */
function deprecatedWithoutReason(introspection: IntrospectionQuery) {
  const elements = [
    ...introspection.__schema.types.flatMap((type) => [...outputValues(type)]),
    ...[...inputValues(introspection)].map(([, value]) => value),
  ];
  return elements.filter(
    ({ isDeprecated, deprecationReason }) => isDeprecated && deprecationReason == null,
  );
}

function* outputValues(
  type: IntrospectionType,
): Generator<IntrospectionField | IntrospectionEnumValue> {
  if (type.kind === 'OBJECT' || type.kind === 'INTERFACE') yield* listIn(type.fields);
  if (type.kind === 'ENUM') yield* listIn(type.enumValues);
}

/** The input values of an introspection, by the names of {@link schemaElements}. */
function* inputValues({
  __schema: { types, directives },
}: IntrospectionQuery): Generator<[name: string, value: IntrospectionInputValue]> {
  for (const type of types) {
    if (type.kind === 'INPUT_OBJECT') {
      for (const field of listIn(type.inputFields)) yield [`${type.name}.${field.name}`, field];
    } else if (type.kind === 'OBJECT' || type.kind === 'INTERFACE') {
      for (const { name, args } of listIn(type.fields)) {
        for (const value of listIn(args)) yield [`${type.name}.${name}(${value.name}:)`, value];
      }
    }
  }
  for (const { name, args } of directives) {
    for (const value of listIn(args)) yield [`@${name}(${value.name}:)`, value];
  }
}

/** A list that the text may lack: then `buildClientSchema` reports it. */
function listIn<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? [];
}
