import { TemporaryFile } from '../files/temporary-file.ts';
import type { RowsFile } from './rows-file.ts';

/** A file that can be read several times. */
export interface ReadableFile {
  readonly path: string;
  /** The file, to be read once. */
  open(): RowsFile;
}

/**
 * Makes a file readable several times: a stream is stored first, in a file that the caller closes.
 */
export async function rereadable(file: RowsFile, spooled: TemporaryFile[]): Promise<ReadableFile> {
  const { path, content } = file;
  if (!content) return { path, open: () => file };
  const stored = await TemporaryFile.open('the input');
  spooled.push(stored);
  for await (const chunk of content) await stored.append(chunk);
  return { path, open: () => ({ ...file, content: stored.stream() }) };
}
