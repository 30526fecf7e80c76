import type { CommandDeclaration } from '../frame/command.ts';
import {
  addFieldOptions,
  addFormOptions,
  addModeOptions,
  MAX_RESPONSE,
} from './request-options.ts';

export const call: CommandDeclaration = {
  name: 'call',
  description: 'Call any operation of the platform and print its data.',
  declare: (command) => {
    command
      .argument('<operation>', 'the operation, such as /user/sync')
      .argument('[body]', 'its fields as a JSON object: the text, @FILE, or - for stdin');
    addFormOptions(addFieldOptions(command));
    addModeOptions(command.optionsGroup('Signature:'))
      .optionsGroup('Output:')
      .option('--envelope', 'print the whole envelope, also of a failure')
      .option(...MAX_RESPONSE);
  },
  help: {
    notes: `
        A call may change things, so it is repeated only when nothing reached the platform; with
        --retries it is repeated like every other command.`,
    examples: [
      'mop call /user/sync -F slon=120.15 -F slat=30.27 --env sandbox',
      `mop call /user/sync '{"openId":"o-1"}' --envelope --env sandbox`,
      'mop call /user/sync --mode header --form name=x --file photo=@photo.jpg',
    ],
    failures: ['config', 'auth', 'api', 'network'],
  },
  load: () => import('./call.run.ts'),
};
