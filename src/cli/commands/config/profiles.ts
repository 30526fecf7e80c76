import {
  type ConfigFile,
  configPath,
  readConfig,
  updateConfig,
} from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import { table } from '../../context/output.ts';
import { DEFAULT_PROFILE, storedProfile } from '../../context/settings.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { assertNoDryRun } from './edit.ts';

export function registerProfiles(config: Command, choose: Choose): void {
  config
    .command('profiles')
    .description('List the profiles; their names alone with --quiet.')
    .explain({
      examples: ['mop config profiles', 'mop config profiles --json'],
      failures: ['config'],
    })
    .action((_: unknown, command: Command) => choose(command, runProfiles));
  config
    .command('use')
    .description('Make a profile the one in force.')
    .argument('<profile>', 'its name')
    .explain({
      examples: ['mop config use staging', 'mop config use default'],
      failures: ['config'],
    })
    .action((name: string, _: unknown, command: Command) =>
      choose(command, (context) => runUse(name, context)),
    );
  config
    .command('delete-profile')
    .description('Remove a profile and what it holds.')
    .argument('<profile>', 'its name')
    .explain({
      examples: ['mop config delete-profile staging', 'mop config delete-profile old'],
      failures: ['config'],
    })
    .action((name: string, _: unknown, command: Command) =>
      choose(command, (context) => runDelete(name, context)),
    );
}

async function runProfiles({ io, output }: Context): Promise<void> {
  const { current = DEFAULT_PROFILE, profiles } = readConfig(configPath(io), (message) =>
    output.warn(message),
  );
  const rows = Object.entries(profiles).map(([name, { environment = 'production' }]) => ({
    name,
    environment,
    current: name === current,
  }));
  if (output.json) {
    await output.document({ profiles: rows });
    return;
  }
  if (output.quiet) {
    if (rows.length > 0) await output.data(rows.map(({ name }) => name).join('\n'));
    return;
  }
  if (rows.length === 0) output.note('there is no profile yet; mop config init makes one');
  await output.data(
    table(
      ['', 'PROFILE', 'ENVIRONMENT'],
      rows.map(({ name, environment, current }) => [current ? '*' : '', name, environment]),
    ),
  );
}

async function runUse(name: string, context: Context): Promise<void> {
  await update(context, (config) => {
    storedProfile(config, name);
    return { ...config, current: name };
  });
  context.output.note(`profile ${name} is now in force`);
}

async function runDelete(name: string, context: Context): Promise<void> {
  await update(context, (config) => {
    storedProfile(config, name);
    const { [name]: _, ...profiles } = config.profiles;
    return { current: config.current === name ? undefined : config.current, profiles };
  });
  context.output.note(`profile ${name} is deleted`);
}

async function update(context: Context, change: (config: ConfigFile) => ConfigFile): Promise<void> {
  assertNoDryRun(context);
  const { io, output } = context;
  await updateConfig(configPath(io), (message) => output.warn(message), change);
}
