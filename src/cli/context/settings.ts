import { MopError, quoted } from '../../errors.ts';
import { addressSetting } from '../../platform/address.ts';
import type { OperationMode } from '../../platform/operation.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { SANDBOX_READY_TIME } from '../../protocol/sandbox.ts';
import type { ConfigFile } from './config-file.ts';
import type { Io } from './io.ts';
import {
  type Environment,
  redactedSetting,
  SETTINGS,
  type SettingKey,
  type SettingText,
  settingFault,
} from './setting-keys.ts';

type Source = 'flag' | 'env' | 'profile' | 'default';

export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly env?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly secretFile?: string | undefined;
  readonly lang?: string | undefined;
  /** `--mode` of the commands that call the platform. */
  readonly mode?: string | undefined;
}

/** A value of a setting, resolved once. */
export interface SettingValue {
  readonly value: string;
  readonly source: Source;
  /** The source for a message: an option, a variable, or a key of a profile. */
  readonly origin: string;
  /** Why the value is invalid. */
  readonly fault: string | undefined;
}

/** The current settings of one profile: flag, then variable, then profile, then default. */
export class Settings {
  readonly profile: string;
  readonly environment: Environment;
  readonly #values: ReadonlyMap<SettingKey, SettingValue>;

  /** @throws {MopError} `config` for a profile that does not exist, or an invalid environment. */
  constructor(flags: SettingFlags, env: Io['env'], config: ConfigFile) {
    const { env: environment, apiKey, secretFile, mode, lang } = flags;
    this.profile = currentProfile(flags, env, config);
    const given = { environment, api_key: apiKey, api_secret_file: secretFile, mode, lang };
    const sources = { flags: given, env, stored: storedProfile(config, this.profile) };
    const value = resolveSetting('environment', sources, this.profile);
    this.#values = new Map(value && [['environment', value]]);
    this.environment = this.get('environment') as Environment;
    const keys = Object.keys(SETTINGS) as SettingKey[];
    this.#values = new Map(
      keys.flatMap((key) => {
        const value = resolveSetting(key, sources, this.profile, this.environment);
        return value ? [[key, value]] : [];
      }),
    );
  }

  /** The value and the source of a setting; undefined when it is not set. Not validated. */
  find(key: SettingKey): SettingValue | undefined {
    return this.#values.get(key);
  }

  /** A setting's value; undefined when it is not set. */
  get<Key extends SettingKey>(key: Key): SettingText<Key> {
    const found = this.find(key);
    const fault = found?.fault;
    if (!found || fault === undefined) return found?.value as SettingText<Key>;
    const { value, source, origin } = found;
    const shown = JSON.stringify(redactedSetting(key, value));
    throw new MopError(source === 'flag' ? 'usage' : 'config', `${origin} is ${shown}: ${fault}`, {
      hint: 'correct it or remove it; mop help settings lists the valid values',
    });
  }

  /** The variable of a setting in the current environment. */
  variable(key: SettingKey): string | undefined {
    return variableOf(key, this.environment);
  }
}

interface Sources {
  readonly flags: Partial<Record<SettingKey, string | undefined>>;
  readonly env: Io['env'];
  readonly stored: Readonly<Record<string, string>>;
}

/** The value of a setting. An empty variable counts as unset. */
function resolveSetting(
  key: SettingKey,
  { flags, env, stored }: Sources,
  profile: string,
  environment?: Environment,
): SettingValue | undefined {
  const { flag = key } = SETTINGS[key];
  const variable = variableOf(key, environment);
  const candidates: readonly (readonly [Source, origin: string, value: string | undefined])[] = [
    ['flag', flag, flags[key]],
    ['env', variable ?? key, (variable && env[variable]) || undefined],
    ['profile', `${key} of profile ${profile}`, stored[key]],
    ['default', key, fallbackOf(key, environment)],
  ];
  for (const [source, origin, value] of candidates) {
    if (value === undefined) continue;
    return {
      value,
      source,
      origin,
      // Computed when it is read: loading the data of time zones takes long.
      get fault() {
        return settingFault(key, value);
      },
    };
  }
  return undefined;
}

function variableOf(key: SettingKey, environment: Environment | undefined): string | undefined {
  const { variable, environment: only } = SETTINGS[key];
  return only && (only === 'test') !== (environment === 'test') ? undefined : variable;
}

function fallbackOf(key: SettingKey, environment: Environment | undefined): string | undefined {
  if (key === 'bill_ready_time' && environment === 'sandbox') return SANDBOX_READY_TIME;
  return SETTINGS[key].fallback;
}

/** The signature mode for operations: `--mode`, or else the setting. */
export function preferredMode(settings: Settings): OperationMode {
  return settings.get('mode') as OperationMode;
}

export const DEFAULT_PROFILE = 'default';

/** The name of the current profile: from the flag, the variable, or `config use`. */
export function currentProfile(
  { profile }: SettingFlags,
  env: Io['env'],
  { current }: ConfigFile,
): string {
  return profile ?? (env.MOP_PROFILE || undefined) ?? current ?? DEFAULT_PROFILE;
}

/** The hint for a missing address of the platform. */
export function addressHint({ profile, environment }: Settings, mode: SignatureMode): string {
  const setting = addressSetting(mode, environment === 'test');
  const other = mode === 'body' ? 'header' : 'body';
  return quoted`run: mop config set ${setting} https://HOST -p ${profile}; if the platform has only the other address, run: mop config set mode ${other} -p ${profile}`;
}

/** The values of a profile; empty for a default profile that is not stored. */
export function storedProfile(
  config: ConfigFile,
  name: string,
  hint?: string,
): Readonly<Record<string, string>> {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile) return profile;
  if (name === DEFAULT_PROFILE) return {};
  throw noProfile(config, name, hint);
}

/** The error for an unknown profile. */
export function noProfile({ profiles }: ConfigFile, name: string, hint = NO_PROFILE_HINT) {
  const unknown = { word: name, names: Object.keys(profiles) };
  return new MopError('config', `there is no profile ${JSON.stringify(name)}`, { hint, unknown });
}

const NO_PROFILE_HINT =
  'mop config profiles lists the profiles; to create one, run: mop config init -p NAME';
