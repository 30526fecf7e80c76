import { type JsonValue, printJson } from '../signing/json.ts';
import type { Context } from './context.ts';

/** Prints JSON of the platform with its digits: in one line, or indented for a person. */
export async function printDocument(value: JsonValue, { io, output }: Context): Promise<void> {
  const forPerson = io.stdout.isTTY && !output.json;
  await output.data(forPerson ? escapeInvisible(indented(value, '')) : printJson(value));
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

/** JSON means the same with these escaped, and a terminal does not obey them. */
function escapeInvisible(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
