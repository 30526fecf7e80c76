import type { FormField } from '../../http/multipart.ts';
import { curlError, shown } from './capture-error.ts';
import type { CommandFiles } from './command-files.ts';
import type { CommandOption } from './command-options.ts';

export function isFormOption({ name }: CommandOption): boolean {
  return name === 'form' || name === 'form-string';
}

/**
 * The fields of the form options, in order.
 *
 * @throws {MopError} `usage` for an argument that curl refuses.
 */
export async function readForm(
  options: readonly CommandOption[],
  files: CommandFiles,
): Promise<readonly FormField[]> {
  const fields: FormField[] = [];
  for (const option of options) {
    if (option.name === 'form-string') {
      const [name, value] = splitField(option.value, '--form-string');
      fields.push({ name, value });
      continue;
    }
    const { name, kind, value, filename } = formArgument(option.value);
    if (kind === 'upload') {
      const file = filename ?? value.slice(value.lastIndexOf('/') + 1);
      const content = await files.optionalBytes(value);
      fields.push(content ? { name, file, content } : { name, file });
      continue;
    }
    const text = kind === 'content' ? await files.text(value, '-F') : value;
    fields.push(
      filename === undefined
        ? { name, value: text }
        : { name, file: filename, content: new TextEncoder().encode(text) },
    );
  }
  return fields;
}

interface FormArgument {
  readonly name: string;
  /** A text, a file to upload (`@`), or a file whose content is the text (`<`). */
  readonly kind: 'text' | 'upload' | 'content';
  /** The text, or the path. */
  readonly value: string;
  /**
   * The file name to send. It replaces the last part of the path. A text with a name becomes a file.
   */
  readonly filename: string | undefined;
}

/**
 * Reads `name=value`, `name=@file` or `name=<file`, each with parameters after a `;`.
 *
 * @throws {MopError} `usage` when there is no `=`, or several files.
 */
function formArgument(argument: string): FormArgument {
  const [name, content] = splitField(argument, '-F');
  if (content.startsWith('@')) {
    const { word, end, rest } = firstWord(content.slice(1), /[;,]/);
    if (end === ',') {
      throw curlError(
        `the form field ${shown(name)} holds several files`,
        'send each file in a separate field: names must be distinct to be signed',
      );
    }
    return { name, kind: 'upload', value: word, filename: filenameParameter(rest) };
  }
  const isContent = content.startsWith('<');
  const { word, rest } = firstWord(isContent ? content.slice(1) : content);
  return {
    name,
    kind: isContent ? 'content' : 'text',
    value: word,
    filename: filenameParameter(rest),
  };
}

/** @throws {MopError} `usage` unless the argument is `name=value`. */
function splitField(argument: string, option: string): [name: string, value: string] {
  const at = argument.indexOf('=');
  if (at !== -1) return [argument.slice(0, at), argument.slice(at + 1)];
  throw curlError(
    `${option} ${shown(argument)} is not name=value`,
    'check the quoting around the field',
  );
}

/** The text before the first `;`: in double quotes with `\"` and `\\`, or trimmed. */
function firstWord(text: string, end = /;/): { word: string; end: string; rest: string } {
  const trimmed = text.trimStart();
  const close = trimmed.startsWith('"') ? closingQuote(trimmed) : -1;
  const behind = trimmed.slice(close + 1);
  const at = behind.search(end);
  const word =
    close === -1
      ? behind.slice(0, at === -1 ? undefined : at).trimEnd()
      : trimmed.slice(1, close).replace(/\\(["\\])/g, '$1');
  return at === -1
    ? { word, end: '', rest: '' }
    : { word, end: behind.charAt(at), rest: behind.slice(at + 1) };
}

/** The offset of the quote that closes the first one of `text`; -1 for an open quote. */
function closingQuote(text: string): number {
  const special = /["\\]/g;
  special.lastIndex = 1;
  for (;;) {
    const found = special.exec(text);
    if (found === null || found[0] === '"') return found?.index ?? -1;
    if (/["\\]/.test(text.charAt(special.lastIndex))) special.lastIndex++;
  }
}

function filenameParameter(parameters: string): string | undefined {
  for (let rest = parameters; rest !== ''; ) {
    const parameter = rest.trimStart();
    if (parameter.startsWith('filename=')) return firstWord(parameter.slice(9)).word;
    rest = firstWord(parameter).rest;
  }
  return undefined;
}
