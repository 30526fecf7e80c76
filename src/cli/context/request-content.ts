import { constants, promises } from 'node:fs';
import { MopError } from '../../errors.ts';
import { credentialsIn } from '../../http/headers.ts';
import type { FormField } from '../../http/multipart.ts';
import type { Header } from '../../signing/header-mode.ts';
import { assertNoConflict } from './conflicts.ts';
import type { Context } from './context.ts';
import { bodyFromFields, type FieldOption, readText, splitAssignment } from './input.ts';
import type { Io } from './io.ts';

export interface ContentOptions {
  /** `-F` and `-f` share one list. */
  readonly field?: readonly FieldOption[];
  readonly rawField?: readonly FieldOption[];
  readonly form?: readonly string[];
  readonly file?: readonly string[];
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
  assertNoConflict([
    [
      form.length > 0 && (body !== undefined || fields),
      'a request has either a JSON body or a multipart form',
      'leave out BODY, -F and -f, or --form and --file',
    ],
    [
      body !== undefined && fields,
      'a body comes as BODY or from -F and -f, not from both',
      'write all fields in one of the two ways',
    ],
  ]);
  if (form.length > 0) return form;
  if (fields) return bodyFromFields(fields, io);
  return body === undefined ? undefined : readText(body, io);
}

/** A header line as curl takes it: `Name: value`, or `Name;` for an empty value. */
export function parseHeader(line: string): Header {
  return headerOf(line, '-H');
}

function headerOf(line: string, option: string): Header {
  const [, name, value] = /^([^:;\s]+)(?::[ \t]*(.*?)[ \t]*|;)$/s.exec(line) ?? [];
  if (name !== undefined) return [name, value ?? ''];
  // The message does not quote the value: it may be a credential.
  throw new MopError('usage', `${option} takes 'Name: value', and was given something else`, {
    hint: `write it as ${option} '${option === '-H' ? 'X-TMS-Trace: 1' : 'X-Tenant: north'}'`,
  });
}

/** Headers as `-H` takes them. No message shows the credentials among them from now on. */
export function readHeaders(
  lines: readonly string[] = [],
  { output }: Context,
  option = '-H',
): Header[] {
  const headers = lines.map((line) => headerOf(line, option));
  for (const secret of credentialsIn(headers)) output.conceal(secret);
  return headers;
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
