import {
  buildASTSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type IntrospectionQuery,
  isExecutableDefinitionNode,
  validateSchema,
} from 'graphql';
// The index exports no function that returns the errors with their places.
import { validateSDL } from 'graphql/validation/validate.js';
import { MopError } from '../errors.ts';
import { assertNone, asUsage } from './document.ts';
import { introspectionSdl } from './introspection-sdl.ts';
import { parseSdl } from './sdl.ts';

export interface SchemaOptions {
  /** The name in messages, such as the file. */
  readonly name: string;
  /** Accepts an invalid schema that can be built. */
  readonly assumeValid?: boolean | undefined;
}

/** A schema and its source document. */
export interface LoadedSchema {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

/**
 * Reads a schema: SDL (D3 section 2), or the JSON of an introspection with or without `data` around
 * it.
 *
 * @throws {MopError} `usage` for an invalid schema, with the place of the fault if known.
 */
export function readSchema(text: string, options: SchemaOptions): LoadedSchema {
  const plain = text.replace(/^\uFEFF/, '');
  return /^\s*\{/.test(plain) ? readIntrospection(plain, options) : readSdl(plain, options);
}

function readSdl(text: string, { name, assumeValid = false }: SchemaOptions): LoadedSchema {
  try {
    const document = parseSdl(text, name);
    const nodes = document.definitions.filter(isExecutableDefinitionNode);
    if (nodes.length > 0) {
      throw new GraphQLError('a schema contains neither operations nor fragments', { nodes });
    }
    if (!assumeValid) assertNoErrors(validateSDL(document), name);
    const schema = buildASTSchema(document, { assumeValidSDL: true, assumeValid });
    if (!assumeValid) assertNoErrors(validateSchema(schema), name);
    return { schema, document };
  } catch (error) {
    throw invalidSchemaError(asUsage(error, name), name);
  }
}

function readIntrospection(text: string, options: SchemaOptions): LoadedSchema {
  const { name } = options;
  try {
    const json = JSON.parse(text) as { data?: IntrospectionQuery } & IntrospectionQuery;
    const introspection = json.data ?? json;
    if (!introspection.__schema?.types) throw new Error('it has no "__schema" with types');
    return readSdl(introspectionSdl(introspection), { ...options, name: `${name} (as SDL)` });
  } catch (error) {
    throw invalidSchemaError(error, name);
  }
}

function assertNoErrors(errors: readonly GraphQLError[], name: string): void {
  const hint = 'fix the schema, or accept it with --assume-valid-schema';
  assertNone(errors, 'usage', name, hint);
}

/** The error for a schema that cannot be built. Returns a `MopError` unchanged. */
function invalidSchemaError(error: unknown, name: string): unknown {
  if (error instanceof MopError || !(error instanceof Error)) return error;
  const subject = error.message.split('\n')[0];
  return new MopError('usage', `${name} is not a schema: ${subject}`, {
    hint: 'pass the SDL of a schema, or the JSON of an introspection',
    cause: error,
  });
}
