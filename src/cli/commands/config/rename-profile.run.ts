import { quoted } from '../../../errors.ts';
import { DEFAULT_PROFILE } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { editConfig, profileToTransfer } from './edit-config.ts';

export async function run({
  args: [from, to],
  context,
}: Call<unknown, [string, string]>): Promise<void> {
  const { io, output } = context;
  await editConfig(context, (config) => {
    profileToTransfer(config, from, to);
    const { current = DEFAULT_PROFILE } = config;
    const renamed = Object.entries(config.profiles).map(([name, values]) => [
      name === from ? to : name,
      values,
    ]);
    return {
      current: current === from ? to : config.current,
      profiles: Object.fromEntries(renamed),
    };
  });
  output.note(`profile ${from} is renamed to ${to}`);
  output.warn(
    quoted`bills and account links are still recorded under ${from}: see mop config rename-profile --help`,
  );
  if (io.env.MOP_PROFILE === from) output.warn(`MOP_PROFILE still names ${from}`);
}
