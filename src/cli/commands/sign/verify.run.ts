import { MopError } from '../../../errors.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Call } from '../../frame/command.ts';
import { saveVector } from './save-vector.ts';
import { verdictDocument, verdictError } from './verdict-document.ts';
import { verdictText } from './verdict-text.ts';
import { type VerifyOptions, verifyCapture } from './verify-capture.ts';

interface Options extends VerifyOptions {
  readonly all?: boolean;
  readonly saveVector?: string;
}

export async function run({
  args: [request],
  options,
  context,
}: Call<Options, [string | undefined]>): Promise<void> {
  if (request === undefined) {
    throw new MopError('usage', 'nothing to verify', {
      hint: 'pass the request as it was sent: a JSON body, a HAR file, a curl command, an HTTP message, … (the text, @FILE, or - for stdin)',
    });
  }
  if (options.all) {
    assertNoConflict([
      [options.entry, '--all verifies every request, and --entry one'],
      [options.theirs, '--theirs is the string of one request', CHOOSE_ONE],
      [options.saveVector, '--save-vector writes the case of one request', CHOOSE_ONE],
    ]);
    const { verifyAll } = await import('./verify-all.ts');
    return verifyAll(request, options, context);
  }
  const verification = await verifyCapture(request, options, context);
  const { output } = context;
  if (options.saveVector === '-') {
    throw new MopError('usage', '--save-vector takes a file, not -', {
      hint: 'standard output has the verdict',
    });
  }
  if (options.saveVector !== undefined) {
    await saveVector(options.saveVector, verification, output);
  }
  if (output.json) {
    await output.redacted(verdictDocument(verification));
  } else {
    await output.data(output.clean(verdictText(verification, await output.styles('stdout'))));
  }
  if (!verification.examination.verdict.valid) throw verdictError(verification);
}

const CHOOSE_ONE = 'choose the request with --entry N instead of --all';
