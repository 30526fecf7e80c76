import { MopError } from '../../../errors.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { displayedSetting, profileOption, type SettingKey } from '../../context/settings.ts';

export async function run(key: SettingKey, _: unknown, context: Context): Promise<void> {
  const settings = settingsOf(context);
  const found = settings.find(key);
  if (!found) {
    throw new MopError('config', `${key} is not set`, {
      hint:
        key === 'api_secret'
          ? `run: mop config set api_secret${profileOption(settings.profile)}`
          : `run: mop config set ${key} VALUE${profileOption(settings.profile)}`,
    });
  }
  const value = displayedSetting(key, found.value);
  await context.output.result({ key, value, source: found.source }, value);
}
