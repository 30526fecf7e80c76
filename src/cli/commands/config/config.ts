import type { CommandDeclaration } from '../../frame/command.ts';
import { configCopyProfile } from './copy-profile.ts';
import { configDates } from './dates.ts';
import { configDeleteProfile } from './delete-profile.ts';
import { configGet } from './get.ts';
import { configInit } from './init.ts';
import { configList } from './list.ts';
import { configPath } from './path.ts';
import { configProfiles } from './profiles.ts';
import { configRenameProfile } from './rename-profile.ts';
import { configSet } from './set.ts';
import { configUnset } from './unset.ts';
import { configUse } from './use.ts';

export const config: CommandDeclaration = {
  name: 'config',
  description: 'Manage profiles: named sets of addresses and credentials.',
  help: {
    examples: [
      'mop config set base_url https://platform.example',
      'mop config set api_secret < secret.txt',
      'mop config list -p staging --json',
    ],
  },
  commands: [
    configInit,
    configSet,
    configGet,
    configUnset,
    configList,
    configPath,
    configProfiles,
    configUse,
    configCopyProfile,
    configRenameProfile,
    configDeleteProfile,
    configDates,
  ],
};
