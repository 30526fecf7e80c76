import type { CommandDeclaration } from '../../frame/command.ts';

export const configInit: CommandDeclaration = {
  name: 'init',
  description: 'Ask for the settings of a profile, test them, and store them.',
  help: {
    notes: `
        The current values are the defaults of the questions. The test runs the checks of mop doctor.`,
    examples: ['mop config init', 'mop config init -p staging --env test'],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: async () => (await import('./init.run.ts')).run,
};
