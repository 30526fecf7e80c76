import type { Command } from 'commander';
import type { Choose } from '../../command.ts';
import { registerInit } from './init.ts';
import { registerProfiles } from './profiles.ts';
import { registerValues } from './values.ts';

export function registerConfig(parent: Command, choose: Choose): void {
  const config = parent
    .command('config')
    .description('Keep addresses and credentials in named profiles.')
    .addHelpText(
      'after',
      `
Examples:
  mop config set base_url https://platform.example
  mop config set api_secret < secret.txt
  mop config list -p staging --json
`,
    );
  registerInit(config, choose);
  registerValues(config, choose);
  registerProfiles(config, choose);
}
