import type { CommandDeclaration } from '../frame/command.ts';
import { inFlight } from '../frame/option-values.ts';
import { KEEP_GOING, modeOption } from './request-options.ts';

export const decode: CommandDeclaration = {
  name: 'decode',
  description: 'Decode the encrypted parameters of a mini-program.',
  declare: (command) => {
    command
      .argument('[encrypt_data]', 'text, @FILE, or - for stdin; alone, it must contain both values')
      .argument('[encrypt_id]', 'the serial number of the text')
      .option('--raw', 'print json_string unchanged')
      .option('--batch <file>', 'decode each JSON line of a file, or of stdin (-)')
      .option('--concurrency <n>', 'maximum number of lines in flight (default 16)', inFlight)
      .option(...KEEP_GOING)
      .addOption(modeOption());
  },
  help: {
    notes: `
        A single argument, or a line of a batch, is {"encrypt_data":"…","encrypt_id":"…"}, or the
        two values separated by a space. A failed line is printed as {"error":{…}}.`,
    examples: [
      `mop decode $(mop sandbox encrypt '{"openId":"o-1","mobile":"13800000000"}') --env sandbox`,
      `mop sandbox encrypt '{"openId":"o-1"}' --json | mop decode - --env sandbox`,
      'mop decode --batch pairs.jsonl > decoded.jsonl',
    ],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: async () => (await import('./decode.run.ts')).run,
};
