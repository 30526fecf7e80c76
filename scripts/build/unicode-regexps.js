/**
 * Writes regular expression literals with Unicode properties, such as `/\p{L}/u`, as
 * `new RegExp(…)`. V8 validates every literal when it parses a file, which takes up to 2 ms each. This
 * saves 15 % of `mop sign`.
 */
import { parseAst } from 'rolldown/parseAst';
import { rewriteChunks } from './plugins.js';

export const unicodeRegExps = rewriteChunks('unicode-regexps', (code) => {
  let written = '';
  let end = 0;
  for (const { start, end: next, regex } of patterns(parseAst(code))) {
    const { pattern, flags } = regex;
    written += `${code.slice(end, start)}new RegExp(${JSON.stringify(pattern)}, "${flags}")`;
    end = next;
  }
  return written + code.slice(end);
});

/** The literals with Unicode properties, in source order. */
function patterns(node) {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(patterns);
  if (node.type === 'Literal') return node.regex?.pattern.includes('\\p{') ? [node] : [];
  return Object.values(node).flatMap(patterns);
}
