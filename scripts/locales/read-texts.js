/** Extracts the English texts that mop prints for people. */
import { parseSync, Visitor } from 'rolldown/utils';
import { childrenOf, isStyle, separated, trimmed, Variants } from './variants.js';

/**
 * @typedef {object} Found
 * @property {string} text With `{}` for each inserted value.
 * @property {number} line The line, from 1, on which it begins.
 * @property {boolean} isWord Whether it is a heading or a styled word, which is not a sentence.
 */

/**
 * The texts of a module: strings of two words or more, headings and styled words. Skips messages of
 * errors that only a bug causes, and examples of commands.
 *
 * @param {string} name The file name, which decides the language.
 * @param {string} source
 * @returns {Found[]}
 */
export function textsOfModule(name, source) {
  const { program } = parseSync(name, source);
  const variants = new Variants(program);
  const lineOf = lineNumbers(source);
  /** Nodes that are not texts, or parts of a text. */
  const skipped = new Set();
  const found = [];

  const skip = (node) => {
    skipped.add(node);
    for (const child of childrenOf(node)) skip(child);
  };
  const skipParts = (node) => {
    // A styled text in a template is also a text of its own.
    if (!variants.of(node) || (node.type === 'CallExpression' && isStyle(node.callee))) return;
    skipped.add(node);
    for (const child of childrenOf(node)) skipParts(child);
  };
  const add = (node, { isWord = false, split = separated } = {}) => {
    const texts = skipped.has(node) ? undefined : variants.of(node);
    if (!texts) return;
    skipParts(node);
    for (const text of texts.flatMap(split)) {
      const isSentence = isText(text);
      if (isSentence || (isWord && isHeading(text))) {
        found.push({ text, line: lineOf(node.start), isWord: !isSentence });
      }
    }
  };
  const visit = (node) => add(node);

  new Visitor({
    ImportDeclaration: skip,
    ExportAllDeclaration: skip,
    ImportExpression: skip,
    TSLiteralType: skip,
    ExportNamedDeclaration({ source: from }) {
      if (from) skip(from);
    },
    NewExpression(node) {
      if (/^(?:Type|Range)?Error$|^RegExp$/.test(node.callee.name)) skip(node);
    },
    CallExpression(node) {
      const { callee, arguments: values } = node;
      if (isStyle(callee)) add(values[0], { isWord: true });
      if (/^(?:options|commands)Group$/.test(callee.property?.name))
        add(values[0], { isWord: true });
      const name = callee.property?.name ?? callee.name;
      const headings =
        name === 'table' ? (values[0]?.elements ?? []) : name === 'row' ? values : [];
      for (const each of headings) add(each, { isWord: true });
      visit(node);
    },
    Property({ key, value, computed }) {
      if (key.name === 'examples') skip(value);
      if (key.name === 'notes') add(value, { split: notesOf });
      if (!computed && key.type === 'Literal') visit(key);
    },
    BinaryExpression: visit,
    ConditionalExpression: visit,
    TaggedTemplateExpression: visit,
    TemplateLiteral: visit,
    Literal: visit,
    VariableDeclarator({ id, init }) {
      if (id.name !== 'headings') return;
      for (const each of init?.elements ?? []) add(each, { isWord: true });
    },
  }).visit(program);
  return found;
}

/**
 * All strings of a module, in the form of {@link textsOfModule}.
 *
 * @param {string} name
 * @param {string} source
 * @returns {string[]}
 */
export function stringsOfModule(name, source) {
  const { program } = parseSync(name, source);
  const variants = new Variants(program);
  const found = [];
  const visit = (node) => {
    for (const text of variants.of(node) ?? []) found.push(trimmed(text), ...separated(text));
  };
  new Visitor({
    BinaryExpression: visit,
    CallExpression: visit,
    ConditionalExpression: visit,
    TaggedTemplateExpression: visit,
    TemplateLiteral: visit,
    Literal: visit,
    Property({ key }) {
      if (key.type === 'Identifier') found.push(key.name);
    },
  }).visit(program);
  return found;
}

/**
 * The texts in JSON data: values of two words or more. `$1` counts as an inserted value.
 *
 * @param {string} source
 * @returns {Found[]}
 */
export function textsOfJson(source) {
  const found = [];
  JSON.parse(source, (_, value) => {
    const text = typeof value === 'string' ? value.replaceAll(/\$\d/g, '{}') : '';
    if (isText(text)) found.push({ text, line: 1, isWord: false });
    return value;
  });
  return found;
}

/**
 * All strings in JSON data.
 *
 * @param {string} source
 * @returns {string[]}
 */
export function stringsOfJson(source) {
  const found = [];
  JSON.parse(source, (_, value) => {
    if (typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

/**
 * The texts of help topics in Markdown: headings, paragraphs, and the cells of tables. Skips
 * commands.
 *
 * @param {string} source
 * @returns {Found[]}
 */
export function textsOfTopics(source) {
  const lineOf = lineNumbers(source);
  const blocks = source.replaceAll(/^```console[\s\S]*?^```/gm, (code) =>
    code.replaceAll(/./g, ''),
  );
  return [...blocks.matchAll(/(?:^.+\n?)+/gm)].flatMap(({ 0: fenced, index }) => {
    const block = fenced.replaceAll(/^(?:```| +mop ).*\n?/gm, '');
    const [, heading] = /^## (?:[\w-]+: )?(.*)/.exec(block) ?? [];
    const line = lineOf(index);
    if (heading !== undefined) return [{ text: heading, line, isWord: !isText(heading) }];
    const texts = partsOfParagraph(block).filter(isText);
    return texts.map((text) => ({ text, line, isWord: false }));
  });
}

/** The notes of a help: paragraphs, and the cells of tables. */
function notesOf(text) {
  return text.split(/\n\s*\n/).flatMap(partsOfParagraph);
}

/** A paragraph or each item of a list as one line; or the cells of a table. */
function partsOfParagraph(block) {
  const items = block.split(/\n(?= *\d+\. )/);
  if (items.length > 1) return items.flatMap(partsOfParagraph);
  const rows = [];
  for (const line of block.split('\n')) {
    const [before] = /^.*\S {2,}(?=\S)/.exec(rows.at(-1) ?? '') ?? [];
    // A line below the last column continues it.
    if (before?.length === line.search(/\S/)) rows.push(`${rows.pop()} ${line.trim()}`);
    else rows.push(line);
  }
  const lines = rows.map((line) => line.trim());
  const isTable = lines.some((line) => line.includes('  '));
  return isTable ? lines.flatMap((line) => line.split(/ {2,}/)) : [lines.join(' ').trim()];
}

/** Two words or more, one of them of letters only. */
function isText(text) {
  const words = text.replaceAll('{}', ' ').replaceAll(/"[^"]*"|`[^`]*`/g, ' ');
  const hasWord = /(?:^|[^\w./-])[a-z]{2,}(?![\w./=(-])/i.test(words);
  return hasWord && /[\w}][,:;.)"]* +["(]*[\w{]/.test(text);
}

function isHeading(text) {
  return /^[A-Z]?[A-Za-z -]+:?$/.test(text) && /[a-z]{2}/i.test(text);
}

function lineNumbers(source) {
  const starts = [...source.matchAll(/^/gm)].map(({ index }) => index);
  return (offset) => starts.filter((start) => start <= offset).length;
}
