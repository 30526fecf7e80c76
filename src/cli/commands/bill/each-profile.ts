import { MopError } from '../../../errors.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { isProfileName } from '../../context/profile-name.ts';
import { profileNames } from '../../context/profiles.ts';
import type { Settings } from '../../context/settings.ts';

/**
 * Calls `use` for the current profile, or with `--all-profiles` for every profile in turn.
 *
 * @returns The failures of skipped profiles: with `--all-profiles`, an unusable profile is a warning.
 * @throws {MopError} `usage`, `config`, and the errors of `use`.
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
  const profileErrors: MopError[] = [];
  for (const profile of profileNames(context)) {
    try {
      assertNamesFolder(profile);
      await use(settingsOf(context, profile));
    } catch (error) {
      if (!(error instanceof MopError) || error.code !== 'config') throw error;
      const message = `profile ${profile} cannot be used: ${error.message}`;
      context.output.warn(message);
      profileErrors.push(new MopError(error.code, message, error.details));
    }
  }
  return profileErrors;
}

/** @throws {MopError} `config` for a name that is a path: the file may be edited by hand. */
function assertNamesFolder(profile: string): void {
  if (isProfileName(profile)) return;
  throw new MopError('config', `${JSON.stringify(profile)} cannot name a folder`, {
    hint: 'rename the profile in the configuration file; mop config path prints its path',
  });
}
