import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { MopError, own, quoted } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';
import { addressNeed, addressSetting, missingAddress } from '../../../platform/address.ts';
import {
  type Checked,
  checked,
  type Finding,
  failed,
  ok,
  reportable,
  skipped,
  warning,
} from '../../../platform/doctor/finding.ts';
import type { SignatureMode } from '../../../protocol/operations.ts';
import {
  assertPrivate,
  assertTrusted,
  type ConfigFile,
  configPath,
  readConfig,
} from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import { loadCurrentSecret, secretAnomaly, secretPlace } from '../../context/secret.ts';
import { SETTINGS, type SettingKey } from '../../context/setting-keys.ts';
import { addressHint, preferredMode, type Settings } from '../../context/settings.ts';

/** Selects the settings to check from the configuration. */
export type ChooseSettings = (config: ConfigFile) => Settings;

interface ConfigurationFindings {
  readonly configuration: Finding;
  readonly fileModes?: Finding;
  /** Undefined when they are invalid. */
  readonly settings?: Settings | undefined;
}

/** The checks `configuration` and `file-modes`. A file that other users can read is not used. */
export async function examineConfiguration(
  choose: ChooseSettings,
  { io }: Context,
): Promise<ConfigurationFindings> {
  const ignored: string[] = [];
  const path = configPath(io, (message) => ignored.push(message));
  let config: ConfigFile;
  try {
    config = readConfig(path, () => {});
  } catch (error) {
    // Check the mode first: a damaged file may contain a secret too.
    const { finding: fileModes } = await checked(() => examineModes(path, [path]));
    return fileModes.state === 'failed'
      ? { configuration: skipped('see file-modes'), fileModes }
      : { configuration: failed(reportable(error)) };
  }
  const profile = await checked(() => examineProfile(choose(config), path, ignored));
  const { finding: configuration, value: settings } = profile;
  if (!settings) return { configuration };
  if (settings.environment === 'sandbox') {
    return { configuration, fileModes: skipped('the sandbox has its own secret'), settings };
  }
  const place = secretPlace(settings);
  const secretFiles = [
    ...(Object.values(config.profiles).some((values) => 'api_secret' in values) ? [path] : []),
    ...(place?.key === 'api_secret_file' ? [place.value] : []),
  ];
  const { finding: fileModes } = await checked(() => examineModes(path, secretFiles));
  return { configuration, fileModes, settings };
}

/** Settings with their own checks. */
const CHECKED_SEPARATELY = /^api_key$|base_url$/;

/** Validates all other settings. */
function examineProfile(
  settings: Settings,
  path: string,
  ignored: readonly string[],
): Checked<Settings> {
  for (const key of Object.keys(SETTINGS) as SettingKey[]) {
    if (!CHECKED_SEPARATELY.test(key)) settings.get(key);
  }
  const { profile, environment } = settings;
  const file = modeOf(path) === undefined ? `no file ${path} yet` : path;
  const detail = [`profile ${profile}, environment ${environment}, ${file}`, ...ignored].join('; ');
  const finding = ignored.length > 0 ? warning(detail, undefined) : ok(detail);
  return { finding, value: settings };
}

/** Checks the owner and the permissions of the configuration, and the permissions of secret files. */
function examineModes(configuration: string, secretFiles: readonly string[]): Checked<never> {
  if (process.platform === 'win32') return { finding: skipped('Windows has no such modes') };
  const weak: { fault: string; fix: string }[] = [];
  const modes: string[] = [];
  for (const file of new Set([configuration, ...secretFiles])) {
    const mode = modeOf(file);
    if (mode === undefined) continue;
    if (secretFiles.includes(file)) {
      const found = { fault: `the group can read ${file}`, fix: quoted`chmod 600 ${file}` };
      assertPrivate(file, () => weak.push(found));
    }
    for (const each of file === configuration ? [file, dirname(file)] : []) {
      const found = { fault: `the group can change ${each}`, fix: quoted`chmod g-w ${each}` };
      assertTrusted(each, () => weak.push(found));
    }
    modes.push(`${file} has mode ${mode.toString(8)}`);
  }
  if (weak.length > 0) {
    const faults = weak.map(({ fault }) => fault).join('; ');
    return {
      finding: warning(faults, quoted`run: ${own(weak.map(({ fix }) => fix).join(' && '))}`),
    };
  }
  return { finding: modes.length > 0 ? ok(modes.join('; ')) : skipped('there is no file yet') };
}

/** The permissions of a file; undefined when it is missing or not accessible. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return undefined;
  }
}

/** The check `api-key`: whether a valid key is set (D1 2.1). */
export function examineKey(settings: Settings): Checked<string> {
  const key = settings.get('api_key');
  if (key === undefined) {
    throw new MopError('config', 'no api_key is set', {
      hint: quoted`set MOP_API_KEY, or run: mop config init -p ${settings.profile}`,
    });
  }
  return { finding: ok(`${key}, from ${settings.find('api_key')?.origin}`), value: key };
}

/** The check `api-secret`: whether a plausible secret is set. It is never printed. */
export async function examineSecret(
  settings: Settings,
  context: Context,
): Promise<Checked<string>> {
  // Other commands print these warnings; here they are part of the report.
  const secret = await loadCurrentSecret(settings, context, () => {});
  const place = secretPlace(settings);
  const detail = `${counted(secret.length, 'character')}, from ${place?.origin}`;
  const anomaly = secretAnomaly(secret);
  const finding = anomaly
    ? warning(
        `${anomaly} (${detail})`,
        'compare it with the issued secret; only a line end after it is removed',
      )
    : ok(detail);
  return { finding, value: secret };
}

/** The addresses that are set and usable, by signature mode. */
export type Addresses = { readonly [mode in SignatureMode]?: string | undefined };

export interface AddressFindings {
  readonly findings: { readonly [mode in SignatureMode]: Finding };
  readonly addresses: Addresses;
}

/**
 * The checks `address` (body mode) and `open-address` (header mode). Each mode has its own address
 * (D1 4.0). One of them is enough, unless the setting `mode` requires the other.
 */
export async function examineAddresses(settings: Settings): Promise<AddressFindings> {
  const test = settings.environment === 'test';
  const keys = { body: addressSetting('body', test), header: addressSetting('header', test) };
  const preferred = preferredMode(settings);
  const isEither = preferred === 'documented';
  if (isEither && !settings.find(keys.body) && !settings.find(keys.header)) {
    const none = new MopError('config', `neither ${keys.body} nor ${keys.header} is set`, {
      hint: addressHint(settings, 'body'),
    });
    return { findings: { body: failed(none), header: skipped('see address') }, addresses: {} };
  }
  const examine = (mode: SignatureMode): Promise<Checked<string>> =>
    checked(() => {
      const key = keys[mode];
      const value = settings.get(key);
      if (value !== undefined) return { finding: ok(`${key} ${value}`), value };
      const hint = addressHint(settings, mode);
      const missing = missingAddress(key, addressNeed(mode, preferred), hint);
      if (preferred === mode) throw missing;
      const { message } = missing;
      return { finding: isEither ? warning(message, hint) : skipped(message) };
    });
  const [body, header] = await Promise.all([examine('body'), examine('header')]);
  return {
    findings: { body: body.finding, header: header.finding },
    addresses: { body: body.value, header: header.value },
  };
}
