import type * as acorn from 'acorn';
import type { CallExpression, Expression, Property, SpreadElement } from 'acorn';
import type { MopError } from '../../errors.ts';
import { utf8Bytes } from '../bytes.ts';
import { type CapturedRequest, captureFault, lineAndColumn, shown } from './captured-request.ts';
import { readContent } from './content.ts';
import { type CaptureReader, statementEntries } from './source.ts';

const CALL = /(?<![\w$])fetch(?=\()/g;
const OPTIONS = { ecmaVersion: 'latest', allowAwaitOutsideFunction: true } as const;

interface Code {
  readonly text: string;
  readonly offset: number;
}

/** Reads `fetch(…)` calls, copied from browsers or from source code. */
export const FETCH_CALL: CaptureReader = {
  format: 'fetch',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(CALL) !== -1,
  read: async (source) => {
    // Most captures are not calls: their readers need no parser.
    const { Parser } = await import('acorn');
    const parser = withoutPatterns(Parser);
    const text = source.textAs('fetch');
    return statementEntries(text, CALL, (statement) => {
      const code = { text, offset: statement.start - 'fetch'.length };
      const call = callAt(code, parser);
      statement.end = code.offset + call.end;
      const [url, options] = call.arguments.map((argument) => constantOf(argument, code));
      return [() => requestOf(url, options)];
    });
  },
};

function requestOf(url: unknown, options: unknown): CapturedRequest {
  const { method, headers = {}, body }: Record<string, unknown> = { ...(options ?? {}) };
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

function cannotRead(subject: string, value: unknown): MopError {
  return captureFault('fetch', 'unsent-value', [subject, shown(JSON.stringify(value) ?? '')]);
}

function callAt(code: Code, parser: typeof acorn.Parser): CallExpression {
  const rest = code.text.slice(code.offset);
  try {
    const call = parser.parseExpressionAt(rest.slice(0, callEnd(rest, code, parser)), 0, OPTIONS);
    if (call.type === 'CallExpression') return call;
    throw new SyntaxError('it is not a call');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos = 0 } = error as { pos?: number };
    const found = rest.slice(pos, pos + 20);
    const subject =
      found === '' ? 'it ends too early' : `it is not valid JavaScript at ${shown(found)}`;
    throw cannotParse(subject, code, pos);
  }
}

/** Tokens that may be unfinished at once. The parser may take a kilobyte of stack for each. */
const MAX_OPEN = 300;
/** Other keywords begin a statement, a function or a test. */
const CONSTANT_WORDS = /^(?:new|true|false|null)$/;

/**
 * The end of the call that begins a text: the parser would also read a comment after it, up to the
 * end of the text. The call must not nest deeply: when a regular expression is compiled on an
 * almost full stack, Node aborts instead of throwing.
 */
function callEnd(text: string, code: Code, parser: typeof acorn.Parser): number {
  const tokens = parser.tokenizer(text, OPTIONS);
  const outside: number[] = [];
  for (let open = 1; ; open++) {
    const { type, start, end } = tokens.getToken();
    const { label, keyword } = type;
    if (/^[([{]$|^\$\{$/.test(label)) outside.push(open);
    else if (/^[)\]}]$/.test(label)) open = outside.pop() ?? 0;
    else if (label === ',') open = outside.at(-1) ?? 0;
    if (label === 'eof' || (label === ')' && outside.length === 0)) return end;
    if (open > MAX_OPEN) throw cannotParse('it is nested too deeply', code, start);
    const isName = keyword === undefined || /^\s*:/.test(text.slice(end, end + 20));
    if (!isName && !CONSTANT_WORDS.test(label)) throw unknownValue(label, code, start);
  }
}

/** A parser that refuses regular expressions: it would read their parts recursively, too. */
function withoutPatterns(parser: typeof acorn.Parser): typeof acorn.Parser {
  return parser.extend(
    (Base) =>
      class extends Base {
        readRegexp(): never {
          throw captureFault('fetch', 'expression');
        }
      },
  );
}

function unknownValue(written: string, code: Code, at: number): MopError {
  return cannotParse(`${shown(written)} is not a literal, so its value is unknown`, code, at);
}

function cannotParse(subject: string, { text, offset }: Code, at: number): MopError {
  return captureFault('fetch', 'not-constant', [subject, lineAndColumn(text, offset + at)]);
}

const FUNCTIONS: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  String: (value) => `${value}`,
  Headers: (value) => value,
  URL: (value) => value,
  'JSON.stringify': (value, _, space) =>
    JSON.stringify(value, undefined, typeof space === 'number' ? space : textOf(space)),
  URLSearchParams: (value) =>
    typeof value === 'string' ? value : `${new URLSearchParams(namedTexts(value))}`,
};

/** The value of a constant expression, without running it; an error for a variable. */
function constantOf(node: Expression | SpreadElement, code: Code): unknown {
  const textAt = (start: number, end: number): string =>
    code.text.slice(code.offset + start, code.offset + end);
  const all = (nodes: readonly (Expression | SpreadElement | null)[]): readonly unknown[] =>
    nodes.map((each) => each && constantOf(each, code));
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'bigint' ? Number(node.value) : node.value;
    case 'TemplateLiteral': {
      const values = all(node.expressions);
      const texts = node.quasis.map(({ value }, index) => `${value.cooked}${values[index] ?? ''}`);
      return texts.join('');
    }
    case 'Identifier':
      if (node.name !== 'undefined') break;
      return undefined;
    case 'UnaryExpression': {
      const value = constantOf(node.argument, code);
      if (typeof value !== 'number' || !'+-'.includes(node.operator)) break;
      return node.operator === '-' ? -value : value;
    }
    case 'BinaryExpression': {
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') break;
      const parts = [constantOf(node.left, code), constantOf(node.right, code)];
      if (!parts.some((part) => typeof part === 'string')) break;
      return parts.map(textOf).join('');
    }
    case 'ArrayExpression':
      return all(node.elements);
    case 'ObjectExpression':
      return objectOf(node.properties, code);
    case 'CallExpression':
    case 'NewExpression': {
      const name = textAt(node.callee.start, node.callee.end);
      if (!Object.hasOwn(FUNCTIONS, name)) break;
      return FUNCTIONS[name]?.(...all(node.arguments));
    }
  }
  const written = textAt(node.start, Math.min(node.end, node.start + 60));
  const name = /^[^\s,;(){}[\]]+\(?/.exec(written)?.[0] ?? written;
  throw unknownValue(name, code, node.start);
}

function objectOf(properties: readonly (Property | SpreadElement)[], code: Code): object {
  // Without a prototype, because a member may be named __proto__.
  const members: Record<string, unknown> = Object.create(null);
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      Object.assign(members, constantOf(property.argument, code));
      continue;
    }
    const { key, computed, value } = property;
    const isName = key.type === 'Identifier' && !computed;
    members[isName ? key.name : textOf(constantOf(key as Expression, code))] = constantOf(
      value,
      code,
    );
  }
  return members;
}

function namedTexts(value: unknown): [name: string, text: string][] | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const pairs: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): [name: string, text: string][] =>
    Array.isArray(pair) && pair.length === 2 && ['string', 'number'].includes(typeof pair[1])
      ? [[textOf(pair[0]), textOf(pair[1])]]
      : [],
  );
}

function textOf(value: unknown): string {
  return `${value ?? ''}`;
}
