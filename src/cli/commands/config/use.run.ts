import { storedProfile } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { editConfig } from './edit-config.ts';

export async function run({ args: [name], context }: Call<unknown, [string]>): Promise<void> {
  await editConfig(context, (config) => {
    storedProfile(config, name);
    return { ...config, current: name };
  });
  context.output.note(`profile ${name} is now in force`);
}
