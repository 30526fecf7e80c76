import type { Expression, Property, parseExpressionAt, SpreadElement } from 'acorn';
import type { MopError } from '../../errors.ts';
import { utf8Bytes } from '../bytes.ts';
import { captureError, lineAndColumn, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  MAX_UNREADABLE,
  mentionsSignature,
  readsOrFailure,
} from './source.ts';

const CALL = /(?<![\w$])fetch(?=\()/g;

/** Reads `fetch(…)` calls, copied from browsers or from source code. */
export const FETCH_CALL: CaptureReader = {
  format: 'fetch',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(CALL) !== -1,
  read: async (source) => {
    // Most captures are not calls: their readers need no parser.
    const { parseExpressionAt } = await import('acorn');
    const text = source.textAs('fetch');
    const entries: CaptureEntry[] = [];
    let failures = 0;
    CALL.lastIndex = 0;
    for (let call = CALL.exec(text); call && failures < MAX_UNREADABLE; call = CALL.exec(text)) {
      const start = CALL.lastIndex;
      let end = start;
      const { reads, failed } = readsOrFailure(() => {
        const values = new Arguments(text, start, parseExpressionAt);
        ({ end } = values);
        const [url, options] = values.all();
        return [() => requestOf(url, options)];
      });
      if (failed) failures++;
      const looksSigned = mentionsSignature(text.slice(start, failed ? undefined : end));
      // As arguments of push, many requests would overflow the stack.
      for (const read of reads) entries.push({ looksSigned, read });
      CALL.lastIndex = end;
    }
    return entries;
  },
};

/** A value of a JavaScript literal. */
type Literal = string | number | boolean | null | undefined | readonly Literal[] | LiteralObject;
interface LiteralObject {
  readonly [name: string]: Literal;
}

function requestOf(url: Literal, options: Literal): CapturedRequest {
  const { method, headers = {}, body } = isObject(options) ? options : {};
  const named = namedTexts(headers);
  if (named === undefined) throw cannotRead('headers', headers);
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw cannotRead('body', body);
  }
  return {
    format: 'fetch',
    method: typeof method === 'string' ? method.toUpperCase() : 'GET',
    url: typeof url === 'string' ? url : undefined,
    headers: named,
    ...readContent(utf8Bytes(body ?? ''), named, 'fetch'),
  };
}

function cannotRead(subject: string, value: Literal): MopError {
  return captureError(
    'fetch',
    `its ${subject} is ${shown(JSON.stringify(value) ?? '')}, which fetch does not send unchanged`,
    'replace it with the text that was sent; JSON.stringify({…}) of a literal is supported',
  );
}

/** The arguments of a call as values. The code is not run. */
class Arguments {
  readonly end: number;
  readonly #text: string;
  readonly #arguments: readonly (Expression | SpreadElement)[];

  /**
   * @param start The offset of the parenthesis.
   * @throws {MopError} `usage` for code that is not JavaScript, or is cut off.
   */
  constructor(text: string, start: number, parse: typeof parseExpressionAt) {
    this.#text = text;
    try {
      // The name before the parenthesis has five letters; calls of its result may follow.
      let call = parse(text, start - 'fetch'.length, {
        ecmaVersion: 'latest',
        allowAwaitOutsideFunction: true,
      });
      for (;;) {
        if (call.type === 'CallExpression' && call.callee.type === 'Identifier') break;
        if (call.type === 'CallExpression' && call.callee.type !== 'Super') call = call.callee;
        else if (call.type === 'MemberExpression' && call.object.type !== 'Super')
          call = call.object;
        else throw new SyntaxError('it is not a call');
      }
      this.end = call.end;
      this.#arguments = call.arguments;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (/stack/.test(error.message)) throw this.#error('it is nested too deeply', start);
      const { pos = start } = error as { pos?: number };
      const rest = text.slice(pos, pos + 20);
      const subject =
        rest === '' ? 'it ends too early' : `it is not valid JavaScript at ${shown(rest)}`;
      throw this.#error(subject, pos);
    }
  }

  /** @throws {MopError} `usage` for a value that only the program knows, such as a variable. */
  all(): readonly Literal[] {
    return this.#values(this.#arguments);
  }

  #values(nodes: readonly (Expression | SpreadElement | null)[]): readonly Literal[] {
    return nodes.map((node) => (node === null ? undefined : this.#value(node)));
  }

  #value(node: Expression | SpreadElement): Literal {
    switch (node.type) {
      case 'Literal':
        if (node.value instanceof RegExp) break;
        return typeof node.value === 'bigint' ? Number(node.value) : node.value;
      case 'TemplateLiteral':
        if (node.expressions.length > 0) {
          throw this.#error('a text is a template with an expression', node.start);
        }
        return node.quasis[0]?.value.cooked ?? '';
      case 'Identifier':
        if (node.name !== 'undefined') break;
        return undefined;
      case 'UnaryExpression': {
        const value = this.#value(node.argument);
        if (typeof value !== 'number' || !'+-'.includes(node.operator)) break;
        return node.operator === '-' ? -value : value;
      }
      case 'BinaryExpression': {
        if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') break;
        const parts = [this.#value(node.left), this.#value(node.right)];
        if (!parts.some((part) => typeof part === 'string')) break;
        return parts.map(textOf).join('');
      }
      case 'ArrayExpression':
        return this.#values(node.elements);
      case 'ObjectExpression':
        return this.#object(node.properties);
      case 'CallExpression':
      case 'NewExpression': {
        const name = this.#text.slice(node.callee.start, node.callee.end);
        if (!/^(?:JSON\.stringify|String|Headers|URL|URLSearchParams)$/.test(name)) break;
        return this.#called(name, this.#values(node.arguments), node.start);
      }
    }
    const written = this.#text.slice(node.start, Math.min(node.end, node.start + 60));
    const name = /^[^\s,;(){}[\]]+\(?/.exec(written)?.[0] ?? written;
    throw this.#error(`${shown(name)} is not a literal, so its value is unknown`, node.start);
  }

  #object(properties: readonly (Property | SpreadElement)[]): LiteralObject {
    // Without a prototype, because a member may be named __proto__.
    const members: Record<string, Literal> = Object.create(null);
    for (const property of properties) {
      if (property.type === 'SpreadElement' || property.computed) {
        const written = this.#text.slice(property.start, property.end);
        throw this.#error(`a member begins with ${shown(written)}`, property.start);
      }
      const { key, value } = property;
      const name = key.type === 'Identifier' ? key.name : textOf(this.#value(key));
      if (property.shorthand) {
        throw this.#error(
          `${shown(name)} is a variable, whose value is not in the text`,
          property.start,
        );
      }
      members[name] = this.#value(value);
    }
    return members;
  }

  #called(name: string, [value, , space]: readonly Literal[], at: number): Literal {
    if (name === 'String') return textOf(value);
    if (name === 'JSON.stringify') {
      const indent = typeof space === 'number' ? space : textOf(space);
      return JSON.stringify(value, undefined, indent) ?? undefined;
    }
    if (name !== 'URLSearchParams' || typeof value === 'string') return value;
    const pairs = namedTexts(value);
    if (pairs === undefined) throw this.#error('its parameters cannot be read', at);
    return `${new URLSearchParams(pairs)}`;
  }

  #error(subject: string, at: number): MopError {
    return captureError(
      'fetch',
      `${subject} (${lineAndColumn(this.#text, at)})`,
      'copy all of it with the values that were sent; the code is not run',
    );
  }
}

function isObject(value: Literal): value is LiteralObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object, or pairs, if their values are texts and numbers. */
function namedTexts(value: Literal): [name: string, text: string][] | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const pairs: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): [name: string, text: string][] =>
    Array.isArray(pair) && pair.length === 2 && ['string', 'number'].includes(typeof pair[1])
      ? [[textOf(pair[0]), textOf(pair[1])]]
      : [],
  );
}

/** The text of a value that JavaScript converts to a string. */
function textOf(value: Literal): string {
  return `${value ?? ''}`;
}
