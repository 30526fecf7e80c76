import { statSync } from 'node:fs';
import type { MopError } from '../../../errors.ts';
import {
  type Finding,
  failed,
  ok,
  reportable,
  skipped,
  warning,
} from '../../../platform/doctor/finding.ts';
import { assertPrivate, configPath } from '../../config-file.ts';
import type { Context } from '../../context.ts';
import { SETTINGS, type SettingKey, type Settings } from '../../settings.ts';
import { secretPlace } from './secret.ts';

/** Reads the settings to examine, and tells what there is to warn of. */
export type LoadSettings = (warn: (message: string) => void) => Settings;

export interface ConfigurationFindings {
  readonly configuration: Finding;
  readonly fileModes: Finding;
  /** Undefined when they cannot be used. */
  readonly settings: Settings | undefined;
}

/** The checks `configuration` and `file-modes`: a file that others can read is not used at all. */
export function examineConfiguration(load: LoadSettings, context: Context): ConfigurationFindings {
  const path = configPath(context.io);
  const warnings: string[] = [];
  try {
    const settings = load((message) => warnings.push(message));
    assertUsable(settings);
    const { profile, environment } = settings;
    const file = modeOf(path) === undefined ? `no file ${path} yet` : path;
    return {
      configuration: ok(`profile ${profile}, environment ${environment}, ${file}`),
      fileModes: examineModes(settings, path, warnings.length > 0),
      settings,
    };
  } catch (error) {
    const failure = reportable(error);
    const isExposed = exposure(path)?.message === failure.message;
    return {
      configuration: isExposed ? skipped('see file-modes') : failed(failure),
      fileModes: isExposed ? failed(failure) : skipped('the configuration cannot be used'),
      settings: undefined,
    };
  }
}

/** These have checks of their own. */
const EXAMINED_APART: readonly SettingKey[] = [
  'api_key',
  'base_url',
  'test_base_url',
  'open_base_url',
  'open_test_base_url',
];

/** @throws {MopError} `config` for the first setting that no command could use. */
function assertUsable(settings: Settings): void {
  for (const key of Object.keys(SETTINGS) as SettingKey[]) {
    if (!EXAMINED_APART.includes(key)) settings.get(key);
  }
}

function examineModes(settings: Settings, path: string, groupReadsConfig: boolean): Finding {
  if (process.platform === 'win32') return skipped('Windows keeps no such modes');
  if (settings.environment === 'sandbox') return skipped('the sandbox has its own secret');
  const place = secretPlace(settings);
  const secretFile = place?.key === 'api_secret_file' ? place.value : undefined;
  const exposed = groupReadsConfig ? [path] : [];
  if (secretFile !== undefined && modeOf(secretFile) !== undefined) {
    try {
      assertPrivate(secretFile, () => exposed.push(secretFile));
    } catch (error) {
      return failed(reportable(error));
    }
  }
  if (exposed.length > 0) {
    const files = exposed.join(' and ');
    return warning(`the group can read ${files}`, `run: chmod 600 ${exposed.join(' ')}`);
  }
  const modes = [path, secretFile ?? ''].flatMap((file) => {
    const mode = modeOf(file);
    return mode === undefined ? [] : [`${file} has mode ${mode.toString(8)}`];
  });
  return modes.length > 0 ? ok(modes.join('; ')) : skipped('there is no file yet');
}

/** The failure of a configuration file that others can read although it holds a secret. */
function exposure(path: string): MopError | undefined {
  if (modeOf(path) === undefined) return undefined;
  try {
    assertPrivate(path, () => {});
    return undefined;
  } catch (error) {
    return reportable(error);
  }
}

/** Undefined for a file that is not there, or cannot be looked at. */
function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return undefined;
  }
}
