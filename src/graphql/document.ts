import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  parse,
  printSourceLocation,
  Source,
  TokenKind,
} from 'graphql';
// The index does not export the parser.
import { Parser } from 'graphql/language/parser.js';
import { type ErrorCode, listed, MopError, own, quoted } from '../errors.ts';

/** A position in a document. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** Reads a document of the query language (D3); throws `usage` with the place of a syntax error. */
export function parseDocument(text: string, name: string): DocumentNode {
  try {
    return parseSource(new Source(text, name));
  } catch (error) {
    throw asUsage(error, name);
  }
}

/** Parses any document; throws a `GraphQLError` for a syntax error. */
export function parseSource(
  source: Source,
  read: (source: Source) => DocumentNode = parse,
): DocumentNode {
  try {
    return read(source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GraphQLError('it nests too deeply', { source, positions: [0], originalError: error });
  }
}

export function assertNone(
  errors: readonly GraphQLError[],
  code: ErrorCode,
  name: string,
  hint: string,
): void {
  const faults = errors.map((error) => documentError(code, error, name));
  const [first] = faults;
  if (first) throw withOthers(first, faults.slice(1), hint);
}

/** The first of several faults, with the number of the others; `--verbose` prints them. */
export function withOthers(
  { code, message, details }: MopError,
  others: readonly { readonly message: string }[],
  hint: string,
): MopError {
  if (others.length === 0) return new MopError(code, message, { ...details, hint });
  return new MopError(code, `${message} (and ${others.length} more)`, {
    ...details,
    hint: quoted`--verbose lists all ${others.length + 1} errors; ${own(hint)}`,
    others: others.map((other) => other.message),
  });
}

/** A fault of a document as an error of code `usage`. Returns any other error unchanged. */
export function asUsage(error: unknown, name: string): unknown {
  return error instanceof GraphQLError ? documentError('usage', error, name) : error;
}

export function documentError(code: ErrorCode, error: GraphQLError, name: string): MopError {
  const place = placeOf(error);
  const where = place ? `${place.file}:${place.line}:${place.column}` : name;
  return new MopError(code, `${where}: ${error.message}`, {
    excerpt: place?.excerpt,
    hint: 'mop gql help explains the language',
    cause: error,
  });
}

/** The place of a fault; undefined for a fault of the whole document. */
export function placeOf({ source, locations }: GraphQLError): Place | undefined {
  const [location] = locations ?? [];
  if (!source || !location) return undefined;
  const [, ...lines] = printSourceLocation(source, location).split('\n');
  // A tab is one column, as for the caret; trailing empty lines are dropped.
  const excerpt = lines
    .join('\n')
    .replaceAll('\t', ' ')
    .replace(/\n *\d+ \| *$/, '');
  return { file: source.name, ...location, excerpt };
}

/** The operation to execute (D3 section 4). A document with several requires a name. */
export function chooseOperation(document: DocumentNode, name?: string): OperationDefinitionNode {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const names = operations.map((operation) => operation.name?.value ?? '(without a name)');
  const hint = quoted`choose one with --operation: ${listed(names)}`;
  const [first] = operations;
  if (!first) {
    throw new MopError('usage', 'the document has no operation', {
      hint: "write one, such as '{ bills { date } }' or 'query Name { … }'",
    });
  }
  if (name === undefined) {
    if (operations.length === 1) return first;
    throw new MopError('usage', `the document has ${operations.length} operations`, { hint });
  }
  const chosen = operations.find((operation) => operation.name?.value === name);
  if (chosen) return chosen;
  throw new MopError('usage', `the document has no operation ${JSON.stringify(name)}`, { hint });
}

/**
 * Reads SDL (D3 2.3 to 2.5). D3 joins interfaces by commas (`implements A, B`), as well as by `&`.
 */
export function parseSdl(text: string, name: string): DocumentNode {
  const source = new Source(text, name);
  try {
    return parseSource(source);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return parseSource(source, (each) => new SdlParser(each).parseDocument());
  }
}

const DEFINITION = /^(?:schema|scalar|type|interface|union|enum|input|directive|extend)$/;

class SdlParser extends Parser {
  override parseImplementsInterfaces(): NamedTypeNode[] {
    if (!this.expectOptionalKeyword('implements')) return [];
    this.expectOptionalToken(TokenKind.AMP);
    const interfaces = [this.parseNamedType()];
    while (this.expectOptionalToken(TokenKind.AMP) || this.#continuesAfterComma()) {
      interfaces.push(this.parseNamedType());
    }
    return interfaces;
  }

  /** Whether a comma precedes the current token, and the token begins no definition. */
  #continuesAfterComma(): boolean {
    const { lastToken, token, source } = this._lexer;
    const between = source.body.slice(lastToken.end, token.start).replace(/#[^\n\r]*/g, '');
    if (token.kind !== TokenKind.NAME || !between.includes(',')) return false;
    const next = this._lexer.lookahead().kind;
    const isNamed = next === TokenKind.NAME || (token.value === 'directive' && next === '@');
    return !(DEFINITION.test(token.value) && isNamed);
  }
}
