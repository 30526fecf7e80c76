import type { Choose, Command } from '../../frame/command.ts';
import { registerInit } from './init.ts';
import { registerProfiles } from './profiles.ts';
import { registerValues } from './values.ts';

export function register(config: Command, choose: Choose): void {
  config.explain({
    examples: [
      'mop config set base_url https://platform.example',
      'mop config set api_secret < secret.txt',
      'mop config list -p staging --json',
    ],
  });
  registerInit(config, choose);
  registerValues(config, choose);
  registerProfiles(config, choose);
}
