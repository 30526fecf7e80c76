import { MopError, withDetails } from '../../errors.ts';
import type { FormField } from '../../http/multipart.ts';
import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import { type CaptureFormat, type Content, captureError, shown } from './captured-request.ts';
import { readContent } from './content.ts';
import { utf8Text } from './decoding.ts';
import type { ShellCommand, ShellInput } from './shell-commands.ts';
import type { ReadFile } from './source.ts';

export class CommandFiles {
  readonly notes: string[];
  readonly #readFile: ReadFile | undefined;

  readonly #format: CaptureFormat;
  readonly #input: ShellInput | undefined;

  constructor(
    format: CaptureFormat,
    readFile: ReadFile | undefined,
    command: Partial<Pick<ShellCommand, 'input' | 'notes'>> = {},
  ) {
    this.#format = format;
    this.#readFile = readFile;
    this.#input = command.input;
    this.notes = [...(command.notes ?? [])];
  }

  /** The hint of an error has the notes: the body probably contains expansions of the shell. */
  content(body: Uint8Array | readonly FormField[], headers: readonly Header[]): Content {
    if (!(body instanceof Uint8Array)) return { body, notes: this.notes };
    try {
      const read = readContent(body, headers, this.#format);
      return { body: read.body, notes: [...this.notes, ...read.notes] };
    } catch (error) {
      throw this.notes.length > 0 ? withDetails(error, { hint: this.notes.join('; ') }) : error;
    }
  }

  noBody(options: string): MopError {
    return captureError(
      this.#format,
      `it has no body (none of ${options})`,
      [...this.notes, 'copy the whole command; an address with & must be in quotes'].join('; '),
    );
  }

  /**
   * @throws {MopError} `usage` when the file cannot be read, and other errors of {@link ReadFile}.
   */
  async bytes(path: string, option: string): Promise<Uint8Array> {
    if (path === '-') return this.#inputBytes(option);
    if (this.#readFile === undefined) {
      throw captureError(
        this.#format,
        `${option} takes its data from the file ${shown(path)}, which is not read here`,
        'add the data to the capture',
      );
    }
    try {
      return await this.#readFile(path);
    } catch (error) {
      // A signal, for example: the file is not at fault.
      if (error instanceof MopError && error.code !== 'usage') throw error;
      const reason = error instanceof Error ? error.message : error;
      throw captureError(
        this.#format,
        `${option}: ${error instanceof MopError ? reason : `cannot read ${shown(path)}: ${reason}`}`,
        'run this in the directory of the capture, or add the data to the capture',
        error,
      );
    }
  }

  async #inputBytes(option: string): Promise<Uint8Array> {
    const input = this.#input;
    if (input && 'text' in input) return utf8Bytes(input.text);
    if (input && 'path' in input) return this.bytes(input.path, option);
    throw captureError(
      this.#format,
      input
        ? `${option} takes its data from the output of ${shown(input.command)}, which mop does not run`
        : `${option} takes its data from standard input, which the command does not contain`,
      'replace the - with the data, or save the data to a file and name that file',
    );
  }

  /** @throws {MopError} `usage` when the file cannot be read, or is not UTF-8. */
  async text(path: string, option: string): Promise<string> {
    return utf8Text(await this.bytes(path, option), `the file ${shown(path)}`, this.#format);
  }

  /** The content of an uploaded file. It is never signed, so it may be missing. */
  async optionalBytes(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.bytes(path, '-F');
    } catch (error) {
      if (!(error instanceof MopError) || error.code !== 'usage') throw error;
      this.notes.push(`the uploaded file ${shown(path)} was not read; its content is not signed`);
      return undefined;
    }
  }
}
