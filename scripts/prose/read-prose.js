/** Reads the sentences of a source file or a page. */
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * @typedef {object} Prose
 * @property {number} line The line, from 1, on which the text begins.
 * @property {string} text One paragraph, without markup.
 */

/**
 * The prose of a Markdown page: paragraphs, list items, headings and table cells. Code is skipped;
 * inline code becomes one word.
 *
 * @param {string} source
 * @returns {Prose[]}
 */
export function proseOfMarkdown(source) {
  const found = [];
  let fence;
  let paragraph;
  const end = () => {
    if (paragraph) found.push(paragraph);
    paragraph = undefined;
  };
  for (const [index, line] of source.split('\n').entries()) {
    const [, marker] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence ? marker?.startsWith(fence) : marker) {
      fence = fence ? undefined : marker;
      end();
      continue;
    }
    if (fence) continue;
    const begins = /^\s*(?:[-*] |\d+\. |#|\||>|$)/.test(line);
    if (begins) end();
    if (/^\s*\|/.test(line)) {
      const cells = line.split(/(?<!\\)\|/).slice(1, -1);
      for (const text of cells.flatMap((cell) => cell.split('<br>'))) {
        found.push({ line: index + 1, text: plainMarkdown(text) });
      }
    } else if (line.trim() !== '') {
      paragraph ??= { line: index + 1, text: '' };
      paragraph.text += ` ${plainMarkdown(line)}`;
    }
  }
  end();
  return found.filter(({ text }) => /[a-z]/i.test(text));
}

/** @param {string} text */
function plainMarkdown(text) {
  return text
    .replace(/^\s*(?:[-*] |\d+\. |#+ |> ?)/, '')
    .replaceAll(/(`+).*?\1/g, 'CODE')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[*_]{1,2}(\S.*?)[*_]{1,2}/g, '$1')
    .trim();
}

/**
 * The prose of a JavaScript or TypeScript module: comments, and strings of three words or more.
 *
 * @param {string} name The file name, which decides the language.
 * @param {string} source
 * @param {object} options
 * @param {'all' | 'test-names' | 'none'} options.strings
 * @param {boolean} [options.rows] Whether the rows of `it.each` begin with a title. Default: true.
 * @returns {Prose[]}
 */
export function proseOfModule(name, source, { strings, rows = true }) {
  const { program, comments } = parseSync(name, source);
  const lineOf = lineNumbers(source);
  const found = commentBlocks(source, comments).flatMap(({ start, text }) =>
    paragraphsOfComment(lineOf(start), text),
  );
  const add = (node, text) => {
    // Patterns of regular expressions are not prose.
    const isProse = /[a-z]+(?:\s+\S+){2}/i.test(text) && !text.includes('(?:');
    if (isProse) found.push({ line: lineOf(node.start), text });
  };
  /** The text of a string or a template; a placeholder becomes one word. */
  const textOf = (node) => {
    if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
    if (node?.type !== 'TemplateLiteral') return undefined;
    return node.quasis.map(({ value }) => value.cooked ?? '').join('VALUE');
  };
  const visit = (node) => {
    const text = textOf(node);
    if (text !== undefined)
      for (const paragraph of text.split(/\n{2,}|\n(?=\s{2}|[-*] |mop )/)) add(node, paragraph);
  };
  if (strings === 'all') new Visitor({ Literal: visit, TemplateLiteral: visit }).visit(program);
  if (strings === 'test-names') {
    new Visitor({
      CallExpression({ callee, arguments: [first] }) {
        const root = /^(?:it|test|describe|testTable)\b/.test(
          source.slice(callee.start, callee.end),
        );
        if (root) visit(first);
        // Rows of `it.each` begin with a title, as in `it.each([['an empty text', '']])`.
        if (rows) for (const row of first?.elements ?? []) visit(row?.elements?.[0] ?? row);
      },
      Property({ key, value }) {
        if (rows && /^(?:name|title)$/.test(key.name)) visit(value);
      },
    }).visit(program);
  }
  return found;
}

const HASH = /(?:^|(?<=\s))#(?!!).*(?:\n[ \t]*#.*)*/gm;
const SLASHES = /(?<!["':])\/\/.*(?:\n[ \t]*\/\/.*)*/g;
const BLOCK = /(?<!\*)\/\*[\s\S]*?\*\//g;
const DOCSTRING = /"""[\s\S]*?"""/g;
const DESCRIPTION = /^[ \t]*"[^"\n]+"$/gm;

/** The comments of other languages, by the end of the file name. */
const COMMENTS = [
  [/\.py$/, [HASH, DOCSTRING]],
  [/\.graphql$/, [HASH, DOCSTRING, DESCRIPTION]],
  [/\.(?:go|java|cs|css)$/, [SLASHES, BLOCK]],
  [/\.php$/, [HASH, SLASHES, BLOCK]],
  [/\.(?:sh|rb|ya?ml|service|timer)$|(?:^|\/)(?:Dockerfile|run|crontab[^/]*)$/, [HASH]],
];

/** Whether {@link proseOfComments} can read a file. */
export function hasComments(name) {
  return COMMENTS.some(([ending]) => ending.test(name));
}

/**
 * The prose of a file in another language: its comments and descriptions.
 *
 * @param {string} name The file name, which decides the language.
 * @param {string} source
 * @returns {Prose[]}
 */
export function proseOfComments(name, source) {
  const [, patterns = []] = COMMENTS.find(([ending]) => ending.test(name)) ?? [];
  const lineOf = lineNumbers(source);
  return patterns
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .flatMap(({ 0: comment, index }) =>
      paragraphsOfComment(
        lineOf(index),
        comment
          .replaceAll(/^[ \t]*(?:#+|\/\/+|\/\*+|\*+\/?|"+)[ \t]?/gm, '')
          .replace(/\s*(?:\*\/|"+)$/, ''),
      ),
    );
}

/**
 * The names in a module, with the line of their first occurrence.
 *
 * @param {string} name
 * @param {string} source
 * @returns {Map<string, number>}
 */
export function namesOfModule(name, source) {
  const lineOf = lineNumbers(source);
  const names = new Map();
  new Visitor({
    Identifier({ name, start }) {
      if (!names.has(name)) names.set(name, lineOf(start));
    },
  }).visit(parseSync(name, source).program);
  return names;
}

/** Adjacent line comments are one block. */
function commentBlocks(source, comments) {
  const blocks = [];
  let last;
  for (const { type, start, end, value } of comments) {
    const between = last ? source.slice(last.end, start) : '';
    if (last && type === 'Line' && last.type === 'Line' && /^\n[ \t]*$/.test(between)) {
      last.text += `\n${value}`;
      last.end = end;
    } else {
      last = { type, start, end, text: value };
      blocks.push(last);
    }
  }
  return blocks;
}

/** Paragraphs and tags of a comment; examples, and directives of tools, are skipped. */
function paragraphsOfComment(line, comment) {
  if (/^[*\s]*(?:biome-ignore|@ts-|eslint|prettier|[#@]__|#!|\/ <)/.test(comment)) return [];
  const found = [];
  let current;
  let skipped = false;
  for (const [index, raw] of comment.split('\n').entries()) {
    const text = raw.replace(/^\s*\**\s?/, '').trim();
    const [, tag, rest = ''] = /^@(\w+)(?:\s+\{.*?\})?\s*(.*)$/.exec(text) ?? [];
    if (tag || text === '' || /^(?:[-*] |\d+\. )/.test(text)) current = undefined;
    if (tag) skipped = /^(?:example|typedef|type|satisfies|import|vitest|template)$/.test(tag);
    if (skipped || text === '') continue;
    const content =
      tag === 'param' || tag === 'property' ? rest.replace(/^\S+\s*/, '') : tag ? rest : text;
    if (current) {
      current.text += ` ${content}`;
    } else {
      current = { line: line + index, text: content };
      found.push(current);
    }
  }
  return found.map(({ line, text }) => ({
    line,
    text: plainMarkdown(text.replaceAll(/\{@link ([^}]*)\}/g, '$1')),
  }));
}

/** A function from an offset to its line, from 1. */
function lineNumbers(source) {
  const starts = [0];
  for (const { index } of source.matchAll(/\n/g)) starts.push(index + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
