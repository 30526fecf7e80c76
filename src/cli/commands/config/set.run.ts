import { resolve } from 'node:path';
import { MopError, own, quoted } from '../../../errors.ts';
import { correctedAddress } from '../../../http/address.ts';
import type { Profile } from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import { askSecret } from '../../context/prompt.ts';
import {
  redactedSetting,
  SECRET_KEYS,
  SETTINGS,
  type SettingKey,
  type SettingSpec,
  setCommand,
  settingFault,
} from '../../context/setting-keys.ts';
import type { Call } from '../../frame/command.ts';
import { editProfile, warnOfOverrides, withSettings } from './edit-config.ts';

export async function run({
  args: [key, value],
  context,
}: Call<unknown, [SettingKey, string | undefined]>): Promise<void> {
  const stored = key === 'api_secret' ? await newSecret(value, context) : newValue(key, value);
  let replaced: string | undefined;
  const profile = await editProfile(context, (values) => {
    replaced = replacedSecret(key, values);
    return withSettings(values, { [key]: stored });
  });
  const { output } = context;
  if (replaced) output.warn(`${key} replaces the stored ${replaced} of profile ${profile}`);
  output.note(`${key} is set in profile ${profile}`);
  warnOfOverrides([key], profile, context);
}

/** The stored secret setting that the new one replaces; undefined if there is no other secret. */
function replacedSecret(key: SettingKey, stored: Profile): string | undefined {
  const secretKeys: readonly string[] = SECRET_KEYS;
  if (!secretKeys.includes(key)) return undefined;
  return secretKeys.find((each) => each !== key && each in stored);
}

async function newSecret(value: string | undefined, context: Context): Promise<string> {
  if (value === undefined) return askSecret(context);
  context.output.conceal(value);
  throw new MopError('usage', 'a secret cannot be given on the command line', {
    hint: 'omit the value to enter it at a prompt, or pipe it: mop config set api_secret < FILE',
  });
}

/** The command with a corrected address; undefined for a value that cannot be corrected. */
function correctionHint(key: SettingKey, value: string): string | undefined {
  // The text before an @ may be a password.
  if (!key.endsWith('_url') || value.trim() === '' || value.includes('@')) return undefined;
  const corrected = correctedAddress(value);
  const valid = [corrected, corrected.replace(/^http:/, 'https:')].find(
    (address) => settingFault(key, address) === undefined,
  );
  return valid === undefined ? undefined : quoted`run: mop config set ${key} ${valid}`;
}

function newValue(key: SettingKey, value: string | undefined): string {
  if (value === undefined) {
    throw new MopError('usage', `config set ${key} needs a value`, {
      hint: quoted`for example: ${own(setCommand(key))}`,
    });
  }
  const { choices, path }: SettingSpec = SETTINGS[key];
  const fault = settingFault(key, value);
  if (fault) {
    const shown = JSON.stringify(redactedSetting(key, value));
    throw new MopError('usage', `${key} cannot be ${shown}: ${fault}`, {
      hint:
        correctionHint(key, value) ??
        quoted`mop help settings explains it; for example: ${own(setCommand(key))}`,
      ...(choices && { unknown: { word: value, names: choices } }),
    });
  }
  return path ? resolve(value) : value;
}
