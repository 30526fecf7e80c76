import { type DocumentNode, GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql';
import { parseSource } from './document.ts';

/**
 * Reads a schema in its own language (D3 sections 2.3 to 2.5). Interfaces may be joined by commas,
 * as D3 writes them (`implements A, B`), as well as by `&`.
 *
 * @throws {GraphQLError} for a syntax error.
 */
export function parseSdl(text: string, name: string): DocumentNode {
  try {
    return parseSource(new Source(text, name));
  } catch (error) {
    const joined = error instanceof GraphQLError ? joinInterfaces(text) : text;
    if (joined === text) throw error;
    const source = new Source(joined, name);
    try {
      return parseSource(source);
    } finally {
      // Messages show the original text; both texts have the same length.
      source.body = text;
    }
  }
}

/** Replaces each comma between interfaces with `&`. All positions in the text stay the same. */
export function joinInterfaces(text: string): string {
  const tokens = tokensOf(text);
  // Lists can overlap: a type may be named `implements`.
  const commas = new Set(listStarts(tokens).flatMap((at) => commasOf(text, tokens, at)));
  let joined = '';
  let done = 0;
  for (const comma of commas) {
    joined += `${text.slice(done, comma)}&`;
    done = comma + 1;
  }
  return joined + text.slice(done);
}

/** The offsets of the commas in the list of interfaces after `start`. */
function commasOf(text: string, tokens: readonly Token[], start: number): number[] {
  const commas: (number | undefined)[] = [];
  for (let at = start + 2; isListed(tokens, at); at++) {
    commas.push(commaBetween(text, tokens[at - 1], tokens[at]));
  }
  return commas.filter((comma) => comma !== undefined);
}

/** The tokens before the first syntax error. */
function tokensOf(text: string): Token[] {
  const lexer = new Lexer(new Source(text));
  const tokens: Token[] = [];
  try {
    while (lexer.advance().kind !== TokenKind.EOF) tokens.push(lexer.token);
  } catch {
    // The parser reports the fault.
  }
  return tokens;
}

/** The indexes of `implements` after `type Name` or `interface Name`, outside all brackets. */
function listStarts(tokens: readonly Token[]): number[] {
  let depth = 0;
  return [...tokens.keys()].filter((at) => {
    const { kind, value } = tokens[at] as Token;
    if (OPENING.includes(kind)) depth++;
    if (CLOSING.includes(kind)) depth--;
    return (
      depth === 0 &&
      value === 'implements' &&
      tokens[at - 1]?.kind === TokenKind.NAME &&
      /^(?:type|interface)$/.test(tokens[at - 2]?.value ?? '')
    );
  });
}

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

const DEFINITION = /^(?:schema|scalar|type|interface|union|enum|input|directive|extend)$/;

/** Whether the list continues at this token; otherwise the next definition begins. */
function isListed(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== TokenKind.NAME) return token?.kind === TokenKind.AMP;
  const next = tokens[at + 1]?.kind;
  if (token.value === 'directive' && next === TokenKind.AT) {
    return !/^(?:on|repeatable)$/.test(tokens[at + 3]?.value ?? '');
  }
  return !(DEFINITION.test(token.value) && next === TokenKind.NAME);
}

/** The offset of the comma between two names, outside comments. */
function commaBetween(text: string, before?: Token, after?: Token): number | undefined {
  if (before?.kind !== TokenKind.NAME || after?.kind !== TokenKind.NAME) return undefined;
  const between = text.slice(before.end, after.start);
  const comma = between.replace(/#[^\n\r]*/g, (comment) => ' '.repeat(comment.length)).indexOf(',');
  return comma < 0 ? undefined : before.end + comma;
}
