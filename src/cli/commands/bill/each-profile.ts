import { MopError } from '../../../errors.ts';
import { configPath, isProfileName } from '../../context/config-file.ts';
import { type Context, configOf, settingsOf } from '../../context/context.ts';
import type { Settings } from '../../context/settings.ts';

/**
 * Calls `use` for the profile in force, or with `--all-profiles` for every profile in turn.
 *
 * @returns Why profiles were skipped: with `--all-profiles`, an unusable one is a warning.
 * @throws {MopError} `usage`, `config`, and whatever `use` throws.
 */
export async function forEachProfile(
  allProfiles: boolean,
  context: Context,
  use: (settings: Settings) => Promise<void>,
): Promise<MopError[]> {
  if (!allProfiles) {
    await use(settingsOf(context));
    return [];
  }
  const unusable: MopError[] = [];
  for (const profile of profileNames(context)) {
    try {
      assertNamesFolder(profile);
      await use(settingsOf(context, profile));
    } catch (error) {
      if (!(error instanceof MopError) || error.code !== 'config') throw error;
      context.output.warn(`profile ${profile} cannot be used: ${error.message}`);
      unusable.push(error);
    }
  }
  return unusable;
}

/**
 * The profiles of the configuration, for `--all-profiles`.
 *
 * @throws {MopError} `usage` together with `--profile`, `config` when there is none.
 */
export function profileNames(context: Context): string[] {
  if (context.globals.profile !== undefined) {
    throw new MopError('usage', '--profile and --all-profiles contradict each other', {
      hint: 'leave out one of the two',
    });
  }
  const names = Object.keys(configOf(context).profiles);
  if (names.length > 0) return names;
  const path = configPath(context.io);
  throw new MopError('config', `there is no profile in ${path}`, { hint: 'run: mop config init' });
}

/** @throws {MopError} `config` for a name that is a path: the file may be edited by hand. */
function assertNamesFolder(profile: string): void {
  if (isProfileName(profile)) return;
  throw new MopError('config', `${JSON.stringify(profile)} cannot name a folder`, {
    hint: 'rename the profile in the file that mop config path names',
  });
}
