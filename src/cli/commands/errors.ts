import type { CommandDeclaration } from '../frame/command.ts';

export const errors: CommandDeclaration = {
  name: 'errors',
  description: 'Explain result codes of the platform.',
  declare: (command) => {
    command.argument('[code]', 'one code; all of them when left out');
  },
  help: { examples: ['mop errors', 'mop errors 1055', 'mop errors --json'] },
  load: () => import('./errors.run.ts'),
};
