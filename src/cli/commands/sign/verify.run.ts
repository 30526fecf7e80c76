import { MopError } from '../../../errors.ts';
import type { Call } from '../../frame/command.ts';
import { saveVector } from './save-vector.ts';
import { verdictDocument, verdictError } from './verdict-document.ts';
import { verdictText } from './verdict-text.ts';
import { type VerifyOptions, verifyCapture } from './verify-capture.ts';

export async function run({
  args: [request],
  options,
  context,
}: Call<VerifyOptions & { readonly saveVector?: string }, [string | undefined]>): Promise<void> {
  if (request === undefined) {
    throw new MopError('usage', 'nothing to verify', {
      hint: 'pass the request as it was sent: a JSON body, a curl command, a HAR file or an HTTP message (the text, @FILE, or - for stdin)',
    });
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
    await output.data(output.clean(await verdictText(verification, output)));
  }
  if (!verification.examination.verdict.valid) throw verdictError(verification);
}
