import { Argument } from 'commander';
import { checkKey, SETTINGS } from '../../context/setting-keys.ts';
import type { CommandDeclaration } from '../../frame/command.ts';

function settingArgument(): Argument {
  return new Argument('<setting>', 'the name of a setting')
    .choices(Object.keys(SETTINGS))
    .argParser(checkKey);
}

const configInit: CommandDeclaration = {
  name: 'init',
  description: 'Ask for the settings of a profile, test them, and store them.',
  help: {
    notes: `
        The current values are the defaults of the questions. The test runs the checks of mop doctor.`,
    examples: ['mop config init', 'mop config init -p staging --env test'],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: async () => (await import('./init.run.ts')).run,
};

const configSet: CommandDeclaration = {
  name: 'set',
  description: 'Store a setting in the profile. The secret is entered at a prompt, or piped.',
  declare: (command) =>
    command
      .addArgument(settingArgument())
      .argument('[value]', 'its value; omit it for api_secret')
      // A value may start with a dash, and a secret must not be shown as an unknown option.
      .allowUnknownOption(),
  help: {
    examples: [
      'mop config set base_url https://platform.example',
      'mop config set api_secret < secret.txt',
      'mop config set api_secret_command "cat secret.txt" -p staging',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).set,
};

const configGet: CommandDeclaration = {
  name: 'get',
  description: 'Print the value of a setting.',
  declare: (command) => command.addArgument(settingArgument()),
  help: {
    examples: ['mop config get timezone', 'mop config get test_base_url -p staging --json'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).get,
};

const configUnset: CommandDeclaration = {
  name: 'unset',
  description: 'Remove a setting from the profile.',
  declare: (command) => command.addArgument(settingArgument()),
  help: {
    examples: ['mop config unset base_url', 'mop config unset api_secret -p staging'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).unset,
};

const configList: CommandDeclaration = {
  name: 'list',
  description: 'Print all settings with their values and sources.',
  help: {
    examples: ['mop config list', 'mop config list -p staging --json'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).list,
};

const configPath: CommandDeclaration = {
  name: 'path',
  description: 'Print the path of the configuration file.',
  help: { examples: ['mop config path', 'ls -l "$(mop config path)"'] },
  load: async () => (await import('./config.run.ts')).path,
};

const configProfiles: CommandDeclaration = {
  name: 'profiles',
  description: 'List the profiles; with --quiet, only their names.',
  help: {
    examples: ['mop config profiles', 'mop config profiles --json'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).profiles,
};

const configUse: CommandDeclaration = {
  name: 'use',
  description: 'Select the profile that commands use by default.',
  declare: (command) => command.argument('<profile>', 'its name'),
  help: {
    examples: ['mop config use staging', 'mop config use default'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).use,
};

const configCopyProfile: CommandDeclaration = {
  name: 'copy-profile',
  description: 'Copy a profile with all its settings, including the secret.',
  declare: (command) => {
    command.argument('<profile>', 'the profile to copy').argument('<name>', 'the name of the copy');
  },
  help: {
    examples: ['mop config copy-profile default shop', 'mop config copy-profile staging staging-b'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).copyProfile,
};

const configRenameProfile: CommandDeclaration = {
  name: 'rename-profile',
  description: 'Rename a profile. The current profile stays the current one.',
  declare: (command) => {
    command.argument('<profile>', 'the profile to rename').argument('<name>', 'its new name');
  },
  help: {
    notes: `
        Bills and account links stay recorded under the old name of the profile. The next
        mop bill fetch --missing records the existing bills under the new name without a download.
        It downloads a bill again if the folder or the file name contains the profile. Link the
        accounts again, or rename the profile back.`,
    examples: [
      'mop config rename-profile staging shop',
      'mop config rename-profile default merchant-a',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).renameProfile,
};

const configDeleteProfile: CommandDeclaration = {
  name: 'delete-profile',
  description: 'Delete a profile with its settings. Asks for confirmation on a terminal.',
  declare: (command) => command.argument('<profile>', 'its name'),
  help: {
    examples: ['mop config delete-profile staging', 'mop config delete-profile old'],
    failures: ['config'],
  },
  load: async () => (await import('./config.run.ts')).deleteProfile,
};

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
  ],
};
