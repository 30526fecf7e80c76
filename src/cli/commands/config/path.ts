import type { CommandDeclaration } from '../../frame/command.ts';

export const configPath: CommandDeclaration = {
  name: 'path',
  description: 'Print where the configuration is kept.',
  help: { examples: ['mop config path', 'ls -l "$(mop config path)"'] },
  load: () => import('./path.run.ts'),
};
