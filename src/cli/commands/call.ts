import type { CommandDeclaration } from '../frame/command.ts';
import { inFlight } from '../frame/option-values.ts';
import {
  addFieldOptions,
  addFormOptions,
  addHeaderModeOptions,
  KEEP_GOING,
  MAX_RESPONSE,
  modeOption,
  NO_NONCE,
} from './request-options.ts';

export const call: CommandDeclaration = {
  name: 'call',
  description: 'Call any operation of the platform and print its data.',
  declare: (command) => {
    command
      .argument('<operation>', 'the operation, such as /user/sync')
      .argument('[body]', 'its fields as a JSON object: text, @FILE, or - for stdin');
    addFormOptions(addFieldOptions(command))
      .optionsGroup('Many calls:')
      .option('--batch <file>', 'send each line of a file, or of stdin (-), as the body of a call')
      .option('--concurrency <n>', 'maximum number of calls in flight (default 4)', inFlight)
      .option(...KEEP_GOING)
      .optionsGroup('Signature:')
      .addOption(modeOption());
    addHeaderModeOptions(command)
      .option(...NO_NONCE)
      .optionsGroup('Output:')
      .option('--envelope', 'print the whole envelope, also for a failure')
      .option(...MAX_RESPONSE);
  },
  help: {
    notes: `
        A call may change data, so by default it is retried only if nothing reached the platform.
        With --retries it is also retried after other failures that may be temporary.

        --batch prints one answer per line, in the order of the input. A failed line is printed as
        {"error":{…}}.`,
    examples: [
      'mop call /user/sync -F slon=120.15 -F slat=30.27 --env sandbox',
      `mop call /user/sync '{"openId":"o-1"}' --envelope --env sandbox`,
      'mop call /user/sync --mode header --form name=x --file photo=@photo.jpg',
      'mop call /user/sync --batch users.jsonl > answers.jsonl',
    ],
    failures: ['config', 'auth', 'api', 'network', 'mixed'],
  },
  load: async () => (await import('./call.run.ts')).run,
};
