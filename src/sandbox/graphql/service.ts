/// <reference path="../pages/raw.d.ts" />
import {
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLScalarType,
  type GraphQLSchema,
  parse,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { checkDate } from '../../protocol/bill-calendar.ts';
import { type Context, inputError, publicError } from './context.ts';
import { mutations } from './mutations.ts';
import { queries } from './queries.ts';
import sdl from './schema.graphql?raw';
import { createStore, type StoreOptions } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { isReceived } from './upload.ts';

/** A schema with what answers it, for any transport. */
export interface GraphqlService {
  readonly schema: GraphQLSchema;
  /** Has a function for each field of the three root types. */
  readonly rootValue: object;
}

/** What a client asks for, as transports deliver it. */
interface Parameters {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What `execute` and `subscribe` of graphql take. */
type Operation = ExecutionArgs & { readonly contextValue: Context };

/** Far beyond what people write; without a limit a text of 1 MiB keeps the parser busy for long. */
const MAX_TOKENS = 10_000;

/** The GraphQL service of a sandbox (D3); the schema is `schema.graphql`. */
export function graphqlService(options: StoreOptions): GraphqlService {
  const schema = buildSchema(sdl);
  readScalar(schema, 'Date', dateOf);
  readScalar(schema, 'Upload', fileOf);
  const store = createStore(options);
  // The names of the three types differ from each other.
  const rootValue = { ...queries(store), ...mutations(store), ...subscriptions(store) };
  return { schema, rootValue };
}

/** What to execute, or the errors of a document that does not parse or does not suit the schema. */
export function prepare(
  service: GraphqlService,
  parameters: Parameters,
  context: Context,
): Operation | readonly GraphQLError[] {
  try {
    const operation = readOperation(service, parameters, context);
    const errors = validate(operation.schema, operation.document);
    return errors.length > 0 ? errors : operation;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/**
 * What to execute once it is validated.
 *
 * @throws {GraphQLError} for a document that does not parse or has more than 10,000 tokens.
 */
export function readOperation(
  { schema, rootValue }: GraphqlService,
  { query, operationName, variables }: Parameters,
  contextValue: Context,
): Operation {
  return {
    schema,
    rootValue,
    document: parseDocument(query),
    operationName,
    variableValues: variables,
    contextValue,
    fieldResolver: resolve,
    subscribeFieldResolver: resolve,
  };
}

function parseDocument(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    // Else it is the call stack that has ended.
    throw error instanceof GraphQLError ? error : inputError('the document nests too deep');
  }
}

/** Gives each field what its object has by its name. */
const resolve: GraphQLFieldResolver<unknown, Context> = async (source, args, context, info) => {
  try {
    return await defaultFieldResolver(source, args, context, info);
  } catch (error) {
    throw publicError(error, context);
  }
};

function readScalar(schema: GraphQLSchema, name: string, read: (value: unknown) => unknown): void {
  const scalar = schema.getType(name) as GraphQLScalarType;
  scalar.parseValue = read;
  scalar.parseLiteral = (node) => read(valueFromASTUntyped(node));
}

function dateOf(value: unknown): string {
  try {
    if (typeof value === 'string') return checkDate(value);
  } catch {
    // No day of the calendar: the error below says so.
  }
  throw inputError(`${JSON.stringify(value)} is not a date written as YYYY-MM-DD`);
}

function fileOf(value: unknown): unknown {
  if (isReceived(value)) return value;
  throw inputError('a file comes as a part of a multipart request');
}
