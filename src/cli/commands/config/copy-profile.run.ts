import type { Call } from '../../frame/command.ts';
import { editConfig, profileToTransfer } from './edit-config.ts';

export async function run({
  args: [from, to],
  context,
}: Call<unknown, [string, string]>): Promise<void> {
  await editConfig(context, (config) => {
    const copy = profileToTransfer(config, from, to);
    return { ...config, profiles: { ...config.profiles, [to]: { ...copy } } };
  });
  context.output.note(`profile ${to} is a copy of ${from}`);
}
