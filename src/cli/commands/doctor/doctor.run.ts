import { printThenFail } from '../../context/failures.ts';
import { Settings } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { examine } from './examine.ts';
import { failureOf, printChecks } from './print-checks.ts';

export async function run({ context }: Call): Promise<void> {
  const { io, globals, output } = context;
  const checks = await examine(context, (config) => new Settings(globals, io.env, config));
  const printing = output.json
    ? output.redacted({
        checks: checks.map(({ name, state, detail }) => ({ name, state, detail })),
      })
    : printChecks(checks, 'stdout', context);
  await printThenFail(printing, failureOf(checks));
}
