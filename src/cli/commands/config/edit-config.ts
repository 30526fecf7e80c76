import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { MopError } from '../../../errors.ts';
import {
  assertTrusted,
  type ConfigFile,
  configPath,
  isProfileName,
  PROFILE_NAME_HINT,
  type Profile,
} from '../../context/config-file.ts';
import { type Context, configOf } from '../../context/context.ts';
import { secretPlace } from '../../context/secret.ts';
import { SECRET_KEYS, type SettingKey } from '../../context/setting-keys.ts';
import { currentProfile, noProfile, Settings, storedProfile } from '../../context/settings.ts';
import { updateConfig } from '../../context/update-config.ts';

/**
 * Changes the values of the current profile. A profile that is not stored is created if `create` is
 * true, or if it is the default profile.
 */
export async function editProfile(
  context: Context,
  change: (values: Profile) => Profile,
  { create = true } = {},
): Promise<string> {
  let name = '';
  await editConfig(context, (config) => {
    name = currentProfileName(context, config);
    const isNew = create && !Object.hasOwn(config.profiles, name);
    const values = isNew ? {} : storedProfile(config, name);
    return { ...config, profiles: { ...config.profiles, [name]: change(values) } };
  });
  return name;
}

/** Changes the configuration file. */
export async function editConfig(
  context: Context,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  assertCanEdit(context);
  const { io, output } = context;
  await updateConfig(configPath(io, output.warnOnce), output.warnOnce, change);
}

/** Refuses --dry-run and an unsafe directory. Call it before prompts, so that no answer is lost. */
export function assertCanEdit({ io, globals, output }: Context): void {
  if (globals.dryRun) {
    throw new MopError(
      'usage',
      '--dry-run does not apply to commands that change the configuration',
      { hint: 'nothing was changed; mop config list shows the current values' },
    );
  }
  const directory = dirname(configPath(io));
  if (existsSync(directory)) assertTrusted(directory, output.warnOnce);
}

/** Warns about each stored setting that an environment variable overrides. */
export function warnOfOverrides(keys: readonly string[], profile: string, context: Context): void {
  const { io, output } = context;
  let settings: Settings;
  try {
    // Ignore the flags: they apply to this command only.
    settings = new Settings({ profile }, io.env, configOf(context));
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    output.warn(error.message);
    return;
  }
  for (const key of keys as SettingKey[]) {
    // A variable with a secret overrides all three secret settings.
    const isSecret = SECRET_KEYS.some((each) => each === key);
    const current = isSecret ? secretPlace(settings) : { key, ...settings.find(key) };
    if (current?.source !== 'env') continue;
    output.warn(`${settings.variable(current.key)} is set and overrides the stored ${key}`);
  }
}

/** Adds settings to a profile. A new secret replaces all three secret settings. */
export function withSettings(profile: Profile, values: Profile): Profile {
  const replaced: readonly string[] = SECRET_KEYS.some((key) => key in values) ? SECRET_KEYS : [];
  const kept = Object.entries(profile).filter(([key]) => !replaced.includes(key));
  return { ...Object.fromEntries(kept), ...values };
}

/** The name of the current profile, which may not be stored yet. */
export function currentProfileName({ io, globals }: Context, config: ConfigFile): string {
  return checkProfileName(currentProfile(globals, io.env, config));
}

/** @throws {MopError} `usage` for an invalid name. */
function checkProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new MopError('usage', `${JSON.stringify(name)} is not a valid profile name`, {
    hint: PROFILE_NAME_HINT,
  });
}

/** @throws {MopError} `config` for a missing profile. */
export function assertProfile(config: ConfigFile, name: string): void {
  if (Object.hasOwn(config.profiles, name)) return;
  throw noProfile(config, name);
}

/** The values of a profile to copy or rename. */
export function profileToTransfer(config: ConfigFile, from: string, to: string): Profile {
  assertProfile(config, from);
  checkProfileName(to);
  if (!Object.hasOwn(config.profiles, to)) return storedProfile(config, from);
  throw new MopError('usage', `there is already a profile ${to}`, {
    hint: 'choose another name, or delete that profile first: mop config delete-profile NAME',
  });
}
