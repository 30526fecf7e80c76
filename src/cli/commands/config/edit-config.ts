import { MopError } from '../../../errors.ts';
import {
  type ConfigFile,
  configPath,
  isProfileName,
  type Profile,
} from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import { profileInForce, SECRET_KEYS, storedProfile } from '../../context/settings.ts';
import { updateConfig } from '../../context/update-config.ts';

/**
 * Changes the values of the profile in force, which is made if it is new, unless `create` is false.
 *
 * @returns The profile's name.
 * @throws {MopError} `usage` for an unusable name, `config` for a damaged file or a profile that
 *   is not there, `io`.
 */
export async function editProfile(
  context: Context,
  change: (values: Profile) => Profile,
  { create = true } = {},
): Promise<string> {
  let name = '';
  await editConfig(context, (config) => {
    name = editableProfile(context, config);
    const isNew = create && !Object.hasOwn(config.profiles, name);
    const values = isNew ? {} : storedProfile(config, name);
    return { ...config, profiles: { ...config.profiles, [name]: change(values) } };
  });
  return name;
}

/**
 * Changes the configuration file.
 *
 * @throws {MopError} `usage` with --dry-run, which is for requests; `config`, `io`.
 */
export async function editConfig(
  { io, globals, output }: Context,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  if (globals.dryRun) {
    throw new MopError('usage', 'what changes the configuration has no --dry-run', {
      hint: 'nothing was changed; mop config list shows what is in force',
    });
  }
  await updateConfig(configPath(io), (message) => output.warn(message), change);
}

/** A profile with more settings. A secret takes the place of one that is kept another way. */
export function withSettings(profile: Profile, values: Profile): Profile {
  const replaced: readonly string[] = SECRET_KEYS.some((key) => key in values) ? SECRET_KEYS : [];
  const kept = Object.entries(profile).filter(([key]) => !replaced.includes(key));
  return { ...Object.fromEntries(kept), ...values };
}

/**
 * The profile in force, if it may be written.
 *
 * @throws {MopError} `usage` for another name.
 */
export function editableProfile({ io, globals }: Context, config: ConfigFile): string {
  const name = profileInForce(globals, io.env, config);
  if (isProfileName(name)) return name;
  throw new MopError('usage', `${JSON.stringify(name)} cannot name a profile`, {
    hint: 'use letters, digits, dots, dashes and underscores, a letter or digit first',
  });
}
