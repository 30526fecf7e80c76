import type { Context } from '../../context/context.ts';
import { explanation } from './explanation-text.ts';
import type { SignOptions } from './sign-options.ts';
import { signedDocument, signRequest } from './sign-request.ts';

export async function run(
  body: string | undefined,
  options: SignOptions,
  context: Context,
): Promise<void> {
  const { output } = context;
  const signed = await signRequest(body, options, context);
  const text = explanation(signed, await output.styles('stdout'));
  await output.result(signedDocument(signed), text);
}
