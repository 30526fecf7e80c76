import { VERSION } from '../../version.ts';
import type { Call } from '../frame/command.ts';

export async function run({ context: { output } }: Call): Promise<void> {
  await output.data(VERSION);
}
