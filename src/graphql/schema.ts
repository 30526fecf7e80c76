import {
  type ASTNode,
  buildASTSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type IntrospectionQuery,
  type IntrospectionSchema,
  isExecutableDefinitionNode,
  isValueNode,
  Kind,
  KnownTypeNamesRule,
  Lexer,
  LoneSchemaDefinitionRule,
  PossibleTypeExtensionsRule,
  print,
  Source,
  TokenKind,
  UniqueArgumentDefinitionNamesRule,
  UniqueDirectiveNamesRule,
  UniqueEnumValueNamesRule,
  UniqueFieldDefinitionNamesRule,
  UniqueOperationTypesRule,
  UniqueTypeNamesRule,
  validateSchema,
  visit,
} from 'graphql';
// The index exports no function that returns the errors with their places.
import { validateSDL } from 'graphql/validation/validate.js';
import { MopError } from '../errors.ts';
import { assertNone, asUsage, parseSdl } from './document.ts';
import { introspectedDocument, type Omission, omissionsOf } from './introspection.ts';
import { clientView, completeSchema } from './known-definitions.ts';

/** A text with its name in messages, such as the file. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
  /** Found in a directory or by a pattern, which may contain schemas and operations. */
  readonly isFound?: boolean;
}

export interface LoadedSchema {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** The parts of a schema that its introspection does not contain. Empty for SDL. */
  readonly omitted: readonly Omission[];
}

interface ReadSchemaOptions {
  readonly assumeValid?: boolean | undefined;
  readonly forClients?: boolean | undefined;
}

/**
 * Reads a schema: SDL (D3 section 2), or the JSON of an introspection. `assumeValid` accepts faults
 * that hide no part of it; `forClients` reads the part that clients of a gateway see.
 */
export function readSchema(
  texts: readonly NamedText[],
  { assumeValid = false, forClients = false }: ReadSchemaOptions = {},
): LoadedSchema {
  const parts = texts.map(readPart).filter((part) => part !== undefined);
  const name = texts.map((each) => each.name).join(', ');
  const definitions = parts.flatMap(({ document }) => document.definitions);
  if (definitions.length === 0) {
    throw new MopError('usage', `${name} is empty: it defines no types`, {
      hint: 'pass the SDL of a schema, or the JSON of an introspection',
    });
  }
  const { document: completed, isPart } = completeSchema({ kind: Kind.DOCUMENT, definitions });
  const document = assumeValid ? withoutRepetitions(completed) : completed;
  assertSdlValid(document, name, assumeValid);
  try {
    const whole = buildASTSchema(document, { assumeValidSDL: true, assumeValid });
    const faults = assumeValid ? [] : validateSchema(whole);
    const isAllowed = ({ message }: GraphQLError): boolean => isPart && message === NO_QUERY;
    assertNone(
      faults.filter((fault) => !isAllowed(fault)),
      'usage',
      name,
      FIX_HINT,
    );
    // The part that clients see may be invalid: another subgraph may hide the rest.
    const view = forClients ? clientView(document) : document;
    const schema = view === document ? whole : buildASTSchema(view, VALID);
    return {
      schema,
      document: { kind: Kind.DOCUMENT, definitions },
      omitted: [...new Set(parts.flatMap(({ omitted }) => omitted))],
    };
  } catch (error) {
    throw invalidSchemaError(error, name);
  }
}

const VALID = { assumeValidSDL: true, assumeValid: true };

function assertSdlValid(document: DocumentNode, name: string, assumeValid: boolean): void {
  const errors = validateSDL(document, null, assumeValid ? COMPLETENESS_RULES : undefined);
  if (errors.length === 0) return;
  const hiding = validateSDL(document, null, COMPLETENESS_RULES);
  assertNone(hiding, 'usage', name, 'fix the schema');
  assertNone(errors, 'usage', name, FIX_HINT);
}

const FIX_HINT = 'fix the schema, or accept it with --assume-valid-schema';

/** The message of graphql-js for a schema without queries, as for many parts of a larger schema. */
const NO_QUERY = 'Query root type must be provided.';

/** graphql-js would ignore a part of a schema that violates one of these rules. */
const COMPLETENESS_RULES = [
  KnownTypeNamesRule,
  LoneSchemaDefinitionRule,
  PossibleTypeExtensionsRule,
  UniqueArgumentDefinitionNamesRule,
  UniqueDirectiveNamesRule,
  UniqueEnumValueNamesRule,
  UniqueFieldDefinitionNamesRule,
  UniqueOperationTypesRule,
  UniqueTypeNamesRule,
];

interface SchemaPart {
  readonly document: DocumentNode;
  readonly omitted: readonly Omission[];
}

export function isEmpty(text: string): boolean {
  try {
    return new Lexer(new Source(text)).advance().kind === TokenKind.EOF;
  } catch {
    return false;
  }
}

/** Undefined for a text without a schema: an empty one, and operations beside a schema. */
function readPart({ name, text, isFound }: NamedText): SchemaPart | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  if (isEmpty(plain)) return undefined;
  // A query begins with a brace too.
  const isIntrospection = /^\s*\{\s*"/.test(plain);
  try {
    if (isIntrospection) return introspectedPart(introspectionIn(plain), `${name} (as SDL)`);
    const document = parseSdl(plain, name);
    const nodes = document.definitions.filter(isExecutableDefinitionNode);
    if (nodes.length === 0) return { document, omitted: [] };
    if (isFound && nodes.length === document.definitions.length) return undefined;
    throw new GraphQLError('a schema contains neither operations nor fragments', { nodes });
  } catch (error) {
    throw invalidSchemaError(asUsage(error, name), name);
  }
}

function introspectedPart(introspection: IntrospectionQuery, name: string): SchemaPart {
  const document = introspectedDocument(introspection, name);
  return { document, omitted: omissionsOf(introspection) };
}

interface Answer {
  readonly data?: IntrospectionQuery;
  readonly errors?: readonly { readonly message?: string }[];
}

function introspectionIn(text: string): IntrospectionQuery {
  const json = JSON.parse(text) as Answer & IntrospectionQuery;
  const introspection = json.data ?? json;
  const [error] = [json.errors ?? []].flat();
  if (error) throw new Error(`it has errors, and may be incomplete: ${error.message}`);
  const { types, directives }: Partial<IntrospectionSchema> = introspection.__schema ?? {};
  if (!Array.isArray(types) || !Array.isArray(directives)) {
    throw new Error('it has no "__schema" with types and directives');
  }
  if (!introspection.__schema.queryType) throw new Error('it names no type of queries');
  const names = types.map((type) => type?.name);
  const twice = names.find((each, at) => names.indexOf(each) < at);
  if (twice !== undefined) throw new Error(`it has the type ${twice} twice`);
  return introspection;
}

const BUILD_FAULTS: Readonly<Record<string, string>> = {
  // graphql-js recurses endlessly.
  RangeError: 'a default contains itself',
  TypeError: 'a part of it is not that of an introspection',
};

/** The error for a schema that cannot be built. Returns a `MopError` unchanged. */
function invalidSchemaError(error: unknown, name: string): unknown {
  if (error instanceof MopError || !(error instanceof Error)) return error;
  const [first] = error.message.split('\n');
  const subject = BUILD_FAULTS[error.name] ?? first;
  return new MopError('usage', `${name} is not a schema: ${subject}`, {
    hint: 'pass the SDL of a schema, or the JSON of an introspection',
    cause: error,
  });
}

const LISTS: readonly string[] = ['definitions', 'fields', 'values', 'arguments'];

/** Removes definitions that repeat one of their list, as in published schemas of GitHub. */
function withoutRepetitions(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter: (node) => {
      // These may contain one value several times.
      if (isValueNode(node) || node.kind === Kind.DIRECTIVE) return false;
      const lists = Object.entries(node).filter(([name]) => LISTS.includes(name));
      return { ...node, ...Object.fromEntries(lists.map(([name, list]) => [name, unique(list)])) };
    },
  });
}

function unique(nodes: readonly ASTNode[]): readonly ASTNode[] {
  const seen = new Set<string>();
  const repeated = new Set(nodes.map(keyOf).filter((key) => seen.size === seen.add(key).size));
  const texts = new Set<string>();
  return nodes.filter(
    (node) => !repeated.has(keyOf(node)) || texts.size < texts.add(textOf(node)).size,
  );
}

function keyOf(node: ASTNode): string {
  return `${node.kind} ${'name' in node ? node.name?.value : ''}`;
}

function textOf(node: ASTNode): string {
  const bare = (each: ASTNode) =>
    'description' in each ? { ...each, description: undefined } : undefined;
  return print(visit(node, { enter: bare }));
}
