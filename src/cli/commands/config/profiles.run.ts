import { configOf } from '../../context/context.ts';
import { DEFAULT_PROFILE } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';

export async function run({ context }: Call): Promise<void> {
  const { output } = context;
  const { current = DEFAULT_PROFILE, profiles } = configOf(context);
  const rows = Object.entries(profiles).map(([name, { environment = 'production' }]) => ({
    name,
    environment,
    current: name === current,
  }));
  if (output.quiet && !output.json) {
    if (rows.length > 0) await output.data(rows.map(({ name }) => name).join('\n'));
    return;
  }
  if (rows.length === 0)
    output.note('there is no profile yet; to create one, run: mop config init');
  const cells = rows.map(({ name, environment, current }) => [
    current ? '*' : '',
    name,
    environment,
  ]);
  const table = await output.table(['', 'PROFILE', 'ENVIRONMENT'], cells);
  await output.result({ profiles: rows }, table);
}
