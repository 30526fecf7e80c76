import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { MopError, quoted } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import { type BillOwner, hasLedger } from '../../../platform/bills/ledger.ts';
import { isProfileName } from '../../context/config-file.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, configOf } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';

/** The directory of a profile's bills; with `--all-profiles` each has a folder of its name. */
export function profileDirectory(root: string, profile: string, allProfiles = false): string {
  if (!allProfiles) return root;
  const path = join(root, profile);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new MopError('io', `${path} is a symbolic link`, {
      hint: 'replace it by a directory, or run mop with -p and -o for this profile',
    });
  }
  return path;
}

/** Another profile or environment, for a note. */
export function ownerName({ profile, environment }: BillOwner): string {
  return `profile ${profile} (environment ${environment})`;
}

/** Warns of lines of a ledger that cannot be read. */
export function warnOfDamage(ledger: string, damaged: readonly number[], output: Output): void {
  if (damaged.length === 0) return;
  const shown = damaged.slice(0, 10).join(', ');
  const more = damaged.length > 10 ? ` and ${damaged.length - 10} more` : '';
  output.warn(
    `${ledger}: damaged lines are ignored, and their bills count as missing: ${shown}${more}`,
  );
}

/** `-o`, the directory of bills. */
export interface BillsOption {
  readonly bills?: string;
}

/** The directory of bills as an argument, or with `-o`. */
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
    hint: quoted`name the directory of the bills, or fetch them first: mop bill fetch --missing -o ${path.replace(/\/?$/, '/')}`,
  });
}

/** Whether a directory has no ledger, but contains the folder of a profile that has one. */
export async function holdsProfileFolders(path: string, context: Context): Promise<boolean> {
  if (await hasLedger(path)) return false;
  const names = Object.keys(configOf(context).profiles).filter((name) => isProfileName(name));
  const found = await Promise.all(names.map((name) => hasLedger(join(path, name))));
  return found.includes(true);
}
