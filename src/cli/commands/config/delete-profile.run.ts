import { storedProfile } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { editConfig } from './edit-config.ts';

export async function run({ args: [name], context }: Call<unknown, [string]>): Promise<void> {
  await editConfig(context, (config) => {
    storedProfile(config, name);
    const { [name]: deleted, ...profiles } = config.profiles;
    return { current: config.current === name ? undefined : config.current, profiles };
  });
  context.output.note(`profile ${name} is deleted`);
}
