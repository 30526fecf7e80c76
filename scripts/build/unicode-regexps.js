/**
 * Makes patterns with Unicode properties, such as `/\p{L}/u`, when they are used. V8 checks each
 * pattern in a file as it reads the file, up to 2 ms for such a one: 15 % of `mop sign`.
 */
import { parseAst } from 'rolldown/parseAst';

export const latePatterns = {
  name: 'late-patterns',
  renderChunk(code) {
    let late = '';
    let end = 0;
    for (const { start, end: next, regex } of patterns(parseAst(code))) {
      const { pattern, flags } = regex;
      late += `${code.slice(end, start)}new RegExp(${JSON.stringify(pattern)}, "${flags}")`;
      end = next;
    }
    return late + code.slice(end);
  },
};

/** The literals of such patterns, in their order. */
function patterns(node) {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(patterns);
  if (node.type === 'Literal') return node.regex?.pattern.includes('\\p{') ? [node] : [];
  return Object.values(node).flatMap(patterns);
}
