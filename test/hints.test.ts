/** Checks that hints quote their values: by the syntax trees of all sources. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { listed, own, quoted, words } from '../src/errors.ts';
import { installed } from './support/programs.ts';
import { testTable } from './support/rows.ts';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const names = MOP.commands.map(({ name }) => name).join('|');
/** A command, advice to add an option with a value, or only such options. */
const COMMAND = [
  new RegExp(`\\bmop (?:${names})\\b|\\b(?:chmod|openssl|iconv|tail) [-+\\da-z]|\\brun: `),
  /(?:\b(?:add|with|use|or|write) |: )--?[a-z][\w-]*[ =]'?…/,
  /^ ?--?[a-z][\w-]* '?…'?$/,
];
/** Texts that are not hints: the help, programs, completions and pages. */
const NOT_HINTS = /cli\/(?:frame\/completion|commands\/(?:help|sign\/programs))|\/pages?\//;
/** Functions that return numbers as text, or quote their argument. */
const SAFE_CALLS = ['counted', 'grouped', 'shellQuote'];

/** Each text of a hint or a command that inserts a value without quoting it. */
function unquotedIn(file: string, source: string): string[] {
  const found: string[] = [];
  const check = (text: string, values: readonly Node[], inHint: boolean): void => {
    const unsafe = values.filter((each) => !isSafe(each)).map(printed);
    if (unsafe.length === 0 || !(inHint || COMMAND.some((each) => each.test(text)))) return;
    found.push(`${file}: \`${text}\` inserts ${unsafe.join(', ')}`);
  };
  const visit = (value: unknown, inHint: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, inHint);
    else if (typeof value === 'object' && value !== null) visitNode(value as Node, inHint);
  };
  const visitNode = (node: Node, inHint: boolean): void => {
    const name = nameOf(node);
    const isHint = name === undefined ? inHint : /hint/i.test(name);
    if (isQuoted(node)) {
      // A template that is a value is quoted as a whole.
      const { expressions } = node.template as { expressions: Node[] };
      for (const each of expressions) visit(each.expressions ?? each, true);
      return;
    }
    if (node.type === 'TemplateLiteral' && node.expressions) {
      check(textOf(node), node.expressions as Node[], isHint);
    }
    if (node.type === 'BinaryExpression' && node.operator === '+') {
      const { left, right } = node as unknown as { left: Node; right: Node };
      const text = [left, right].map((each) => literalText(each) ?? '…').join('');
      check(text, [left, right], false);
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'span') visit(child, isHint);
  };
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }).body, false);
  return found;
}

function isQuoted({ type, tag }: Node): boolean {
  return type === 'TaggedTemplateExpression' && (tag as { value?: string }).value === 'quoted';
}

function literalText({ type, value }: Node): string | undefined {
  return type === 'StringLiteral' ? (value as string) : undefined;
}

/** The name that a node gives to its value. */
function nameOf(node: Node): string | undefined {
  const { key, id, identifier } = node as Record<string, { value?: string } | undefined>;
  if (node.type === 'KeyValueProperty') return key?.value;
  if (node.type === 'VariableDeclarator') return id?.value ?? '';
  return node.type === 'FunctionDeclaration' ? identifier?.value : undefined;
}

function textOf({ quasis }: Node): string {
  return (quasis as { raw: string }[]).map(({ raw }) => raw).join('…');
}

/** Own constants, numbers, counts and quoted texts. */
function isSafe(node: Node): boolean {
  switch (node.type) {
    case 'Identifier':
      return /^[A-Z][A-Z0-9_]*$/.test(node.value as string);
    case 'MemberExpression':
      return isSafe(node.object as Node);
    case 'StringLiteral':
    case 'NumericLiteral':
      return true;
    case 'ConditionalExpression':
      return isSafe(node.consequent as Node) && isSafe(node.alternate as Node);
    case 'BinaryExpression':
      return /^[-*/]$/.test(node.operator as string);
    case 'CallExpression':
      return SAFE_CALLS.includes((node.callee as { value?: string }).value ?? '');
    default:
      return isQuoted(node);
  }
}

function printed(node: Node): string {
  const of = (key: string): string => printed((node[key] ?? { type: '' }) as Node);
  switch (node.type) {
    case 'Identifier':
      return node.value as string;
    case 'MemberExpression':
      return `${of('object')}.${of('property')}`;
    case 'CallExpression':
      return `${of('callee')}()`;
    default:
      return node.type;
  }
}

const SRC = join(import.meta.dirname, '../src');

testTable(
  'finds values that are not quoted',
  [
    { source: 'x = { hint: `use %{name}` }', found: 1 },
    { source: 'const theHint = isOne ? `a` : `use %{name}`', found: 1 },
    { source: 'function hintOf() { return `a %{name}` }', found: 1 },
    { source: 'const next = `run mop bill fetch %{date}`', found: 1 },
    { source: 'const next = `add --key=%{column}`', found: 1 },
    { source: 'const next = "run: mop doctor -p " + profile', found: 1 },
    { source: 'x = { hint: quoted`use %{own(`mop x %{y}`)}` }', found: 1 },
    { source: 'x = { hint: quoted`use %{`mop x %{y}`}` }', found: 0 },
    { source: 'x = { hint: quoted`use %{name}` }', found: 0 },
    { source: 'x = { hint: `use %{NAMES.first}, or %{counted(3, "row")}` }', found: 0 },
    { source: 'const message = `%{name} is wrong`', found: 0 },
  ],
  ({ source }) => source,
  ({ source, found }) => {
    expect(unquotedIn('x', source.replaceAll('%{', '${'))).toHaveLength(found);
  },
);

it('quotes every value in a hint or a command', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !NOT_HINTS.test(`/${path}`));
  const found = files.flatMap((path) => unquotedIn(path, readFileSync(join(SRC, path), 'utf8')));
  expect(found).toEqual([]);
});

const VALUES = [
  '$(id)',
  '`id`',
  "it's",
  "'; id; '",
  '',
  'a b',
  '~',
  '=ls',
  '*',
  '!!',
  '\\',
  "\n'$(id)",
  '\u001b[31m\r\t\\',
  '\u202e\u200b\u0085\u2028',
  '订单 号',
];

it.runIf(installed('bash'))('a shell reads each quoted value unchanged', () => {
  const command = quoted`printf '%s\\0' ${words(VALUES)} ${VALUES[0] as string}`;
  expect(command).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const output = execFileSync('bash', ['-c', command], { encoding: 'utf8' });
  expect(output.split('\0').slice(0, -1)).toEqual([...VALUES, VALUES[0]]);
});

it('inserts numbers, own texts and lists', () => {
  const text = quoted`${3} of ${own("the server's rows")}: ${listed(['a b', 'c'])}`;
  expect(text).toBe("3 of the server's rows: 'a b', c");
});
