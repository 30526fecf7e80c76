import type { Context } from '../../context/context.ts';
import { storedProfile } from '../../context/settings.ts';
import { editConfig } from './edit-config.ts';

export async function run(name: string, _: unknown, context: Context): Promise<void> {
  await editConfig(context, (config) => {
    storedProfile(config, name);
    const { [name]: deleted, ...profiles } = config.profiles;
    return { current: config.current === name ? undefined : config.current, profiles };
  });
  context.output.note(`profile ${name} is deleted`);
}
