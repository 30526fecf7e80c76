import { withoutBackslashes } from '../../notations/escapes.ts';

/** A line with a key: its indentation with the dashes of lists, and the value. */
const KEY = /^([ \t]*(?:- +)*)(?:["'][^"'\n]{1,64}["']|[\p{L}\p{N}_.$-]{1,64}):(?:[ \t]+(.*))?$/su;
const ITEM = /^([ \t]*(?:- +)+)(.*)$/s;
const NO_CONTENT = /^(?:[ \t]*(?:#.*)?|---.*|\.\.\.|%\w.*)$/;
const BLOCK = /^[|>][-+\d]*[ \t]*(?:#.*)?$/;
/** Tags and anchors before a value. */
const PROPERTIES = /^(?:[!&][^\s,[\]{}]*[ \t]+)+/;
const QUOTED = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^']|'')*)')[ \t]*(?:#.*)?$/;

interface Value {
  readonly indent: number;
  readonly lines: string[];
}

/**
 * The values of a text in which every line belongs to YAML, if a notation of YAML hides one: quotes,
 * a block, a tag, or lines that continue a value. Other texts with colons show their values.
 */
export function yamlValues(text: string): readonly string[] {
  const values: Value[] = [];
  let hasKey = false;
  for (const line of text.split(/\r?\n/)) {
    const value = values.at(-1);
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const isInBlock = value !== undefined && BLOCK.test(value.lines[0] ?? '');
    if (isInBlock && (indent > value.indent || line.trim() === '')) {
      value.lines.push(line.trim());
      continue;
    }
    if (NO_CONTENT.test(line)) continue;
    const key = KEY.exec(line);
    hasKey ||= key !== null;
    const [, prefix, content = ''] = key ?? ITEM.exec(line) ?? [];
    if (prefix !== undefined) {
      values.push({
        indent: prefix.search(/-|$/),
        lines: [content.replace(PROPERTIES, '').trim()],
      });
    } else if (value !== undefined && indent > value.indent) {
      value.lines.push(line.trim());
    } else {
      return [];
    }
  }
  const isHidden = values.some(({ lines }) => lines.length > 1 || QUOTED.test(lines[0] ?? ''));
  return isHidden && hasKey ? values.map(({ lines }) => textOf(lines)) : [];
}

function textOf([first = '', ...rest]: readonly string[]): string {
  if (BLOCK.test(first)) return rest.join(first.startsWith('|') ? '\n' : ' ').trim();
  const folded = [first, ...rest].join(' ');
  const [, double, single] = QUOTED.exec(folded) ?? [];
  if (double !== undefined) return withoutBackslashes(double)[0] ?? double;
  return single?.replaceAll("''", "'") ?? folded;
}
