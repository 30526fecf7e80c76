import { MopError } from '../errors.ts';
import { fileFormat } from '../files/file-format.ts';
import { sourceName } from './rows-file.ts';

export interface Content {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether the bytes are a sheet of a workbook, as CSV. */
  readonly isSheet: boolean;
  /** The name of the unpacked file, for a note. */
  readonly note?: string | undefined;
}

export const HEAD_BYTES = 8;

/** Throws `usage` for a file of another format, also for an archive in an archive. */
export function assertKnownFormat(head: Uint8Array, path: string, verb = 'is'): void {
  const format = fileFormat(head);
  if (!format) return;
  throw new MopError('usage', `${sourceName(path)} ${verb} ${format.name}`, { hint: format.hint });
}
