import type { CommandDeclaration } from '../../frame/command.ts';

export const configInit: CommandDeclaration = {
  name: 'init',
  description: 'Ask for what a profile needs, store it, and test it.',
  help: {
    notes: `
        It offers what the profile holds so far, and runs the checks of mop doctor in the end.`,
    examples: ['mop config init', 'mop config init -p staging --env test'],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: () => import('./init.run.ts'),
};
