import type { SettingKey } from '../../context/setting-keys.ts';
import type { Call } from '../../frame/command.ts';
import { editProfile } from './edit-config.ts';

export async function run({ args: [key], context }: Call<unknown, [SettingKey]>): Promise<void> {
  const profile = await editProfile(context, ({ [key]: removed, ...rest }) => rest, {
    create: false,
  });
  context.output.note(`${key} is no longer set in profile ${profile}`);
}
