import { MopError, quoted } from '../../errors.ts';
import type { OperationMode } from '../../platform/operation.ts';
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
  /** `--mode` of the commands that call the platform. */
  readonly mode?: string | undefined;
}

export interface SettingValue {
  readonly value: string;
  readonly source: Source;
}

/** The current settings of one profile: flag, then variable, then profile, then default. */
export class Settings {
  readonly profile: string;
  readonly environment: Environment;
  readonly #values: ReadonlyMap<SettingKey, SettingValue>;

  /** @throws {MopError} `config` for a profile that does not exist, or an invalid environment. */
  constructor(flags: SettingFlags, env: Io['env'], config: ConfigFile) {
    const { env: environment, apiKey, secretFile, mode } = flags;
    this.profile = currentProfile(flags, env, config);
    const given = { environment, api_key: apiKey, api_secret_file: secretFile, mode };
    const sources = { flags: given, env, stored: storedProfile(config, this.profile) };
    this.#values = resolved(['environment'], sources, undefined);
    this.environment = this.get('environment') as Environment;
    this.#values = resolved(Object.keys(SETTINGS) as SettingKey[], sources, this.environment);
  }

  /** The value and the source of a setting; undefined when it is not set. Not validated. */
  find(key: SettingKey): SettingValue | undefined {
    return this.#values.get(key);
  }

  /** A setting's value; undefined when it is not set. */
  get<Key extends SettingKey>(key: Key): SettingText<Key> {
    const found = this.find(key);
    const fault = found && settingFault(key, found.value);
    if (!fault) return found?.value as SettingText<Key>;
    const where = {
      flag: `the ${SETTINGS[key].flag} option`,
      env: `the variable ${this.variable(key)}`,
      profile: `${key} of profile ${this.profile}`,
      default: key,
    }[found.source];
    const code = found.source === 'flag' ? 'usage' : 'config';
    const shown = JSON.stringify(redactedSetting(key, found.value));
    throw new MopError(code, `${where} is ${shown}: ${fault}`, {
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

/** The values of settings. An empty variable counts as unset. */
function resolved(
  keys: readonly SettingKey[],
  { flags, env, stored }: Sources,
  environment: Environment | undefined,
): ReadonlyMap<SettingKey, SettingValue> {
  const values = new Map<SettingKey, SettingValue>();
  for (const key of keys) {
    const variable = variableOf(key, environment);
    const candidates: readonly (readonly [Source, string | undefined])[] = [
      ['flag', flags[key]],
      ['env', (variable && env[variable]) || undefined],
      ['profile', stored[key]],
      ['default', fallbackOf(key, environment)],
    ];
    for (const [source, value] of candidates) {
      if (value === undefined) continue;
      values.set(key, { value, source });
      break;
    }
  }
  return values;
}

function variableOf(key: SettingKey, environment: Environment | undefined): string | undefined {
  const { variable, environment: only } = SETTINGS[key];
  return only && (only === 'test') !== (environment === 'test') ? undefined : variable;
}

function fallbackOf(key: SettingKey, environment: Environment | undefined): string | undefined {
  if (key === 'bill_ready_time' && environment === 'sandbox') return SANDBOX_READY_TIME;
  return SETTINGS[key].fallback;
}

/** The source of a setting, for a message: an option, a variable, or a key of a profile. */
export function settingSource(key: SettingKey, settings: Settings): string {
  const { source, value } = settings.find(key) ?? {};
  const { flag, variable = key } = SETTINGS[key];
  if (source === 'flag') return key === 'api_secret_file' ? `${flag} ${value}` : `${flag}`;
  return source === 'env' ? variable : `${key} of profile ${settings.profile}`;
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
export function addressHint({ profile }: Settings): string {
  return quoted`add --env sandbox, or run: mop config init -p ${profile}; for a platform with one address, see mode in mop help settings`;
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
