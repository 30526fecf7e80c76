import type { CommandDeclaration } from '../frame/command.ts';
import { collect, positive, wholeNumber } from '../frame/option-values.ts';

export const health: CommandDeclaration = {
  name: 'health',
  description: 'Check the health of the detection service.',
  declare: (command) => {
    command
      .option('--wait <seconds>', 'retry for up to this many seconds', positive)
      .option(
        '--min-rules <n>',
        'exit with 11 if the service reports fewer than N rules',
        wholeNumber,
      )
      .option('--expect-version <version>', 'exit with 11 if the service reports another version')
      .option('-H, --header <line>', "send the header 'Name: value', repeatable", collect);
  },
  help: {
    notes: `
        Exit code 0 when the service is healthy, 11 when it is unhealthy, 6 when it does not answer.
        If the service reports only its status, --min-rules and --expect-version exit with 11. With
        --wait, an attempt fails after 5 seconds without an answer; --timeout sets another time.`,
    examples: ['mop health', 'mop health --wait 60 --min-rules 50 --expect-version 0.5'],
    failures: ['config', 'auth', 'api', 'network', 'unhealthy'],
  },
  load: async () => (await import('./health.run.ts')).run,
};
