import type { CallExpression, Expression, Property, parseExpressionAt, SpreadElement } from 'acorn';
import type { MopError } from '../../errors.ts';
import { utf8Bytes } from '../bytes.ts';
import { captureError, lineAndColumn, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import { type CaptureReader, statementEntries } from './source.ts';

const CALL = /(?<![\w$])fetch(?=\()/g;

/** Reads `fetch(…)` calls, copied from browsers or from source code. */
export const FETCH_CALL: CaptureReader = {
  format: 'fetch',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(CALL) !== -1,
  read: async (source) => {
    // Most captures are not calls: their readers need no parser.
    const { parseExpressionAt } = await import('acorn');
    const text = source.textAs('fetch');
    return statementEntries(text, CALL, (statement) => {
      const call = callAt(text, statement.start, parseExpressionAt);
      statement.end = call.end;
      const [url, options] = call.arguments.map((argument) => constantOf(argument, text));
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
  return captureError(
    'fetch',
    `its ${subject} is ${shown(JSON.stringify(value) ?? '')}, which fetch does not send unchanged`,
    'replace it with the text that was sent; JSON.stringify({…}) of a literal is supported',
  );
}

/**
 * The call whose parenthesis is at an offset.
 *
 * @throws {MopError} `usage` for code that is not JavaScript, or is cut off.
 */
function callAt(text: string, start: number, parse: typeof parseExpressionAt): CallExpression {
  try {
    // The name before the parenthesis has five letters; calls of its result may follow.
    let call = parse(text, start - 'fetch'.length, {
      ecmaVersion: 'latest',
      allowAwaitOutsideFunction: true,
    });
    for (;;) {
      if (call.type === 'CallExpression' && call.callee.type === 'Identifier') return call;
      const inner =
        call.type === 'CallExpression'
          ? call.callee
          : call.type === 'MemberExpression' && call.object;
      if (!inner || inner.type === 'Super') throw new SyntaxError('it is not a call');
      call = inner;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (/stack/.test(error.message)) throw cannotParse('it is nested too deeply', text, start);
    const { pos = start } = error as { pos?: number };
    const rest = text.slice(pos, pos + 20);
    const subject =
      rest === '' ? 'it ends too early' : `it is not valid JavaScript at ${shown(rest)}`;
    throw cannotParse(subject, text, pos);
  }
}

function cannotParse(subject: string, text: string, at: number): MopError {
  return captureError(
    'fetch',
    `${subject} (${lineAndColumn(text, at)})`,
    'copy all of it with the values that were sent; the code is not run',
  );
}

/** The functions whose results are known. */
const FUNCTIONS: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  String: (value) => `${value}`,
  Headers: (value) => value,
  URL: (value) => value,
  'JSON.stringify': (value, _, space) =>
    JSON.stringify(value, undefined, typeof space === 'number' ? space : textOf(space)),
  URLSearchParams: (value) =>
    typeof value === 'string' ? value : `${new URLSearchParams(namedTexts(value))}`,
};

/**
 * The value of a constant expression. The code is not run.
 *
 * @throws {MopError} `usage` for a value that only the program knows, such as a variable.
 */
function constantOf(node: Expression | SpreadElement, text: string): unknown {
  const all = (nodes: readonly (Expression | SpreadElement | null)[]): readonly unknown[] =>
    nodes.map((each) => each && constantOf(each, text));
  switch (node.type) {
    case 'Literal':
      if (node.value instanceof RegExp) break;
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
      const value = constantOf(node.argument, text);
      if (typeof value !== 'number' || !'+-'.includes(node.operator)) break;
      return node.operator === '-' ? -value : value;
    }
    case 'BinaryExpression': {
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') break;
      const parts = [constantOf(node.left, text), constantOf(node.right, text)];
      if (!parts.some((part) => typeof part === 'string')) break;
      return parts.map(textOf).join('');
    }
    case 'ArrayExpression':
      return all(node.elements);
    case 'ObjectExpression':
      return objectOf(node.properties, text);
    case 'CallExpression':
    case 'NewExpression': {
      const name = text.slice(node.callee.start, node.callee.end);
      if (!Object.hasOwn(FUNCTIONS, name)) break;
      return FUNCTIONS[name]?.(...all(node.arguments));
    }
  }
  const written = text.slice(node.start, Math.min(node.end, node.start + 60));
  const name = /^[^\s,;(){}[\]]+\(?/.exec(written)?.[0] ?? written;
  throw cannotParse(`${shown(name)} is not a literal, so its value is unknown`, text, node.start);
}

function objectOf(properties: readonly (Property | SpreadElement)[], text: string): object {
  // Without a prototype, because a member may be named __proto__.
  const members: Record<string, unknown> = Object.create(null);
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      Object.assign(members, constantOf(property.argument, text));
      continue;
    }
    const { key, computed, value } = property;
    const isName = key.type === 'Identifier' && !computed;
    members[isName ? key.name : textOf(constantOf(key as Expression, text))] = constantOf(
      value,
      text,
    );
  }
  return members;
}

/** The members of an object, or pairs, if their values are texts and numbers. */
function namedTexts(value: unknown): [name: string, text: string][] | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const pairs: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): [name: string, text: string][] =>
    Array.isArray(pair) && pair.length === 2 && ['string', 'number'].includes(typeof pair[1])
      ? [[textOf(pair[0]), textOf(pair[1])]]
      : [],
  );
}

/** The text of a value that JavaScript converts to a string. */
function textOf(value: unknown): string {
  return `${value ?? ''}`;
}
