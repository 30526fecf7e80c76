import { levelsFault } from '../../detection/levels.ts';
import { MopError } from '../../errors.ts';
import { addressFault, endpointFault } from '../../http/address.ts';
import { redactUrl } from '../../http/redact.ts';
import { addressSetting, platformAddressFault } from '../../platform/address.ts';
import { authHeaderFault } from '../../platform/bills/download-headers.ts';
import type { OperationMode } from '../../platform/operation.ts';
import {
  DEFAULT_AUTH_HEADER,
  DEFAULT_LATE_HOURS,
  DEFAULT_READY_TIME,
  DEFAULT_TIME_ZONE,
  TIME_OF_DAY,
} from '../../protocol/defaults.ts';
import { LEVELS } from '../../protocol/detection.ts';
import { MAX_API_KEY_LENGTH } from '../../protocol/limits.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { SANDBOX_READY_TIME } from '../../protocol/sandbox.ts';
import type { ConfigFile } from './config-file.ts';
import type { Io } from './io.ts';

export const ENVIRONMENTS = ['production', 'test', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
type Source = 'flag' | 'env' | 'profile' | 'default';

/** A setting: its meaning, its other sources, and the check of its value. */
export interface SettingSpec {
  /** For `mop help settings` and the documentation, in up to 60 characters. */
  readonly meaning: string;
  readonly flag?: string;
  readonly variable?: string;
  /** The variable stands for the address of whichever environment is in force. */
  readonly environment?: 'test' | 'not-test';
  readonly fallback?: string;
  readonly secret?: boolean;
  /** A path, kept absolute so that it means the same from every directory. */
  readonly path?: boolean;
  /** The fault of a value, or undefined. */
  readonly fault?: (value: string) => string | undefined;
}

const not = (pattern: RegExp, what: string) => (value: string) =>
  pattern.test(value) ? undefined : `it is not ${what}`;

/** Every setting of a profile (contract section 2), in the order in which they are listed. */
export const SETTINGS = {
  environment: {
    meaning: 'the platform to talk to: production, test or sandbox',
    flag: '--env',
    variable: 'MOP_ENV',
    fallback: 'production',
    fault: not(new RegExp(`^(?:${ENVIRONMENTS.join('|')})$`), 'production, test or sandbox'),
  },
  api_key: {
    meaning: 'the key of your account, which the platform issued',
    flag: '--api-key',
    variable: 'MOP_API_KEY',
    fault: (value) => {
      if (value.length > MAX_API_KEY_LENGTH) return `it has over ${MAX_API_KEY_LENGTH} characters`;
      return /^[!-~]+$/.test(value) ? undefined : 'it has white space or non-ASCII characters';
    },
  },
  api_secret: {
    meaning: 'the secret that goes with the key; asked for, or piped',
    variable: 'MOP_API_SECRET',
    secret: true,
  },
  api_secret_file: {
    meaning: 'a file that contains the secret and nothing else',
    flag: '--secret-file',
    variable: 'MOP_API_SECRET_FILE',
    path: true,
  },
  api_secret_command: { meaning: 'a command that prints the secret and nothing else' },
  base_url: {
    meaning: 'address for body signatures, without /open/v1',
    variable: 'MOP_BASE_URL',
    environment: 'not-test',
    fault: platformAddressFault,
  },
  test_base_url: {
    meaning: 'address for body signatures in the test environment',
    variable: 'MOP_BASE_URL',
    environment: 'test',
    fault: platformAddressFault,
  },
  open_base_url: {
    meaning: 'address for header signatures, without /api/open',
    variable: 'MOP_OPEN_BASE_URL',
    environment: 'not-test',
    fault: platformAddressFault,
  },
  open_test_base_url: {
    meaning: 'address for header signatures in the test environment',
    variable: 'MOP_OPEN_BASE_URL',
    environment: 'test',
    fault: platformAddressFault,
  },
  detect_url: {
    meaning: 'address of the detection service, without /api/detect',
    variable: 'MOP_DETECT_URL',
    fault: addressFault,
  },
  gql_url: {
    meaning: 'the GraphQL endpoint, with its path',
    flag: '--endpoint',
    variable: 'MOP_GQL_URL',
    fault: endpointFault,
  },
  timezone: {
    meaning: "the platform's time zone, which decides what yesterday is",
    variable: 'MOP_TIMEZONE',
    fallback: DEFAULT_TIME_ZONE,
    fault: timeZoneFault,
  },
  bill_dir: {
    meaning: 'the directory of the bills; the current one when not set',
    flag: '--out',
    path: true,
  },
  bill_name: {
    meaning: 'file name of a bill; also {profile} and {env}',
    flag: '--name',
    fallback: 'bill_{date}_{type}.csv',
  },
  bill_file_mode: {
    meaning: 'permissions of a stored bill, in octal',
    fallback: '600',
    fault: not(/^0?[0-7]{3}$/, 'an octal mode such as 600'),
  },
  bill_late_hours: {
    meaning: 'hours after bill_ready_time before "no bill" is final',
    fallback: `${DEFAULT_LATE_HOURS}`,
    fault: not(/^\d+(?:\.\d+)?$/, 'a number of hours'),
  },
  bill_auth_header: {
    meaning: 'the header that carries the authorization of a download',
    fallback: DEFAULT_AUTH_HEADER,
    fault: authHeaderFault,
  },
  mode: {
    meaning: 'signature mode: body, header, or documented (each its own)',
    flag: '--mode',
    fallback: 'documented',
    fault: not(/^(?:documented|body|header)$/, 'documented, body or header'),
  },
  detect_levels: {
    meaning: 'levels of the detection service, the lowest first',
    flag: '--levels',
    fallback: LEVELS.join('<'),
    fault: levelsFault,
  },
  bill_ready_time: {
    meaning: "when yesterday's bill is ready, HH:MM (00:00 in the sandbox)",
    fallback: DEFAULT_READY_TIME,
    fault: not(TIME_OF_DAY, 'a time HH:MM'),
  },
  no_bill_codes: {
    meaning: 'result codes that mean no bill, such as 1052,2001',
    fallback: '',
    fault: not(/^$|^-?\d+(?:\s*,\s*-?\d+)*$/, 'a list of result codes such as 1052,2001'),
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;

/** A setting with a default is always there. */
type SettingText<Key extends SettingKey> = (typeof SETTINGS)[Key] extends { fallback: string }
  ? string
  : string | undefined;

/** The settings that hold the secret or say where it is; a profile has one of them. */
export const SECRET_KEYS = ['api_secret', 'api_secret_file', 'api_secret_command'] as const;

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

/** The settings in force for one profile: flag, then variable, then profile, then default. */
export class Settings {
  readonly profile: string;
  readonly environment: Environment;
  readonly #flags: Partial<Record<SettingKey, string | undefined>>;
  readonly #env: Io['env'];
  readonly #stored: Readonly<Record<string, string>>;

  /** @throws {MopError} `config` for a profile that does not exist, or an unusable environment. */
  constructor(flags: SettingFlags, env: Io['env'], config: ConfigFile) {
    const { env: environment, apiKey, secretFile, mode } = flags;
    this.profile = profileInForce(flags, env, config);
    this.#flags = { environment, api_key: apiKey, api_secret_file: secretFile, mode };
    this.#env = env;
    this.#stored = storedProfile(config, this.profile);
    this.environment = this.get('environment') as Environment;
  }

  /** A setting with where it comes from; undefined when it is not set. Not checked. */
  find(key: SettingKey): SettingValue | undefined {
    const flag = this.#flags[key];
    if (flag !== undefined) return { value: flag, source: 'flag' };
    const variable = this.variable(key);
    const fromEnv = variable && this.#env[variable];
    if (fromEnv) return { value: fromEnv, source: 'env' };
    const stored = this.#stored[key];
    if (stored !== undefined) return { value: stored, source: 'profile' };
    const fallback = this.#fallback(key);
    return fallback === undefined ? undefined : { value: fallback, source: 'default' };
  }

  /**
   * A setting's value; undefined when it is not set.
   *
   * @throws {MopError} `config` (`usage` for a flag) when it is not usable, saying where it stands.
   */
  get<Key extends SettingKey>(key: Key): SettingText<Key> {
    const found = this.find(key);
    const fault = found && settingFault(key, found.value);
    if (!fault) return found?.value as SettingText<Key>;
    const where = {
      flag: `the ${(SETTINGS[key] as SettingSpec).flag} option`,
      env: `the variable ${this.variable(key)}`,
      profile: `${key} of profile ${this.profile}`,
      default: key,
    }[found.source];
    const code = found.source === 'flag' ? 'usage' : 'config';
    const shown = JSON.stringify(shownSetting(key, found.value));
    throw new MopError(code, `${where} is ${shown}: ${fault}`, {
      hint:
        found.source === 'profile'
          ? `store another: mop config set ${key} VALUE${profileOption(this.profile)}`
          : 'correct it there, or leave it out',
    });
  }

  /** The variable that stands for a setting in the environment in force. */
  variable(key: SettingKey): string | undefined {
    const { variable, environment }: SettingSpec = SETTINGS[key];
    if (environment && (environment === 'test') !== (this.environment === 'test')) return undefined;
    return variable;
  }

  #fallback(key: SettingKey): string | undefined {
    if (key === 'bill_ready_time' && this.environment === 'sandbox') return SANDBOX_READY_TIME;
    return (SETTINGS[key] as SettingSpec).fallback;
  }
}

/** The mode in which operations are sent: `--mode`, or else the setting. */
export function preferredMode(settings: Settings): OperationMode {
  return settings.get('mode') as OperationMode;
}

export const DEFAULT_PROFILE = 'default';

/** The name of the profile in force: flag, then variable, then the one that `config use` chose. */
export function profileInForce(
  { profile }: SettingFlags,
  env: Io['env'],
  { current }: ConfigFile,
): string {
  return profile ?? (env.MOP_PROFILE || undefined) ?? current ?? DEFAULT_PROFILE;
}

/** The option that makes a command in a hint use this profile. */
export function profileOption(profile: string): string {
  return profile === DEFAULT_PROFILE ? '' : ` -p ${profile}`;
}

/**
 * The hint for missing configuration: the command that asks for all of it, the one that sets this
 * alone, and the ways to do without.
 *
 * @param setting What follows `mop config set`.
 * @param others Other ways, such as a variable.
 */
export function missingHint(profile: string, setting: string, ...others: string[]): string {
  const option = profileOption(profile);
  const ways = [`mop config set ${setting}${option}`, ...others].join(', or ');
  return `run: mop config init${option} (or ${ways})`;
}

/**
 * The hint for a missing address that `config init` does not ask for.
 *
 * @param setting The key and an example.
 */
export function serviceAddressHint(profile: string, setting: string, variable: string): string {
  return `run: mop config set ${setting}${profileOption(profile)} (or set ${variable}, or try --env sandbox)`;
}

/**
 * {@link missingHint} for the address of a mode. Where the other address is set, the setting `mode`
 * is a way to do without.
 */
export function addressHint(settings: Settings, mode: SignatureMode): string {
  const { profile, environment } = settings;
  const isTest = environment === 'test';
  const otherMode = mode === 'body' ? 'header' : 'body';
  const other = addressSetting(otherMode, isTest);
  // The flag wins over the setting.
  const isEnough = settings.find(other) && settings.find('mode')?.source !== 'flag';
  const change = `if the platform has only ${other}: mop config set mode ${otherMode}`;
  return missingHint(
    profile,
    `${addressSetting(mode, isTest)} https://HOST`,
    ...(isEnough ? [change + profileOption(profile)] : []),
    'try --env sandbox',
  );
}

/**
 * A key of the contract.
 *
 * @throws {MopError} `usage` for another name.
 */
export function checkKey(name: string): SettingKey {
  if (Object.hasOwn(SETTINGS, name)) return name as SettingKey;
  // KEY=VALUE is no key, and the value may be a secret.
  const [key = ''] = name.split('=');
  const names = Object.keys(SETTINGS);
  throw new MopError('usage', `there is no setting ${JSON.stringify(key)}`, {
    hint: names.includes(key)
      ? `put a space in the place of =; a secret is not given so: mop config set ${key}`
      : `the settings are ${names.join(', ')}`,
    unknown: { word: key, names: names.filter((each) => each !== key) },
  });
}

/** A setting as a message may show it: a wrong address may carry a password or a key. */
export function shownSetting(key: SettingKey, value: string): string {
  if (!key.endsWith('_url')) return value;
  // A password with a slash in it makes what is no URL, and does not end where a host would begin.
  return redactUrl(URL.canParse(value) ? value : value.replace(/^.*@/s, ''));
}

/** A value as `config get` and `config list` print it: a secret is masked. */
export function displayedSetting(key: SettingKey, value: string): string {
  if ((SETTINGS[key] as SettingSpec).secret) return '********';
  // A variable may hold a value that no command accepts.
  return settingFault(key, value) === undefined ? value : shownSetting(key, value);
}

/** The fault of a setting's value, or undefined. */
export function settingFault(key: SettingKey, value: string): string | undefined {
  const { fault }: SettingSpec = SETTINGS[key];
  return value === '' && key !== 'no_bill_codes' ? 'it is empty' : fault?.(value);
}

/**
 * The values of a profile; none for a default profile that was never written.
 *
 * @throws {MopError} `config` when there is no such profile.
 */
export function storedProfile(config: ConfigFile, name: string): Readonly<Record<string, string>> {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile) return profile;
  if (name === DEFAULT_PROFILE) return {};
  throw noProfile(config, name);
}

export function noProfile({ profiles }: ConfigFile, name: string): MopError {
  const names = Object.keys(profiles);
  const create = `mop config init -p ${name}`;
  return new MopError('config', `there is no profile ${JSON.stringify(name)}`, {
    hint:
      names.length > 0
        ? `the profiles are ${names.join(', ')}; ${create} makes a new one`
        : `make it: ${create}`,
  });
}

function timeZoneFault(value: string): string | undefined {
  // The data of named zones take long to load.
  if (value === DEFAULT_TIME_ZONE) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return 'it is not a time zone such as Asia/Shanghai';
  }
}
