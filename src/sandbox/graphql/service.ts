import {
  __DirectiveLocation,
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLEnumType,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLScalarType,
  type GraphQLSchema,
  parse,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { checkDate } from '../../protocol/bill-calendar.ts';
import { ownTurn, queue } from '../../server/turns.ts';
import { isReceived } from './request-parameters.ts';
import { mutations, queries, subscriptions } from './resolvers.ts';
import sdl from './schema.graphql?raw';
import { selectedFields } from './selected-fields.ts';
import { type Context, createState, inputError, publicError, type StateOptions } from './state.ts';

export interface GraphqlService {
  readonly schema: GraphQLSchema;
  /** Has a function for each field of the three root types. */
  readonly rootValue: object;
  /** Executes an operation; at most `MAX_CONCURRENT` run at a time. */
  readonly execute: (operation: ExecutionArgs) => Promise<ExecutionResult>;
}

interface Parameters {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The arguments of graphql's `execute` and `subscribe`. */
export type Operation = ExecutionArgs & { readonly contextValue: Context };

/** Far above real documents. Without a limit, a text of 1 MiB blocks the parser. */
const MAX_TOKENS = 10_000;

/** Enough for all fields of a hundred rides in each of 92 bills; aliases could select millions. */
const MAX_FIELDS = 200_000;

/** Operations in execution: a large result takes tens of megabytes. */
const MAX_CONCURRENT = 2;

/** The GraphQL service of a sandbox (D3); the schema is `schema.graphql`. */
export function graphqlService(options: StateOptions): GraphqlService {
  const schema = buildSchema(sdl);
  readScalar(schema, 'Date', dateOf);
  readScalar(schema, 'Upload', fileOf);
  hideDraftLocation(schema);
  const state = createState(options);
  // The names of the three types differ from each other.
  const rootValue = { ...queries(state), ...mutations(state), ...subscriptions(state) };
  const inTurn = queue(MAX_CONCURRENT);
  return { schema, rootValue, execute: (operation) => inTurn(() => executeFor(operation)) };
}

/** Refuses an operation that selects too much, or whose client disconnected while it waited. */
async function executeFor(operation: ExecutionArgs): Promise<ExecutionResult> {
  await ownTurn();
  const { disconnected } = operation.contextValue as Context;
  if (disconnected.aborted) return { errors: [inputError('the client disconnected')] };
  if (selectedFields(operation) > MAX_FIELDS) {
    return { errors: [inputError('the operation selects too many fields: split it')] };
  }
  return execute(operation);
}

/** The operation to execute, or the errors of a document that is invalid. */
export function prepare(
  service: GraphqlService,
  parameters: Parameters,
  context: Context,
): Operation | readonly GraphQLError[] {
  try {
    return validated(readOperation(service, parameters, context));
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

export function validated(operation: Operation): Operation | readonly GraphQLError[] {
  const errors = validateDocument(operation.schema, operation.document);
  return errors.length > 0 ? errors : operation;
}

/**
 * The operation to execute after validation. @throws {GraphQLError} for a document that does not
 * parse.
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

export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
): readonly GraphQLError[] {
  try {
    return validate(schema, document);
  } catch {
    // A stack overflow, for example by hundreds of circular fragments.
    return [inputError('the document is nested too deeply')];
  }
}

function parseDocument(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    // Any other error is a stack overflow.
    throw error instanceof GraphQLError ? error : inputError('the document is nested too deeply');
  }
}

/** Resolves a field to the member with its name. */
const resolve: GraphQLFieldResolver<unknown, Context> = (source, args, context, info) => {
  const fail = (error: unknown): never => {
    throw publicError(error, context);
  };
  try {
    const value = defaultFieldResolver(source, args, context, info);
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
};

/** Removes the location of the draft from the enum; the schema defines `@deprecated` without it. */
function hideDraftLocation(schema: GraphQLSchema): void {
  const { values, ...config } = __DirectiveLocation.toConfig();
  const { DIRECTIVE_DEFINITION: _, ...specified } = values;
  const location = new GraphQLEnumType({ ...config, values: specified });
  schema.getTypeMap()[location.name] = location;
}

function readScalar(schema: GraphQLSchema, name: string, read: (value: unknown) => unknown): void {
  const scalar = schema.getType(name) as GraphQLScalarType;
  scalar.parseValue = read;
  scalar.parseLiteral = (node) => read(valueFromASTUntyped(node));
}

function dateOf(value: unknown): string {
  try {
    if (typeof value === 'string') return checkDate(value);
  } catch {
    // Not a calendar day: report the error below.
  }
  throw inputError(`${JSON.stringify(value)} is not a date written as YYYY-MM-DD`);
}

function fileOf(value: unknown): unknown {
  if (isReceived(value)) return value;
  throw inputError('an Upload must be a file of a multipart request');
}
