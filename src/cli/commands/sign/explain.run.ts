import type { Context } from '../../context/context.ts';
import { explanation } from './explanation-text.ts';
import type { SignOptions } from './sign-options.ts';
import { signedDocument, signRequest } from './sign-request.ts';

/** Prints how a request is signed, layer by layer. */
export async function run(
  body: string | undefined,
  options: SignOptions,
  context: Context,
): Promise<void> {
  const { output } = context;
  const signed = await signRequest(body, options, context);
  if (output.json) {
    await output.document(signedDocument(signed));
    return;
  }
  await output.data(explanation(signed, await output.styles('stdout')));
}
