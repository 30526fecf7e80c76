import type { ContentOptions } from '../../context/request-content.ts';
import type { Command } from '../../frame/command.ts';
import {
  addFieldOptions,
  addFormOptions,
  addHeaderModeOptions,
  type ModeOptions,
  modeOption,
  NO_NONCE,
} from '../request-options.ts';

/** The options of `mop sign` and `mop sign explain`. */
export interface SignOptions extends ContentOptions, Omit<ModeOptions, 'nonce'> {
  readonly timestamp?: string;
  /** False for `--no-nonce`. */
  readonly nonce?: string | false;
  readonly seqId?: string;
  readonly url?: string;
  /** The path of an operation below the configured address. */
  readonly path?: string;
  /** Only `mop sign explain` has it. */
  readonly reading?: readonly string[];
}

export function addSignOptions(command: Command): Command {
  addFormOptions(
    addFieldOptions(command.argument('[body]', 'a JSON object: the text, @FILE, or - for stdin')),
  );
  const mode = modeOption('body (protocol 1.0) or header (2.0); default: by setting and --path');
  return addHeaderModeOptions(command.optionsGroup('Signature:').addOption(mode))
    .option('--timestamp <n>', 'Unix time to sign with, instead of now')
    .option('--nonce <s>', 'nonce to sign with, instead of a random one')
    .option(...NO_NONCE)
    .option('--seq-id <s>', 'serial number to sign with, instead of a random UUID')
    .option('--url <url>', 'address of the request, for --as curl, json and programs')
    .option('--path <path>', 'path below the configured address, such as /trade/bill');
}
