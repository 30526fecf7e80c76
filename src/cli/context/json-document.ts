import { list, text } from '../../json/build.ts';
import { parseJson } from '../../json/parse.ts';
import { printJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Context } from './context.ts';

/** A longer document is not indented: a person does not read it, and its values take memory. */
const MAX_INDENTED = 1024 ** 2;

/** Prints JSON with its digits unchanged: on one line, or indented on a terminal. */
export async function printDocument(value: JsonValue, context: Context): Promise<void> {
  await printJsonText(printJson(value), context);
}

/** {@link printDocument} for compact JSON. */
export async function printJsonText(json: string, { io, output }: Context): Promise<void> {
  const forPerson = io.stdout.isTTY && !output.json && json.length <= MAX_INDENTED;
  await output.jsonText(forPerson ? indented(parseJson(json), '') : json);
}

/** {@link printDocument} without the secrets that the server repeats. */
export async function printAnswer(value: JsonValue, context: Context): Promise<void> {
  await printDocument(withoutSecrets(value, context.output.cleanData), context);
}

/** JSON whose texts are cleaned, also names. A number with a secret becomes a text. */
export function withoutSecrets(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (value.kind === 'string') return text(clean(value.value));
  if (value.kind === 'array') return list(value.items.map((item) => withoutSecrets(item, clean)));
  if (value.kind === 'object') {
    const members = value.members.map((member) => ({
      name: clean(member.name),
      value: withoutSecrets(member.value, clean),
    }));
    return { kind: 'object', members };
  }
  const printed = printJson(value);
  const shown = clean(printed);
  return shown === printed ? value : text(shown);
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
