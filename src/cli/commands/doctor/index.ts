import type { Command } from 'commander';
import type { Choose } from '../../command.ts';
import type { Context } from '../../context.ts';
import { BrokenPipe } from '../../output.ts';
import { loadSettings } from '../../settings.ts';

export function registerDoctor(parent: Command, choose: Choose): void {
  parent
    .command('doctor')
    .description('Check configuration, network, clock and credentials, a line each.')
    .addHelpText(
      'after',
      `
Each check is ok, warning, failed or skipped; a fix: line says what to do next. The
last check makes one signed call that changes nothing. Exit code 0 unless a check failed.

Examples:
  mop doctor
  mop doctor -p staging --timeout 5
  mop doctor --env sandbox --json
`,
    )
    .action((_: unknown, command: Command) => choose(command, runDoctor));
}

async function runDoctor(context: Context): Promise<void> {
  const { io, globals, output } = context;
  const { examine } = await import('./examine.ts');
  const { failureOf, printChecks } = await import('./report.ts');
  const checks = await examine(context, (warn) => loadSettings(globals, io, warn));
  const failure = failureOf(checks);
  try {
    if (output.json) {
      await output.document({
        checks: checks.map(({ name, state, detail }) => ({
          name,
          state,
          detail: output.clean(detail),
        })),
      });
    } else if (!output.quiet) {
      await printChecks(checks, 'stdout', context);
    }
  } catch (error) {
    // The failure counts for more than a reader that went away.
    if (!failure || !(error instanceof BrokenPipe)) throw error;
  }
  if (failure) throw failure;
}
