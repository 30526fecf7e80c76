import { MopError } from '../../errors.ts';
import { curlError, shown } from './capture-error.ts';
import { utf8Text } from './decoding.ts';

/** Reads a file that a command names, from where the command was run. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

export class CommandFiles {
  /** Losses while reading them. */
  readonly notes: string[] = [];
  readonly #readFile: ReadFile | undefined;

  constructor(readFile: ReadFile | undefined) {
    this.#readFile = readFile;
  }

  /** @throws {MopError} `usage` when it cannot be read. */
  async bytes(path: string, option: string): Promise<Uint8Array> {
    if (path === '-') {
      throw curlError(
        `${option} takes its data from standard input, which a command does not hold`,
        'save the data to a file and name that behind the @',
      );
    }
    if (this.#readFile === undefined) {
      throw curlError(
        `${option} takes its data from the file ${shown(path)}, and files are not read here`,
        'put the data into the command',
      );
    }
    try {
      return await this.#readFile(path);
    } catch (error) {
      throw curlError(
        `the file ${shown(path)} of ${option} cannot be read: ${error instanceof Error ? error.message : error}`,
        'run this where the command was run, or put the data into the command',
        error,
      );
    }
  }

  /** @throws {MopError} `usage` when it cannot be read, or is not UTF-8. */
  async text(path: string, option: string): Promise<string> {
    return utf8Text(await this.bytes(path, option), `the file ${shown(path)}`, 'curl');
  }

  /** The content of an uploaded file. It is never signed, so that it may be missing. */
  async optionalBytes(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.bytes(path, '-F');
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      this.notes.push(`the uploaded file ${shown(path)} was not read; its content is not signed`);
      return undefined;
    }
  }
}
