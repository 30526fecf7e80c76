import { MopError } from '../../errors.ts';
import { utf8Bytes } from '../bytes.ts';
import { captureError, shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';
import { utf8Text } from './decoding.ts';
import type { ShellInput } from './shell-commands.ts';
import type { ReadFile } from './source.ts';

export class CommandFiles {
  /** Warnings about files that were not read, or that the command changes before sending. */
  readonly notes: string[] = [];
  readonly #readFile: ReadFile | undefined;

  readonly #format: CaptureFormat;
  readonly #input: ShellInput | undefined;

  /** @param input The standard input of the command. */
  constructor(format: CaptureFormat, readFile: ReadFile | undefined, input?: ShellInput) {
    this.#format = format;
    this.#readFile = readFile;
    this.#input = input;
  }

  /**
   * @param option The option that names the file, for errors.
   * @throws {MopError} `usage` when the file cannot be read, and the other errors of {@link ReadFile}.
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
      throw captureError(
        this.#format,
        `${option}: ${readFailure(path, error)}`,
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

function readFailure(path: string, error: unknown): string {
  if (error instanceof MopError) return error.message;
  return `cannot read ${shown(path)}: ${error instanceof Error ? error.message : error}`;
}
