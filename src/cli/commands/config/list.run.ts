import { settingsOf } from '../../context/context.ts';
import { listedSetting, SETTINGS, type SettingKey } from '../../context/setting-keys.ts';
import type { Call } from '../../frame/command.ts';

export async function run({ context }: Call): Promise<void> {
  const { output } = context;
  const settings = settingsOf(context);
  const values = (Object.keys(SETTINGS) as SettingKey[]).map((key) => {
    const found = settings.find(key);
    const value = found ? listedSetting(key, found.value) : null;
    return { key, value, source: found?.source ?? 'default' };
  });
  const rows = values.map(({ key, value, source }) => [key, value ?? '-', source]);
  output.note(`profile ${settings.profile}`);
  const document = { profile: settings.profile, values };
  await output.result(document, await output.table(['KEY', 'VALUE', 'SOURCE'], rows));
}
