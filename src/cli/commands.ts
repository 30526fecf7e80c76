import { account } from './commands/account.ts';
import { bill } from './commands/bill/bill.ts';
import { call } from './commands/call.ts';
import { completion } from './commands/completion.ts';
import { config } from './commands/config/config.ts';
import { decode } from './commands/decode.ts';
import { detect } from './commands/detect/detect.ts';
import { doctor } from './commands/doctor/doctor.ts';
import { errors } from './commands/errors.ts';
import { estimate } from './commands/estimate.ts';
import { gql } from './commands/gql/gql.ts';
import { health } from './commands/health.ts';
import { help, TOPIC_NAMES } from './commands/help/help.ts';
import { proxy } from './commands/proxy.ts';
import { sandbox } from './commands/sandbox.ts';
import { sign } from './commands/sign/sign.ts';
import { version } from './commands/version.ts';
import type { ProgramContent } from './frame/command.ts';

/** All commands, in the order of the help, and the help topics. */
export const MOP: ProgramContent = {
  commands: [
    sign,
    bill,
    account,
    decode,
    estimate,
    call,
    errors,
    detect,
    health,
    gql,
    config,
    doctor,
    proxy,
    sandbox,
    completion,
    version,
    help,
  ],
  topics: TOPIC_NAMES,
};
