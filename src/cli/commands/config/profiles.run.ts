import { configPath, readConfig } from '../../context/config-file.ts';
import type { Context } from '../../context/context.ts';
import { DEFAULT_PROFILE } from '../../context/settings.ts';
import { table } from '../../context/table.ts';

export async function run(_: unknown, { io, output }: Context): Promise<void> {
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
