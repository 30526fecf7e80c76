import type { CommandDeclaration } from '../../frame/command.ts';

export const configList: CommandDeclaration = {
  name: 'list',
  description: 'Show every setting in force, and where it comes from.',
  help: {
    examples: ['mop config list', 'mop config list -p staging --json'],
    failures: ['config'],
  },
  load: () => import('./list.run.ts'),
};
