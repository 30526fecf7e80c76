import type { Command } from 'commander';
import type { Choose } from '../../command.ts';
import { type ConfigFile, configPath, readConfig, writeConfig } from '../../config-file.ts';
import type { Context } from '../../context.ts';
import { table } from '../../output.ts';
import { DEFAULT_PROFILE, storedProfile } from '../../settings.ts';

export function registerProfiles(config: Command, choose: Choose): void {
  config
    .command('profiles')
    .description('List the profiles.')
    .action((_: unknown, command: Command) => choose(command, runProfiles));
  config
    .command('use')
    .description('Make a profile the one in force.')
    .argument('<name>', 'a profile')
    .action((name: string, _: unknown, command: Command) =>
      choose(command, (context) => runUse(name, context)),
    );
  config
    .command('delete-profile')
    .description('Remove a profile and what it holds.')
    .argument('<name>', 'a profile')
    .action((name: string, _: unknown, command: Command) =>
      choose(command, (context) => runDelete(name, context)),
    );
}

async function runProfiles({ io, output }: Context): Promise<void> {
  const { current = DEFAULT_PROFILE, profiles } = read({ io, output });
  const rows = Object.entries(profiles).map(([name, { environment = 'production' }]) => ({
    name,
    environment,
    current: name === current,
  }));
  if (output.json) {
    await output.document({ profiles: rows });
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

async function runUse(name: string, { io, output }: Context): Promise<void> {
  const config = read({ io, output });
  storedProfile(config, name);
  await writeConfig(configPath(io), { ...config, current: name });
  output.note(`profile ${name} is now in force`);
}

async function runDelete(name: string, { io, output }: Context): Promise<void> {
  const { current, profiles } = read({ io, output });
  storedProfile({ current, profiles }, name);
  const { [name]: _, ...rest } = profiles;
  await writeConfig(configPath(io), {
    current: current === name ? undefined : current,
    profiles: rest,
  });
  output.note(`profile ${name} is deleted`);
}

function read({ io, output }: Pick<Context, 'io' | 'output'>): ConfigFile {
  return readConfig(configPath(io), (message) => output.warn(message));
}
