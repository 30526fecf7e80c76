import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** A regular expression in the sources. */
export interface Expression {
  /** Its file below `src/`. */
  readonly file: string;
  readonly line: number;
  readonly pattern: RegExp;
}

/** A place in the sources, as `file: text`. */
export type Place = string;

/** The parts of a syntax tree that this module reads. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  readonly expressions?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
  readonly id?: Node;
  readonly init?: Node | null;
  readonly expression?: Node;
}

const SOURCES = join(import.meta.dirname, '../../src');

/** Scripts of pages run in a browser, on answers that its own server has limited. */
const IN_BROWSERS = /[/\\]assets[/\\]/;

interface Module {
  readonly file: string;
  readonly text: string;
  readonly constants: Map<string, Node>;
  readonly literals: Node[];
  /** Calls of `RegExp`. */
  readonly built: Node[];
  /** Calls with a spread list. */
  readonly spreads: Node[];
}

function readModule(file: string): Module {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const read: Module = { file, text, constants: new Map(), literals: [], built: [], spreads: [] };
  const called = (call: Node): void => {
    if (call.callee?.name === 'RegExp') read.built.push(call);
    if (call.arguments?.some(({ type }) => type === 'SpreadElement')) read.spreads.push(call);
  };
  new Visitor({
    Literal: (node) => {
      if ((node as Node).regex) read.literals.push(node as Node);
    },
    VariableDeclarator: (node) => {
      const { id, init } = node as Node;
      if (id?.name && init) read.constants.set(id.name, init);
    },
    CallExpression: (node) => called(node as Node),
    NewExpression: (node) => called(node as Node),
  }).visit(program);
  return read;
}

const MODULES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !IN_BROWSERS.test(file))
  .sort()
  .map(readModule);

/** The constants of all modules: a module may import them. */
const EXPORTED = new Map(MODULES.flatMap(({ constants }) => [...constants]));

/** The text of a constant expression; undefined if it depends on a run. */
function textOf(node: Node | undefined, module: Module): string | undefined {
  const texts = (nodes: readonly Node[]): string[] | undefined => {
    const all = nodes.map((each) => textOf(each, module));
    return all.every((text) => text !== undefined) ? all : undefined;
  };
  switch (node?.type) {
    case 'Literal':
      return node.regex?.pattern ?? (typeof node.value === 'string' ? node.value : undefined);
    case 'Identifier': {
      const constant = module.constants.get(node.name ?? '') ?? EXPORTED.get(node.name ?? '');
      return constant && textOf(constant, module);
    }
    case 'MemberExpression':
      return node.property?.name === 'source' ? textOf(node.object, module) : undefined;
    case 'CallExpression':
    case 'NewExpression':
      return node.callee?.name === 'RegExp' || isRaw(node)
        ? textOf(node.arguments?.[0], module)
        : undefined;
    case 'TSAsExpression':
      return textOf(node.expression, module);
    case 'BinaryExpression':
      return node.operator === '+' && node.left && node.right
        ? texts([node.left, node.right])?.join('')
        : undefined;
    case 'TemplateLiteral': {
      const values = texts(node.expressions ?? []);
      const parts = node.quasis?.map(({ value }) => value.cooked) ?? [];
      return values && parts.map((part, at) => part + (values[at] ?? '')).join('');
    }
    default:
      return undefined;
  }
}

function isRaw({ callee }: Node): boolean {
  return callee?.property?.name === 'raw';
}

function lineOf({ text }: Module, { start }: Node): number {
  return text.slice(0, start).split('\n').length;
}

function placeOf({ file, text }: Module, { start, end }: Node): Place {
  return `${file}: ${text.slice(start, end).replace(/\s+/g, ' ')}`;
}

function isPattern(pattern: RegExp | undefined): pattern is RegExp {
  return pattern !== undefined;
}

/**
 * The regular expressions in the sources. `unknown` has the calls of `RegExp` with an argument that
 * depends on a run.
 */
export function readExpressions(): {
  readonly expressions: readonly Expression[];
  readonly unknown: readonly Place[];
} {
  const unknown: Place[] = [];
  const expressions = MODULES.flatMap((module) => {
    const { file, literals, built } = module;
    return [
      ...literals
        .filter((node) => !isFragment(node, module))
        .map((node) => ({ node, pattern: literalOf(node) })),
      ...built.map((node) => {
        const source = textOf(node.arguments?.[0], module);
        const flags = textOf(node.arguments?.[1], module) ?? '';
        if (source === undefined) unknown.push(placeOf(module, node));
        return { node, pattern: source === undefined ? undefined : new RegExp(source, flags) };
      }),
    ].flatMap(({ node, pattern }) =>
      isPattern(pattern) ? [{ file, line: lineOf(module, node), pattern }] : [],
    );
  });
  return { expressions, unknown };
}

/** Whether a literal is only a part of other expressions, which use its `source`. */
function isFragment(node: Node, { constants, text }: Module): boolean {
  const [name] = [...constants].find(([, value]) => value === node) ?? [];
  if (name === undefined) return false;
  const uses = [...text.matchAll(new RegExp(`(?<![\\w$])${name}\\b(\\.source)?`, 'g'))].slice(1);
  return uses.length > 0 && uses.every(([, source]) => source !== undefined);
}

function literalOf({ regex }: Node): RegExp | undefined {
  return regex && new RegExp(regex.pattern, regex.flags);
}

/** The calls that pass each item of a list as an argument: too many overflow the stack. */
export function readSpreads(): readonly { readonly callee: string; readonly place: Place }[] {
  return MODULES.flatMap((module) =>
    module.spreads.map((node) => ({
      callee: node.callee ? module.text.slice(node.callee.start, node.callee.end) : '',
      place: placeOf(module, node),
    })),
  );
}
