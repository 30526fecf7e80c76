import { Option } from 'commander';
import type { ContentOptions } from '../../context/request-content.ts';
import type { Command } from '../../frame/command.ts';
import {
  addFieldOptions,
  addFormOptions,
  addModeOptions,
  type ModeOptions,
} from '../request-options.ts';

/** The options of `mop sign` and `mop sign explain`. */
export interface SignOptions extends ContentOptions, ModeOptions {
  readonly timestamp?: string;
  readonly timestampUnit?: 's' | 'ms';
  /** False for `--no-nonce`. */
  readonly nonce?: string | false;
  readonly seqId?: string;
  readonly url?: string;
  /** The path of an operation below the configured address. */
  readonly path?: string;
  /** Of `mop sign explain`. */
  readonly reading?: readonly string[];
}

export function addSignOptions(command: Command): Command {
  addFormOptions(
    addFieldOptions(command.argument('[body]', 'a JSON object: the text, @FILE, or - for stdin')),
  );
  return addModeOptions(command.optionsGroup('Signature:'))
    .option('--timestamp <n>', 'Unix time to sign with, instead of now')
    .addOption(
      new Option('--timestamp-unit <unit>', 'unit of a generated timestamp (header mode)').choices([
        's',
        'ms',
      ]),
    )
    .option('--nonce <s>', 'nonce to sign with, instead of a random one')
    .option('--no-nonce', 'send no nonce (header mode)')
    .option('--seq-id <s>', 'serial number to sign with, instead of a random UUID')
    .option('--url <url>', 'where the request goes, for --as curl and json')
    .option('--path <path>', 'the same below the configured address, such as /trade/bill');
}
