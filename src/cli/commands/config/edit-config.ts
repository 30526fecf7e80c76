import { MopError } from '../../../errors.ts';
import {
  type ConfigFile,
  configPath,
  isProfileName,
  type Profile,
} from '../../context/config-file.ts';
import { type Context, configOf } from '../../context/context.ts';
import { secretPlace } from '../../context/secret.ts';
import { SECRET_KEYS, type SettingKey } from '../../context/setting-keys.ts';
import { noProfile, profileInForce, Settings, storedProfile } from '../../context/settings.ts';
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
  context: Context,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  assertNoDryRun(context);
  const { io, output } = context;
  await updateConfig(configPath(io), (message) => output.warn(message), change);
}

/** @throws {MopError} `usage` with --dry-run. Check it before a question is asked. */
export function assertNoDryRun({ globals }: Context): void {
  if (!globals.dryRun) return;
  throw new MopError(
    'usage',
    '--dry-run does not apply to commands that change the configuration',
    {
      hint: 'nothing was changed; mop config list shows the values in force',
    },
  );
}

/** Warns of each stored setting that an environment variable overrides. */
export function warnOfOverrides(keys: readonly string[], profile: string, context: Context): void {
  const { io, output } = context;
  let settings: Settings;
  try {
    // Flags are gone with the next command.
    settings = new Settings({ profile }, io.env, configOf(context));
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    output.warn(error.message);
    return;
  }
  for (const key of keys as SettingKey[]) {
    // A secret in a variable wins over one that is stored another way.
    const isSecret = SECRET_KEYS.some((each) => each === key);
    const inForce = isSecret ? secretPlace(settings) : { key, ...settings.find(key) };
    if (inForce?.source !== 'env') continue;
    output.warn(`${settings.variable(inForce.key)} is set and wins over the stored ${key}`);
  }
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
  return checkProfileName(profileInForce(globals, io.env, config));
}

/** @throws {MopError} `usage` for a name that a profile cannot have. */
function checkProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new MopError('usage', `${JSON.stringify(name)} cannot name a profile`, {
    hint: 'use letters, digits, dots, dashes and underscores, a letter or digit first',
  });
}

/**
 * The values of a profile that gets a second or another name.
 *
 * @throws {MopError} `config` when it is not there, `usage` when the new name is unusable or taken.
 */
export function profileToTransfer(config: ConfigFile, from: string, to: string): Profile {
  if (!Object.hasOwn(config.profiles, from)) throw noProfile(config, from);
  checkProfileName(to);
  if (!Object.hasOwn(config.profiles, to)) return storedProfile(config, from);
  throw new MopError('usage', `there is already a profile ${to}`, {
    hint: `choose another name, or delete it first: mop config delete-profile ${to}`,
  });
}
