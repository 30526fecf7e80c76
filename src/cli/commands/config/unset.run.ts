import type { Context } from '../../context/context.ts';
import type { SettingKey } from '../../context/settings.ts';
import { editProfile } from './edit-config.ts';

export async function run(key: SettingKey, _: unknown, context: Context): Promise<void> {
  const profile = await editProfile(context, ({ [key]: removed, ...rest }) => rest, {
    create: false,
  });
  context.output.note(`${key} is no longer set in profile ${profile}`);
}
