import { storedProfile } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { editConfig } from './edit-config.ts';

export async function run({ args: [name], context }: Call<unknown, [string]>): Promise<void> {
  await editConfig(context, (config) => {
    storedProfile(config, name);
    return { ...config, current: name };
  });
  const { io, output } = context;
  output.note(`now using profile ${name}`);
  const { MOP_PROFILE: variable } = io.env;
  if (variable && variable !== name) {
    output.warn(`MOP_PROFILE is set: it selects profile ${variable}`);
  }
}
