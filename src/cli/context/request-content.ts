import { constants, promises } from 'node:fs';
import { withoutBlanks } from '../../any-length.ts';
import { MopError, own, quoted } from '../../errors.ts';
import { failureReason } from '../../files/file-error.ts';
import type { FormField } from '../../http/multipart.ts';
import { credentialsIn } from '../../redaction/credentials.ts';
import type { Header } from '../../signing/header-mode.ts';
import { assertNoConflict } from './conflicts.ts';
import type { Context } from './context.ts';
import { argumentText, bodyFromFields, type FieldOption, splitAssignment } from './input.ts';
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
      'the body is given both as BODY and with -F or -f',
      'put all fields into BODY, or use only -F and -f',
    ],
  ]);
  if (form.length > 0) return form;
  if (fields) return bodyFromFields(fields, io);
  return body === undefined ? undefined : argumentText(body, io);
}

/** Parses a signed header in the format of curl: `Name: value`, or `Name;` for an empty value. */
export function parseHeader(line: string): Header {
  return headerOf(line, '-H', 'X-TMS-Trace: 1');
}

function headerOf(line: string, option: string, example = 'X-Tenant: north'): Header {
  const [, name, value] = /^([^:;\s]+)(?::(.*)|;)$/s.exec(line) ?? [];
  if (name !== undefined) return [name, withoutBlanks(value ?? '')];
  // The message does not quote the value: it may be a credential.
  throw new MopError('usage', `${option} takes 'Name: value'`, {
    hint: quoted`write it as ${own(option)} '${own(example)}'`,
  });
}

/** Parses the headers of `-H`, and redacts their credentials in messages from now on. */
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

/** Parses `key=@PATH`, the value of an option that sends a file. */
export async function fileAssignment(
  text: string,
  option: string,
): Promise<{ readonly name: string; readonly file: string }> {
  const [name, value] = splitAssignment(text, option, 'key=@path');
  if (!value.startsWith('@')) {
    throw new MopError('usage', `${option} takes key=@path, not ${JSON.stringify(text)}`, {
      hint: quoted`write it as ${own(option)} ${name}=@path`,
    });
  }
  const file = value.slice(1);
  const fault = await fileFault(file);
  if (fault === undefined) return { name, file };
  throw new MopError('usage', `cannot read the file ${file}: ${fault}`, {
    hint: quoted`check the path after ${name}=@`,
  });
}

/** The reason why a file cannot be sent. A pipe cannot: Content-Length needs its size. */
async function fileFault(path: string): Promise<string | undefined> {
  try {
    await promises.access(path, constants.R_OK);
    return (await promises.stat(path)).isFile() ? undefined : 'it is not a regular file';
  } catch (error) {
    return failureReason(error);
  }
}
