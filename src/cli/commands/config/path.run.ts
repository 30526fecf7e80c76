import { configPath } from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';

export async function run(_: unknown, { io, output }: Context): Promise<void> {
  const path = configPath(io);
  await output.result({ path }, path);
}
