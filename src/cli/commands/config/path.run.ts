import { configPath } from '../../context/config-file.ts';
import type { Call } from '../../frame/command.ts';

export async function run({ context: { io, output } }: Call): Promise<void> {
  const path = configPath(io, output.warnOnce);
  await output.result({ path }, path);
}
