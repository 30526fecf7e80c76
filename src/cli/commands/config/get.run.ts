import { MopError, own, quoted } from '../../../errors.ts';
import { settingsOf } from '../../context/context.ts';
import { listedSetting, type SettingKey, setCommand } from '../../context/setting-keys.ts';
import { profileOption } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';

export async function run({ args: [key], context }: Call<unknown, [SettingKey]>): Promise<void> {
  const settings = settingsOf(context);
  const found = settings.find(key);
  if (!found) {
    throw new MopError('config', `${key} is not set`, {
      hint: quoted`to set it, run: ${own(setCommand(key))}${own(profileOption(settings.profile))}`,
    });
  }
  const value = listedSetting(key, found.value);
  await context.output.result({ key, value, source: found.source }, value);
}
