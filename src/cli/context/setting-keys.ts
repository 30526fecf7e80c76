import { levelsFault } from '../../detection/levels.ts';
import { MopError } from '../../errors.ts';
import { addressFault, endpointFault } from '../../http/address.ts';
import { platformAddressFault } from '../../platform/address.ts';
import { authHeaderFault } from '../../platform/bills/download-headers.ts';
import {
  DEFAULT_AUTH_HEADER,
  DEFAULT_LATE_HOURS,
  DEFAULT_READY_TIME,
  DEFAULT_TIME_ZONE,
  TIME_OF_DAY,
} from '../../protocol/defaults.ts';
import { LEVELS } from '../../protocol/detection.ts';
import { MAX_API_KEY_LENGTH } from '../../protocol/limits.ts';
import { delimiterOf, ENCODINGS } from '../../reconciliation/rows-file.ts';
import { redactUrl } from '../../redaction/redact.ts';
import { columnListFault } from './column-pairs.ts';

export const ENVIRONMENTS = ['production', 'test', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** A setting: its meaning, its other sources, and the validation of its value. */
export interface SettingSpec {
  /** For `mop help settings` and the documentation, in up to 57 characters. */
  readonly meaning: string;
  readonly flag?: string;
  readonly variable?: string;
  /** Whether the variable sets this address in the test environment, or in all others. Default: all. */
  readonly environment?: 'test' | 'not-test';
  readonly fallback?: string;
  readonly secret?: boolean;
  /** A path. It is stored as an absolute path, which is valid in every directory. */
  readonly path?: boolean;
  /** The only valid values. */
  readonly choices?: readonly string[];
  /** Returns the reason why a value is invalid, or undefined. */
  readonly fault?: (value: string) => string | undefined;
}

const not = (pattern: RegExp, subject: string) => (value: string) =>
  pattern.test(value) ? undefined : `it is not ${subject}`;

/** Filters of rows, separated by commas. */
const FILTERS = /^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/;

/** Every setting of a profile (contract section 2), in the order in which they are listed. */
export const SETTINGS = {
  environment: {
    meaning: 'the environment: production, test or sandbox',
    flag: '--env',
    variable: 'MOP_ENV',
    fallback: 'production',
    choices: ENVIRONMENTS,
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
    meaning: 'the secret of the key; entered at a prompt, or piped',
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
    meaning: "the platform's time zone, which decides yesterday's date",
    variable: 'MOP_TIMEZONE',
    fallback: DEFAULT_TIME_ZONE,
    fault: timeZoneFault,
  },
  bill_dir: {
    meaning: 'the directory of the bills; by default the current one',
    flag: '--out',
    path: true,
  },
  bill_name: {
    meaning: 'file name of bills: {date}, {type}, {profile} or {env}',
    flag: '--name',
    fallback: 'bill_{date}_{type}.csv',
  },
  bill_file_mode: {
    meaning: 'permissions of a stored bill, in octal',
    fallback: '600',
    fault: not(/^0?[0-7]{3}$/, 'an octal mode such as 600'),
  },
  bill_content: {
    meaning: 'check refuses pages and documents as bills; any does not',
    flag: '--accept-any-content',
    fallback: 'check',
    choices: ['check', 'any'],
  },
  bill_late_hours: {
    meaning: 'hours after bill_ready_time until no bill is expected',
    fallback: `${DEFAULT_LATE_HOURS}`,
    fault: not(/^\d+(?:\.\d+)?$/, 'a number of hours'),
  },
  bill_auth_header: {
    meaning: 'the header that carries the authorization of a download',
    fallback: DEFAULT_AUTH_HEADER,
    fault: authHeaderFault,
  },
  mode: {
    meaning: 'signature mode: body, header, or documented by operation',
    flag: '--mode',
    fallback: 'documented',
    choices: ['documented', 'body', 'header'],
  },
  detect_levels: {
    meaning: 'levels of the detection service, the lowest first',
    flag: '--levels',
    fallback: LEVELS.join('<'),
    fault: levelsFault,
  },
  compare_key: {
    meaning: 'bill compare: key columns, such as order_id=id,city',
    flag: '--key',
    fault: columnListFault,
  },
  compare_amount: {
    meaning: 'bill compare: amount columns, such as paid_amount=total',
    flag: '--amount',
    fault: columnListFault,
  },
  compare_encoding: {
    meaning: 'bill compare: encoding of your records, or auto',
    flag: '--encoding',
    fallback: 'auto',
    choices: ['auto', ...ENCODINGS],
  },
  compare_delimiter: {
    meaning: 'bill compare: separator in your records, such as ; or tab',
    flag: '--delimiter',
    fault: (value) =>
      delimiterOf(value) === undefined ? 'it is not one ASCII character, or tab' : undefined,
  },
  compare_where: {
    meaning: 'bill compare: rows of the bill, such as status=PAID',
    flag: '--where',
    fault: not(FILTERS, 'a list of filters such as status=PAID,city=A'),
  },
  compare_records_where: {
    meaning: 'bill compare: rows of your records, such as state=paid',
    flag: '--records-where',
    fault: not(FILTERS, 'a list of filters such as state=paid,state=done'),
  },
  compare_factor: {
    meaning: 'bill compare: factor of amounts in your records: 0.01',
    flag: '--factor',
    fault: not(/^-?\d+(?:\.\d+)?$/, 'a decimal number such as 0.01'),
  },
  compare_net: {
    meaning: 'bill compare: add up the rows of a key, true or false',
    flag: '--net',
    fallback: 'false',
    choices: ['true', 'false'],
  },
  compare_blank: {
    meaning: 'bill compare: the amount of blank cells, such as 0',
    flag: '--blank',
    fault: not(/^-?\d+(?:\.\d+)?$/, 'a decimal number such as 0'),
  },
  bill_ready_time: {
    meaning: "when yesterday's bill is ready, HH:MM (sandbox: 00:00)",
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

/** A setting with a default always has a value. */
export type SettingText<Key extends SettingKey> = (typeof SETTINGS)[Key] extends {
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
    hint: 'write mop config set SETTING VALUE; mop help settings lists the settings',
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
  if ((SETTINGS[key] as SettingSpec).secret) return '********';
  // An invalid address may contain a password. Only a variable can have an invalid value.
  return settingFault(key, value) === undefined ? value : redactedSetting(key, value);
}

/** A value as its setting spells it, for a choice in another case such as `Production`. */
export function spelledSetting(key: SettingKey, value: string): string {
  const { choices = [] }: SettingSpec = SETTINGS[key];
  return choices.find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
}

/** The reason why the value of a setting is invalid, or undefined. */
export function settingFault(key: SettingKey, value: string): string | undefined {
  const { choices, fault }: SettingSpec = SETTINGS[key];
  // An empty list of codes is valid.
  if (value === '' && key !== 'no_bill_codes') return 'it is empty';
  if (choices && !choices.includes(value)) return `it is not one of: ${choices.join(', ')}`;
  return fault?.(value);
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
