import type { CommandDeclaration } from '../frame/command.ts';

export const version: CommandDeclaration = {
  name: 'version',
  description: 'Print the version, like --version.',
  help: { examples: ['mop version', 'echo "mop $(mop version)"'] },
  load: async () => (await import('./version.run.ts')).run,
};
