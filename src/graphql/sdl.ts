import { type DocumentNode, GraphQLError, type NamedTypeNode, Source, TokenKind } from 'graphql';
// The index does not export the parser.
import { Parser } from 'graphql/language/parser.js';
import { parseSource } from './document.ts';

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
