import type { CommandDeclaration } from '../../frame/command.ts';

export const configInit: CommandDeclaration = {
  name: 'init',
  description: 'Ask for the settings of a profile, store them, and test them.',
  help: {
    notes: `
        Stored values are the defaults of the questions. At the end, the checks of mop doctor run.`,
    examples: ['mop config init', 'mop config init -p staging --env test'],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: () => import('./init.run.ts'),
};
