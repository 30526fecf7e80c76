import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import { endsInSeparator } from '../../../files/file-name.ts';
import type { BillKey } from '../../../platform/bills/bill-key.ts';
import { LEDGER_NAME } from '../../../platform/bills/ledger.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Output } from '../../context/output.ts';
import { shellQuote } from '../../context/print-curl.ts';
import type { BillFetchOptions } from './check-options.ts';

/** The directory for bills, or a file in it for a single bill. */
interface Destination {
  readonly directory: string;
  readonly file: string | undefined;
}

/** @param fallback The directory without `--out`. */
export function destinationOf(
  fallback: string,
  profile: string,
  { out, allProfiles }: BillFetchOptions,
): Destination {
  const root = out ?? fallback;
  if (allProfiles) return { directory: join(root, profile), file: undefined };
  if (out === undefined || endsInSeparator(out) || isDirectory(out)) {
    return { directory: root, file: undefined };
  }
  return { directory: dirname(out), file: out };
}

const DIRECTORY = 'name a directory: -o DIR/';

/** @throws {MopError} `usage` for a file with several bills, or with options for a directory. */
export function checkDestination(
  { file }: Destination,
  keys: readonly BillKey[],
  { out, name, missing }: BillFetchOptions,
  { json }: Output,
): void {
  if (file === undefined) return;
  const selected = missing
    ? '--missing selects several bills'
    : `${keys.length} bills are selected`;
  assertNoConflict([
    [
      out === '-' && keys.length > 1,
      `${selected}, and only one can go to standard output`,
      DIRECTORY,
    ],
    [
      keys.length > 1 || missing,
      `${selected}, and -o ${out} names one file`,
      existsSync(file)
        ? DIRECTORY
        : `to name a directory, end it with a slash: -o ${shellQuote(`${out}/`)}`,
    ],
    [name !== undefined, '--name is for a directory, and -o names the file'],
    [out === '-' && json, '--json and -o - both write to standard output'],
  ]);
}

/** @throws {MopError} `usage` for a target that is the ledger, or that two bills share. */
export function assertTargets(targets: readonly string[]): void {
  const seen = new Set<string>();
  for (const target of targets) {
    if (basename(target) === LEDGER_NAME) {
      throw new MopError('usage', `${LEDGER_NAME} is the name of the ledger`, {
        hint: 'choose another name for the bill',
      });
    }
    if (seen.has(target)) {
      throw new MopError('usage', `several bills would be written to ${target}`, {
        hint: 'put {date} and {type} into the name template',
      });
    }
    seen.add(target);
  }
}
