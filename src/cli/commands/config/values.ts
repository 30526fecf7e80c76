import { resolve } from 'node:path';
import { Argument } from 'commander';
import { MopError } from '../../../errors.ts';
import { configPath } from '../../context/config-file.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { table } from '../../context/output.ts';
import { askSecret } from '../../context/prompt.ts';
import {
  checkKey,
  profileOption,
  SETTINGS,
  type SettingKey,
  type SettingSpec,
  settingFault,
  shownSetting,
} from '../../context/settings.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { editProfile, withSettings } from './edit.ts';

/** What stands for a secret in a list. */
const MASK = '********';

export function registerValues(config: Command, choose: Choose): void {
  config
    .command('set')
    .description('Store a setting in the profile. The secret is asked for, or read from a pipe.')
    .addArgument(settingArgument())
    .argument('[value]', 'its value; none for api_secret')
    // A value may start with a dash, and a secret must not be shown as an unknown option.
    .allowUnknownOption()
    .explain({
      examples: [
        'mop config set base_url https://platform.example',
        'mop config set api_secret < secret.txt',
        'mop config set api_secret_command "cat secret.txt" -p staging',
      ],
      failures: ['config'],
    })
    .action((key: SettingKey, value: string | undefined, _: unknown, command: Command) =>
      choose(command, (context) => runSet(key, value, context)),
    );
  config
    .command('get')
    .description('Print the value in force.')
    .addArgument(settingArgument())
    .explain({
      examples: ['mop config get timezone', 'mop config get test_base_url -p staging --json'],
      failures: ['config'],
    })
    .action((key: SettingKey, _: unknown, command: Command) =>
      choose(command, (context) => runGet(key, context)),
    );
  config
    .command('unset')
    .description('Remove a setting from the profile.')
    .addArgument(settingArgument())
    .explain({
      examples: ['mop config unset base_url', 'mop config unset api_secret -p staging'],
      failures: ['config'],
    })
    .action((key: SettingKey, _: unknown, command: Command) =>
      choose(command, (context) => runUnset(key, context)),
    );
  config
    .command('list')
    .description('Show every setting in force, and where it comes from.')
    .explain({
      examples: ['mop config list', 'mop config list -p staging --json'],
      failures: ['config'],
    })
    .action((_: unknown, command: Command) => choose(command, runList));
  config
    .command('path')
    .description('Print where the configuration is kept.')
    .explain({ examples: ['mop config path', 'ls -l "$(mop config path)"'] })
    .action((_: unknown, command: Command) =>
      choose(command, async ({ io, output }) => {
        const path = configPath(io);
        if (output.json) await output.document({ path });
        else await output.data(path);
      }),
    );
}

function settingArgument(): Argument {
  return new Argument('<key>', 'a setting').choices(Object.keys(SETTINGS)).argParser(checkKey);
}

async function runSet(key: SettingKey, value: string | undefined, context: Context): Promise<void> {
  const stored = key === 'api_secret' ? await newSecret(value, context) : newValue(key, value);
  const profile = await editProfile(context, (values) => withSettings(values, { [key]: stored }));
  context.output.note(`${key} is set in profile ${profile}`);
}

async function newSecret(value: string | undefined, context: Context): Promise<string> {
  if (value === undefined) return askSecret(context);
  context.output.conceal(value);
  throw new MopError('usage', 'a secret is never taken from the command line', {
    hint: 'leave the value out to be asked, or pipe it: mop config set api_secret < FILE',
  });
}

function newValue(key: SettingKey, value: string | undefined): string {
  if (value === undefined) {
    throw new MopError('usage', `config set ${key} needs a value`, {
      hint: `write: mop config set ${key} VALUE`,
    });
  }
  const fault = settingFault(key, value);
  if (fault) {
    throw new MopError(
      'usage',
      `${key} cannot be ${JSON.stringify(shownSetting(key, value))}: ${fault}`,
      {
        hint: 'nothing was changed',
      },
    );
  }
  return (SETTINGS[key] as SettingSpec).path ? resolve(value) : value;
}

async function runGet(key: SettingKey, context: Context): Promise<void> {
  const { output } = context;
  const settings = settingsOf(context);
  const found = settings.find(key);
  if (!found) {
    throw new MopError('config', `${key} is not set`, {
      hint:
        key === 'api_secret'
          ? `run: mop config set api_secret${profileOption(settings.profile)}`
          : `run: mop config set ${key} VALUE${profileOption(settings.profile)}`,
    });
  }
  const value = shown(key, found.value);
  if (output.json) await output.document({ key, value, source: found.source });
  else await output.data(value);
}

async function runUnset(key: SettingKey, context: Context): Promise<void> {
  const profile = await editProfile(context, ({ [key]: _, ...rest }) => rest, { create: false });
  context.output.note(`${key} is no longer set in profile ${profile}`);
}

async function runList(context: Context): Promise<void> {
  const { output } = context;
  const settings = settingsOf(context);
  const values = (Object.keys(SETTINGS) as SettingKey[]).map((key) => {
    const found = settings.find(key);
    const value = found ? shown(key, found.value) : null;
    return { key, value, source: found?.source ?? 'default' };
  });
  if (output.json) {
    await output.document({ profile: settings.profile, values });
    return;
  }
  const rows = values.map(({ key, value, source }) => [key, value ?? '-', source]);
  output.note(`profile ${settings.profile}`);
  await output.data(table(['KEY', 'VALUE', 'SOURCE'], rows));
}

function shown(key: SettingKey, value: string): string {
  if ((SETTINGS[key] as SettingSpec).secret) return MASK;
  // A variable may hold what no command takes.
  return settingFault(key, value) === undefined ? value : shownSetting(key, value);
}
