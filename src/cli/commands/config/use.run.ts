import type { Context } from '../../context/context.ts';
import { storedProfile } from '../../context/settings.ts';
import { editConfig } from './edit-config.ts';

export async function run(name: string, _: unknown, context: Context): Promise<void> {
  await editConfig(context, (config) => {
    storedProfile(config, name);
    return { ...config, current: name };
  });
  context.output.note(`profile ${name} is now in force`);
}
