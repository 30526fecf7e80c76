import type { CommandDeclaration } from '../frame/command.ts';
import { collect, positive, wholeNumber } from '../frame/option-values.ts';

export const health: CommandDeclaration = {
  name: 'health',
  description: 'Ask the detection service how it is.',
  declare: (command) => {
    command
      .option('--wait <seconds>', 'ask until it is healthy, for at most so long', positive)
      .option('--min-rules <n>', 'with fewer rules it is not healthy', wholeNumber)
      .option('--expect-version <version>', 'in another version it is not healthy')
      .option('-H, --header <line>', "send 'Name: value' along, repeatable", collect);
  },
  help: {
    notes: `
        Exit code 0 when it is healthy, 11 when it is not, 6 when it does not answer. With --wait
        each attempt may be silent for 5 seconds, unless --timeout says otherwise.`,
    examples: ['mop health', 'mop health --wait 60 --min-rules 50 --expect-version 0.5'],
    failures: ['config', 'auth', 'api', 'network', 'unhealthy'],
  },
  load: () => import('./health.run.ts'),
};
