import { MopError } from '../../errors.ts';
import { configPath, isProfileName } from './config-file.ts';
import { assertNoConflict } from './conflicts.ts';
import { type Context, configOf, settingsOf } from './context.ts';
import { SETTINGS, type SettingKey } from './setting-keys.ts';
import type { Settings } from './settings.ts';

/**
 * The profiles of the configuration, for `--all-profiles`. Warns about environment variables that
 * set the account or the address of every profile.
 */
export function profileNames(context: Context): string[] {
  assertNoConflict([
    [context.globals.profile !== undefined, '--profile and --all-profiles cannot be combined'],
  ]);
  const names = Object.keys(configOf(context).profiles);
  if (names.length > 0) {
    warnOfOverrides(context);
    return names;
  }
  const path = configPath(context.io);
  throw new MopError('config', `there is no profile in ${path}`, { hint: 'run: mop config init' });
}

/** The settings that differ between accounts and platforms. */
const ACCOUNT_KEYS: readonly SettingKey[] = [
  'api_key',
  'api_secret',
  'api_secret_file',
  'base_url',
  'open_base_url',
];

function warnOfOverrides({ io, output }: Context): void {
  for (const key of ACCOUNT_KEYS) {
    const { variable } = SETTINGS[key];
    if (variable === undefined || !io.env[variable]) continue;
    output.warn(`${variable} is set and overrides ${key} of every profile`);
  }
}

/** Calls `use` for the current profile, or with `--all-profiles` for every profile in turn. */
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
