import type { Call } from '../../frame/command.ts';
import { explanation } from './explanation-text.ts';
import type { SignOptions } from './sign-options.ts';
import { planSigning, signedDocument, signRequest } from './sign-request.ts';

export async function run({
  args: [body],
  options,
  context,
}: Call<SignOptions, [string | undefined]>): Promise<void> {
  const { output } = context;
  const signed = await signRequest(body, planSigning(options, context), context);
  const text = explanation(signed, output.styles('stdout'));
  await output.result(signedDocument(signed), text);
}
