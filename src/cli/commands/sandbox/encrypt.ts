import type { CommandDeclaration } from '../../frame/command.ts';

export const sandboxEncrypt: CommandDeclaration = {
  name: 'encrypt',
  description: 'Encrypt parameters for decode, as a mini-program would.',
  declare: (command) => {
    command.argument('<json>', 'a JSON object: the text, @FILE, or - for stdin');
  },
  help: {
    notes: `
        Prints encrypt_data and encrypt_id, which any sandbox decodes.`,
    examples: [
      `mop decode $(mop sandbox encrypt '{"openId":"o-1"}') --env sandbox`,
      'mop sandbox encrypt @parameters.json --json >> batch.jsonl',
    ],
  },
  load: async () => (await import('./encrypt.run.ts')).run,
  misplacedHint: 'leave it out: nothing is served',
};
