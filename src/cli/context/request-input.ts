import { constants, promises } from 'node:fs';
import { Option } from 'commander';
import { MopError } from '../../errors.ts';
import type { FormField } from '../../http/multipart.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import type { Header, NullAs } from '../../signing/header-mode.ts';
import { type Command, collect } from '../frame/command.ts';
import { bodyFromFields, type FieldOption, readText, splitAssignment } from './input.ts';
import type { Io } from './io.ts';

/** The options that give a request its content. */
export interface ContentOptions {
  /** `-F` and `-f` share one list. */
  readonly field?: readonly FieldOption[];
  readonly rawField?: readonly FieldOption[];
  readonly form?: readonly string[];
  readonly file?: readonly string[];
}

/** The options that say how a request is signed. */
export interface ModeOptions {
  readonly mode?: SignatureMode;
  readonly header?: readonly string[];
  readonly nullAs?: NullAs;
}

/** `-F` and `-f`. */
export function addFieldOptions(command: Command): Command {
  // One list for both, so that the fields keep the order of the command line.
  const fields: FieldOption[] = [];
  const addField = (typed: boolean) => (text: string) => {
    fields.push({ typed, text });
    return fields;
  };
  return command
    .optionsGroup('Fields:')
    .option(
      '-F, --field <key=value>',
      'add a field: a JSON literal, a string, or @FILE',
      addField(true),
    )
    .option('-f, --raw-field <key=value>', 'add a field that is a string', addField(false));
}

/** `--form` and `--file`. */
export function addFormOptions(command: Command): Command {
  return command
    .option('--form <key=value>', 'a field of a multipart form (header mode)', collect)
    .option(
      '--file <key=@path>',
      'a file of a multipart form, never signed (header mode)',
      collect,
    );
}

/** `--mode`, and what belongs to header mode. */
export function addModeOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mode <mode>', 'body: protocol 1.0 (the default); header: 2.0').choices([
        'body',
        'header',
      ]),
    )
    .option('-H, --header <line>', "sign 'X-TMS-…: value' as well (header mode)", collect)
    .addOption(
      new Option('--null-as <how>', 'how a null is signed (header mode; empty)').choices([
        'empty',
        'omit',
        'text',
      ]),
    );
}

/**
 * The content of a request: a JSON object as text, or the fields of a multipart form. Undefined
 * when nothing was given.
 *
 * @throws {MopError} `usage` when it is given in more than one way, or a file cannot be read.
 */
export async function requestContent(
  body: string | undefined,
  options: ContentOptions,
  io: Io,
): Promise<string | readonly FormField[] | undefined> {
  const fields = options.field ?? options.rawField;
  const form = await formFields(options);
  if (form.length > 0 && (body !== undefined || fields)) {
    throw new MopError('usage', 'a request has either a JSON body or a multipart form', {
      hint: 'leave out BODY, -F and -f, or --form and --file',
    });
  }
  if (body !== undefined && fields) {
    throw new MopError('usage', 'a body comes as BODY or from -F and -f, not from both', {
      hint: 'write all fields in one of the two ways',
    });
  }
  if (form.length > 0) return form;
  if (fields) return bodyFromFields(fields, io);
  return body === undefined ? undefined : readText(body, io);
}

/** @throws {MopError} `usage` for options of header mode in body mode. */
export function checkMode(
  mode: SignatureMode,
  { header, nullAs, form, file }: ModeOptions & ContentOptions,
  more: readonly (readonly [given: unknown, name: string])[] = [],
): void {
  if (mode === 'header') return;
  const misplaced = [
    ...more,
    [header, '-H'],
    [nullAs, '--null-as'],
    [form, '--form'],
    [file, '--file'],
  ].find(([given]) => given !== undefined);
  if (misplaced) {
    throw new MopError('usage', `${misplaced[1]} belongs to header mode`, {
      hint: 'add --mode header',
    });
  }
}

/** A header line as curl takes it: `Name: value`, or `Name;` for an empty value. */
export function parseHeader(line: string): Header {
  const [, name, value] = /^([^:;\s]+)(?::[ \t]*(.*?)[ \t]*|;)$/s.exec(line) ?? [];
  if (name !== undefined) return [name, value ?? ''];
  // What was given is not shown: it may be a credential.
  throw new MopError('usage', "-H takes 'Name: value', and was given something else", {
    hint: "write it as -H 'X-TMS-Trace: 1'",
  });
}

async function formFields({ form = [], file = [] }: ContentOptions): Promise<FormField[]> {
  const texts = form.map((text): FormField => {
    const [name, value] = splitAssignment(text, '--form');
    return { name, value };
  });
  return [...texts, ...(await Promise.all(file.map((text) => fileAssignment(text, '--file'))))];
}

/**
 * A file that an option names as `key=@PATH`.
 *
 * @throws {MopError} `usage` unless it is one that can be sent.
 */
export async function fileAssignment(
  text: string,
  option: string,
): Promise<{ readonly name: string; readonly file: string }> {
  const [name, value] = splitAssignment(text, option);
  if (!value.startsWith('@')) {
    throw new MopError('usage', `${option} takes key=@path, not ${JSON.stringify(text)}`, {
      hint: `write it as ${option} ${name}=@PATH`,
    });
  }
  const file = value.slice(1);
  const fault = await fileFault(file);
  if (fault === undefined) return { name, file };
  throw new MopError('usage', `cannot read the file ${file} (${fault})`, {
    hint: `check the path behind ${name}=@`,
  });
}

/** Why a file cannot be sent: its length is announced, so a pipe will not do. */
async function fileFault(path: string): Promise<string | undefined> {
  try {
    await promises.access(path, constants.R_OK);
    return (await promises.stat(path)).isFile() ? undefined : 'it is not a regular file';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
