import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { MopError } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import { endsInSeparator } from '../../../files/file-name.ts';
import { isReservedName } from '../../../platform/bills/bill-key.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Output } from '../../context/output.ts';
import type { BillFetchOptions } from './check-options.ts';
import { profileDirectory } from './directories.ts';

/** The directory for bills, or a file in it for a single bill. */
interface Destination {
  readonly directory: string;
  readonly file: string | undefined;
}

/**
 * The destination of the bills of a profile.
 *
 * @param fallback The directory without `--out`.
 * @param isBatch Whether the options ask for several bills: then `--out` is a directory.
 * @throws {MopError} `usage` for a file where a directory is needed, or with options for a directory.
 */
export function destinationOf(
  fallback: string,
  profile: string,
  { out, name, allProfiles }: BillFetchOptions,
  isBatch: boolean,
  { json }: Output,
): Destination {
  const root = out ?? fallback;
  if (isBatch || out === undefined || endsInSeparator(out) || isDirectory(out)) {
    if (existsSync(root) && !isDirectory(root)) {
      throw new MopError('usage', `${root} is a file, and bills need a directory`, {
        hint: 'name a directory: -o DIR/',
      });
    }
    return { directory: profileDirectory(root, profile, allProfiles), file: undefined };
  }
  assertNoConflict([
    [name !== undefined, '--name is for a directory, and -o names the file'],
    [out === '-' && json, '--json and -o - both write to standard output'],
  ]);
  return { directory: dirname(out), file: out };
}

/** @throws {MopError} `usage` for the name of a file of mop, and for a target that two bills share. */
export function assertTargets(targets: readonly string[]): void {
  const seen = new Set<string>();
  for (const target of targets) {
    if (isReservedName(basename(target))) {
      throw new MopError('usage', `${basename(target)} is a name that mop uses for its own files`, {
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
