import { MopError } from '../../../errors.ts';
import type { Context } from '../../context/context.ts';
import { parseHeader } from '../../context/request-input.ts';
import {
  type Choose,
  type Command,
  collect,
  count,
  nonNegative,
  optionsOf,
  wholeNumber,
} from '../../frame/command.ts';
import { verifyCapture } from './verification.ts';

interface VerifyCommandOptions {
  readonly header?: readonly string[];
  readonly entry?: number;
  /** Unix seconds. */
  readonly now?: number;
  /** Seconds. */
  readonly maxSkew?: number;
  readonly theirs?: string;
  readonly saveVector?: string;
}

export function registerVerify(parent: Command, choose: Choose): void {
  parent
    .command('verify')
    .description('Find out what is wrong with the signature of a request.')
    .argument('[request]', 'JSON body, curl command, HAR or HTTP message: the text, @FILE, or -')
    .optionsGroup('Request:')
    .option('-H, --header <line>', "a header that came with the body ('X-TMS-…: value')", collect)
    .option('--entry <n>', 'the entry of a HAR file, from 1; by default the first signed', count)
    .optionsGroup('Verification:')
    .option(
      '--now <seconds>',
      'Unix time to compare the timestamp with, instead of now',
      wholeNumber,
    )
    .option('--max-skew <seconds>', 'how far apart the two may be (60)', nonNegative)
    .option('--theirs <string>', 'compare with the string that the signer printed')
    .optionsGroup('Output:')
    .option('--save-vector <file>', 'write the case for others, with a dummy secret')
    .explain({
      notes: `
        A mistake is proved: made again on purpose, it gives the signature that was received. The
        exit code is 0 when the signature is right, 4 when it is wrong.`,
      examples: [
        'mop sign verify @request.json',
        'mop sign verify @curl.txt',
        'mop sign verify @request.http',
        'mop sign verify @captured.har --entry 3 --json',
        'mop sign verify @request.json --theirs @canonical.txt',
      ],
      failures: ['config', 'auth'],
    })
    .action((request: string | undefined, _: VerifyCommandOptions, command: Command) =>
      choose(command, (context) => {
        const hint = 'the request itself says how it was signed';
        return runVerify(request, optionsOf<VerifyCommandOptions>(command, hint), context);
      }),
    );
}

async function runVerify(
  request: string | undefined,
  options: VerifyCommandOptions,
  context: Context,
): Promise<void> {
  if (request === undefined) {
    throw new MopError('usage', 'nothing to verify', {
      hint: 'pass the request as it was sent: a JSON body, a curl command, a HAR file or an HTTP message (the text, @FILE, or - for stdin)',
    });
  }
  const headers = options.header?.map(parseHeader);
  const { verdictDocument, verdictError } = await import('./verdict.ts');
  const verification = await verifyCapture(request, { ...options, headers }, context);
  const { output } = context;
  if (options.saveVector === '-') {
    throw new MopError('usage', '--save-vector takes a file, not -', {
      hint: 'standard output has the verdict',
    });
  }
  if (options.saveVector !== undefined) {
    const { saveVector } = await import('./vector.ts');
    await saveVector(options.saveVector, verification, output);
  }
  if (output.json) {
    await output.redacted(verdictDocument(verification));
  } else {
    const { verdictText } = await import('./verdict-text.ts');
    await output.data(output.clean(verdictText(verification, await output.styles('stdout'))));
  }
  if (!verification.examination.verdict.valid) throw verdictError(verification);
}
