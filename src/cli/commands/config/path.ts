import type { CommandDeclaration } from '../../frame/command.ts';

export const configPath: CommandDeclaration = {
  name: 'path',
  description: 'Print the path of the configuration file.',
  help: { examples: ['mop config path', 'ls -l "$(mop config path)"'] },
  load: async () => (await import('./path.run.ts')).run,
};
