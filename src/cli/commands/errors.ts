import type { CommandDeclaration } from '../frame/command.ts';

export const errors: CommandDeclaration = {
  name: 'errors',
  description: 'Explain result codes of the platform.',
  declare: (command) => {
    command.argument('[code]', 'one code; without it, all codes');
  },
  help: {
    examples: ['mop errors', 'mop errors 1055', 'mop errors 1002 --lang zh', 'mop errors --json'],
  },
  load: async () => (await import('./errors.run.ts')).run,
};
