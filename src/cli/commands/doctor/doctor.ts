import type { Context } from '../../context/context.ts';
import { concluded } from '../../context/failures.ts';
import { Settings } from '../../context/settings.ts';
import type { Choose, Command } from '../../frame/command.ts';

export function register(doctor: Command, choose: Choose): void {
  doctor
    .explain({
      notes: `
        Each check is ok, warning, failed or skipped; a fix: line says what to do next. The last
        check makes one signed call that changes nothing. Exit code 0 unless a check failed.`,
      examples: [
        'mop doctor',
        'mop doctor -p staging --timeout 5',
        'mop doctor --env sandbox --json',
      ],
      failures: ['config', 'auth', 'api', 'network', 'mixed'],
    })
    .action((_: unknown, command: Command) => choose(command, runDoctor));
}

async function runDoctor(context: Context): Promise<void> {
  const { io, globals, output } = context;
  const { examine } = await import('./examine.ts');
  const { failureOf, printChecks } = await import('./report.ts');
  const checks = await examine(context, (config) => new Settings(globals, io.env, config));
  const print = async (): Promise<void> => {
    if (output.json) {
      const shown = checks.map(({ name, state, detail }) => ({ name, state, detail }));
      await output.redacted({ checks: shown });
    } else if (!output.quiet) {
      await printChecks(checks, 'stdout', context);
    }
  };
  await concluded(print(), failureOf(checks));
}
