import { TemporaryFile } from '../files/temporary-file.ts';
import type { RowsFile } from './rows-file.ts';

/** A file that can be read several times. */
export interface ReadableFile {
  readonly path: string;
  /** The file, to be read once. */
  open(): RowsFile;
}

/**
 * Makes a file readable several times: content that comes as a stream is stored first.
 *
 * @param spooled Receives the temporary file, which the caller closes.
 * @throws {MopError} `io`
 */
export async function rereadable(file: RowsFile, spooled: TemporaryFile[]): Promise<ReadableFile> {
  const { path, content } = file;
  if (!content) return { path, open: () => file };
  const stored = await TemporaryFile.open('the input');
  spooled.push(stored);
  for await (const chunk of content) await stored.append(chunk);
  return { path, open: () => ({ ...file, content: stored.stream() }) };
}
