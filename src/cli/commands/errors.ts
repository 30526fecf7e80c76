import { InvalidArgumentError, Option } from 'commander';
import type { CommandDeclaration } from '../frame/command.ts';

export const errors: CommandDeclaration = {
  name: 'errors',
  description: 'Explain result codes of the platform.',
  declare: (command) => {
    command
      .argument('[code]', 'one code; without it, all codes')
      .addOption(
        new Option('--lang <language>', 'language of the texts (default: from the locale)')
          .choices(['en', 'zh'])
          .argParser(readLanguage),
      );
  },
  help: {
    notes: `
        The first of LC_ALL, LC_MESSAGES and LANG that is set names the locale. Chinese needs a
        UTF-8 locale, such as zh_CN.UTF-8, or --lang zh.`,
    examples: ['mop errors', 'mop errors 1055', 'mop errors 1002 --lang zh', 'mop errors --json'],
  },
  load: () => import('./errors.run.ts'),
};

/** @throws {InvalidArgumentError} unless a language or a locale, such as zh-CN, is en or zh. */
function readLanguage(text: string): string {
  const [, language] = /^(en|zh)(?:[-_.].*)?$/i.exec(text) ?? [];
  if (language === undefined) throw new InvalidArgumentError('It must be en or zh.');
  return language.toLowerCase();
}
