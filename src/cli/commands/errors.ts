import type { CommandDeclaration } from '../frame/command.ts';
import { languageOption } from './request-options.ts';

export const errors: CommandDeclaration = {
  name: 'errors',
  description: 'Explain result codes of the platform.',
  declare: (command) => {
    command.argument('[code]', 'one code; without it, all codes').addOption(languageOption());
  },
  help: {
    notes: `
        The first of LC_ALL, LC_MESSAGES and LANG that is set names the locale. Chinese needs a
        UTF-8 locale, such as zh_CN.UTF-8, or --lang zh.`,
    examples: ['mop errors', 'mop errors 1055', 'mop errors 1002 --lang zh', 'mop errors --json'],
  },
  load: async () => (await import('./errors.run.ts')).run,
};
