import { levelsFault } from '../../detection/levels.ts';
import { MopError } from '../../errors.ts';
import { addressFault, endpointFault } from '../../http/address.ts';
import { platformAddressFault } from '../../platform/address.ts';
import { authHeaderFault } from '../../platform/bills/download-headers.ts';
import { DEFAULT_TIME_ZONE, TIME_OF_DAY } from '../../protocol/defaults.ts';
import { MAX_API_KEY_LENGTH } from '../../protocol/limits.ts';
import { delimiterOf } from '../../reconciliation/rows-file.ts';
import { redactUrl } from '../../redaction/redact.ts';
import { columnListFault } from './column-pairs.ts';
import settings from './settings.json' with { type: 'json' };

export const ENVIRONMENTS = ['production', 'test', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export type SettingKey = keyof typeof settings;

/** A setting: its meaning and its other sources. */
export interface SettingSpec {
  /** For `mop help settings` and the documentation, in up to 57 characters. */
  readonly meaning: string;
  readonly flag?: string;
  readonly variable?: string;
  /** `test`: the variable sets it in the test environment; `not-test`: in all others. Default: all. */
  readonly environment?: string;
  readonly fallback?: string;
  readonly secret?: boolean;
  /** A path. It is stored as an absolute path, which is valid in every directory. */
  readonly path?: boolean;
  /** The only valid values. */
  readonly choices?: readonly string[];
}

/** Every setting of a profile (contract section 2), in the order in which they are listed. */
export const SETTINGS: Readonly<Record<SettingKey, SettingSpec>> = settings;

const not = (pattern: RegExp, subject: string) => (value: string) =>
  pattern.test(value) ? undefined : `it is not ${subject}`;

/** Filters of rows, separated by commas. */
const FILTERS = /^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/;

/** The reason why a value is invalid, or undefined. */
const FAULTS: Partial<Record<SettingKey, (value: string) => string | undefined>> = {
  api_key: (value) => {
    if (value.length > MAX_API_KEY_LENGTH) return `it has over ${MAX_API_KEY_LENGTH} characters`;
    return /^[!-~]+$/.test(value) ? undefined : 'it has white space or non-ASCII characters';
  },
  base_url: platformAddressFault,
  test_base_url: platformAddressFault,
  open_base_url: platformAddressFault,
  open_test_base_url: platformAddressFault,
  detect_url: addressFault,
  gql_url: endpointFault,
  timezone: timeZoneFault,
  bill_file_mode: not(/^0?[0-7]{3}$/, 'an octal mode such as 600'),
  bill_late_hours: not(/^\d+(?:\.\d+)?$/, 'a number of hours'),
  bill_auth_header: authHeaderFault,
  detect_levels: levelsFault,
  compare_key: columnListFault,
  compare_amount: columnListFault,
  compare_delimiter: (value) =>
    delimiterOf(value) === undefined ? 'it is not one ASCII character, or tab' : undefined,
  compare_where: not(FILTERS, 'a list of filters such as status=PAID,city=A'),
  compare_records_where: not(FILTERS, 'a list of filters such as state=paid,state=done'),
  compare_factor: not(/^-?\d+(?:\.\d+)?$/, 'a decimal number such as 0.01'),
  compare_blank: not(/^-?\d+(?:\.\d+)?$/, 'a decimal number such as 0'),
  bill_ready_time: not(TIME_OF_DAY, 'a time HH:MM'),
  no_bill_codes: not(/^$|^-?\d+(?:\s*,\s*-?\d+)*$/, 'a list of result codes such as 1052,2001'),
};

/** A setting with a default always has a value. */
export type SettingText<Key extends SettingKey> = (typeof settings)[Key] extends {
  fallback: string;
}
  ? string
  : string | undefined;

/** The settings that contain or locate the secret. A profile has at most one of them. */
export const SECRET_KEYS = ['api_secret', 'api_secret_file', 'api_secret_command'] as const;

/** Validates the name of a setting. */
export function checkKey(name: string): SettingKey {
  if (Object.hasOwn(SETTINGS, name)) return name as SettingKey;
  const [key = ''] = name.split('=');
  const names = Object.keys(SETTINGS);
  const isAssignment = names.includes(key);
  // Of KEY=VALUE, print only the key: the value may be a secret.
  const shown = JSON.stringify(isAssignment ? `${key}=…` : key);
  throw new MopError('usage', `there is no setting ${shown}`, {
    hint: 'mop help settings lists the settings; a value is a word of its own: mop config set SETTING VALUE',
    unknown: { word: key, names: names.filter((each) => each !== key) },
  });
}

/** The value of a setting for a message. The password and the query of an address are redacted. */
export function redactedSetting(key: SettingKey, value: string): string {
  if (!key.endsWith('_url')) return value;
  // A password with a slash makes a URL invalid: remove everything up to the last @ instead.
  return redactUrl(URL.canParse(value) ? value : value.replace(/^.*@/s, ''));
}

/** The value of a setting for `config get` and `config list`. Secrets are masked. */
export function listedSetting(key: SettingKey, value: string): string {
  if (SETTINGS[key].secret) return '********';
  // An invalid address may contain a password. Only a variable can have an invalid value.
  return settingFault(key, value) === undefined ? value : redactedSetting(key, value);
}

/** A value as its setting spells it, for a choice in another case such as `Production`. */
export function spelledSetting(key: SettingKey, value: string): string {
  const { choices = [] } = SETTINGS[key];
  return choices.find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
}

/** The reason why the value of a setting is invalid, or undefined. */
export function settingFault(key: SettingKey, value: string): string | undefined {
  const { choices } = SETTINGS[key];
  // An empty list of codes is valid.
  if (value === '' && key !== 'no_bill_codes') return 'it is empty';
  if (choices && !choices.includes(value)) return `it is not one of: ${choices.join(', ')}`;
  return FAULTS[key]?.(value);
}

function timeZoneFault(value: string): string | undefined {
  // Loading the data of time zones takes long.
  if (value === DEFAULT_TIME_ZONE) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return 'it is not a time zone such as Asia/Shanghai';
  }
}
