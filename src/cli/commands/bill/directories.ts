import { join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import { hasLedger } from '../../../platform/bills/ledger.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, configOf } from '../../context/context.ts';
import { shellQuote } from '../../context/print-curl.ts';
import { isProfileName } from '../../context/profile-name.ts';

/** The directory of a profile's bills; with `--all-profiles` each has a folder of its name. */
export function profileDirectory(root: string, profile: string, allProfiles = false): string {
  return allProfiles ? join(root, profile) : root;
}

/** `-o`, the directory of bills. */
export interface BillsOption {
  readonly bills?: string;
}

/**
 * The directory of bills as an argument, or with `-o`.
 *
 * @throws {MopError} `usage` for both.
 */
export function givenDirectory(
  argument: string | undefined,
  { bills }: BillsOption,
): string | undefined {
  assertNoConflict([
    [
      argument !== undefined && bills !== undefined,
      'the directory is given as an argument and with -o',
    ],
  ]);
  return argument ?? bills;
}

/** @throws {MopError} `usage` unless a directory is at `path`. */
export function assertDirectory(path: string): void {
  if (isDirectory(path)) return;
  throw new MopError('usage', `there is no directory ${path}`, {
    hint: `name the directory of the bills, or fetch them first: mop bill fetch --missing -o ${shellQuote(path.replace(/\/?$/, '/'))}`,
  });
}

/** Whether a directory has no ledger, but contains the folder of a profile that has one. */
export async function holdsProfileFolders(path: string, context: Context): Promise<boolean> {
  if (await hasLedger(path)) return false;
  const names = Object.keys(configOf(context).profiles).filter((name) => isProfileName(name));
  const found = await Promise.all(names.map((name) => hasLedger(join(path, name))));
  return found.includes(true);
}
