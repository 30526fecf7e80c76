import { printJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Context } from './context.ts';

/** Prints JSON with its digits unchanged: on one line, or indented on a terminal. */
export async function printDocument(value: JsonValue, { io, output }: Context): Promise<void> {
  const forPerson = io.stdout.isTTY && !output.json;
  await output.jsonText(forPerson ? indented(value, '') : printJson(value));
}

function indented(value: JsonValue, indent: string): string {
  const inner = `${indent}  `;
  const block = (open: string, lines: readonly string[], close: string): string =>
    lines.length === 0
      ? open + close
      : `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
  if (value.kind === 'array') {
    return block(
      '[',
      value.items.map((item) => indented(item, inner)),
      ']',
    );
  }
  if (value.kind === 'object') {
    return block(
      '{',
      value.members.map(({ name, value }) => `${JSON.stringify(name)}: ${indented(value, inner)}`),
      '}',
    );
  }
  return printJson(value);
}
