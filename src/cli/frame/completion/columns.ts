import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isStored } from '../../../platform/bills/ledger.ts';
import { readLedger } from '../../../platform/bills/read-ledger.ts';
import { openSource } from '../../../reconciliation/table-source.ts';

/** The longest time to read a header, in milliseconds. */
const HEADER_LIMIT = 1000;

/**
 * The columns of the first file of `paths`, or else of the newest bill in a ledger: in a directory
 * of `paths`, or in `directory`. Reads only regular files: reading would empty a pipe.
 */
export async function columnsOf(
  paths: readonly string[],
  directory: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path =
    paths.find((each) => statsOf(each)?.isFile()) ?? (await newestBill(paths, directory, signal));
  if (path === undefined || !statsOf(path)?.isFile()) return [];
  const closing = new AbortController();
  const timer = setTimeout(() => closing.abort(), HEADER_LIMIT);
  try {
    return (await openSource({ path }, [], closing.signal)).columns;
  } finally {
    clearTimeout(timer);
    closing.abort();
  }
}

async function newestBill(
  paths: readonly string[],
  directory: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const place = paths.find((path) => statsOf(path)?.isDirectory()) ?? directory;
  const entry = (await readLedger(place, signal)).entries().findLast(isStored);
  return entry && join(place, entry.file);
}

function statsOf(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}
