import { MopError } from '../../../errors.ts';
import type { Context } from '../../context/context.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { addSignOptions, type SignOptions, signedDocument, signRequest } from './request.ts';

interface ExplainOptions extends SignOptions {
  /** The parent's, which parses the options of both. */
  readonly as?: string;
}

export function registerExplain(parent: Command, choose: Choose): void {
  addSignOptions(parent.command('explain'))
    .description('Show how a request is signed, layer by layer.')
    .explain({
      examples: [
        `mop sign explain '{"bill_type":0,"remark":null}' --env sandbox`,
        'mop sign explain -F city=330100 -F lat=30.270 --mode header --env sandbox',
      ],
      failures: ['config'],
    })
    .action((body: string | undefined, _: SignOptions, command: Command) =>
      choose(command, (context) =>
        runExplain(body, command.optsWithGlobals<ExplainOptions>(), context),
      ),
    );
}

async function runExplain(
  body: string | undefined,
  options: ExplainOptions,
  context: Context,
): Promise<void> {
  if (options.as !== undefined) {
    throw new MopError('usage', 'explain has a form of its own and takes no --as', {
      hint: 'leave it out, or use --json',
    });
  }
  const { output } = context;
  const signed = await signRequest(body, options, context);
  if (output.json) {
    await output.document(signedDocument(signed));
    return;
  }
  const { explanation } = await import('./explanation.ts');
  await output.data(explanation(signed, await output.styles('stdout')));
}
