import { resolve } from 'node:path';
import { MopError } from '../../../errors.ts';
import type { Context } from '../../context/context.ts';
import { askSecret } from '../../context/prompt.ts';
import {
  SETTINGS,
  type SettingKey,
  type SettingSpec,
  settingFault,
  shownSetting,
} from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { editProfile, withSettings } from './edit-config.ts';

export async function run({
  args: [key, value],
  context,
}: Call<unknown, [SettingKey, string | undefined]>): Promise<void> {
  const stored = key === 'api_secret' ? await newSecret(value, context) : newValue(key, value);
  const profile = await editProfile(context, (values) => withSettings(values, { [key]: stored }));
  context.output.note(`${key} is set in profile ${profile}`);
}

async function newSecret(value: string | undefined, context: Context): Promise<string> {
  if (value === undefined) return askSecret(context);
  context.output.conceal(value);
  throw new MopError('usage', 'a secret is never taken from the command line', {
    hint: 'leave the value out to be asked, or pipe it: mop config set api_secret < FILE',
  });
}

function newValue(key: SettingKey, value: string | undefined): string {
  if (value === undefined) {
    throw new MopError('usage', `config set ${key} needs a value`, {
      hint: `write: mop config set ${key} VALUE`,
    });
  }
  const fault = settingFault(key, value);
  if (fault) {
    const shown = JSON.stringify(shownSetting(key, value));
    throw new MopError('usage', `${key} cannot be ${shown}: ${fault}`, {
      hint: 'nothing was changed',
    });
  }
  return (SETTINGS[key] as SettingSpec).path ? resolve(value) : value;
}
