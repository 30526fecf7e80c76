import { MopError, withDetails } from '../../errors.ts';
import type { FormField } from '../../http/multipart.ts';
import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import { type CaptureFormat, type Content, captureFault, shown } from './captured-request.ts';
import { readContent } from './content.ts';
import { utf8Text } from './decoding.ts';
import type { ShellCommand, ShellInput } from './shell-words.ts';
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

  noBody(options: string): unknown {
    const error = captureFault(this.#format, 'no-body', [options]);
    return withDetails(error, { hint: [...this.notes, error.hint].join('; ') });
  }

  /**
   * @throws {MopError} `usage` when the file cannot be read, and other errors of {@link ReadFile}.
   */
  async bytes(path: string, option: string): Promise<Uint8Array> {
    if (path === '-') return this.#inputBytes(option);
    if (this.#readFile === undefined) {
      throw captureFault(this.#format, 'unread-file', [option, shown(path)]);
    }
    try {
      return await this.#readFile(path);
    } catch (error) {
      // A signal, for example: the file is not at fault.
      if (error instanceof MopError && error.code !== 'usage') throw error;
      const reason = error instanceof Error ? error.message : error;
      const fault = error instanceof MopError ? reason : `cannot read ${shown(path)}: ${reason}`;
      throw captureFault(this.#format, 'unreadable-file', [option, fault], error);
    }
  }

  async #inputBytes(option: string): Promise<Uint8Array> {
    const input = this.#input;
    if (input && 'text' in input) return utf8Bytes(input.text);
    if (input && 'path' in input) return this.bytes(input.path, option);
    throw input
      ? captureFault(this.#format, 'unknown-output', [option, shown(input.command)])
      : captureFault(this.#format, 'unknown-input', [option]);
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
