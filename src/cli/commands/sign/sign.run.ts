import { MopError } from '../../../errors.ts';
import { isProgramLanguage, type ProgramLanguage } from '../../../signing/programs/languages.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Call } from '../../frame/command.ts';
import type { SignOptions } from './sign-request.ts';
import { planSigning, signedDocument, signRequest } from './sign-request.ts';
import { explanation, type Form, NO_ADDRESS, printedRequest } from './signed-text.ts';

interface Options extends SignOptions {
  readonly as?: Form | ProgramLanguage;
  readonly batch?: string;
}

export async function sign({
  args: [body],
  options,
  context,
}: Call<Options, [string | undefined]>): Promise<void> {
  const { output } = context;
  const { as, batch, field = options.rawField, form: texts, file } = options;
  const plan = planSigning(options, context);
  if (isProgramLanguage(as)) {
    assertNoConflict([
      [batch !== undefined, `--as ${as} prints a program for one request, and --batch has many`],
      [output.json, `--as ${as} prints a program, and --json a document`],
      [texts ?? file, `a program sends JSON, not a multipart form`, 'use --as curl'],
    ]);
    const { signProgram } = await import('./sign-program.ts');
    return signProgram(as, body, plan, context);
  }
  const form = output.json ? 'json' : (as ?? (plan.mode === 'header' ? 'headers' : 'body'));
  if (batch !== undefined) {
    assertNoConflict([
      [body !== undefined, 'the bodies come from --batch, not from BODY'],
      [field, 'the bodies come from --batch, not from -F or -f'],
      [texts ?? file, '--batch has JSON bodies, not a multipart form'],
      [form === 'curl', '--as curl prints one request, and --batch has many', 'use --as json'],
    ]);
    const { signBatch } = await import('./sign-batch.ts');
    return signBatch(batch, form, plan, context);
  }
  const signed = await signRequest(body, plan, context);
  if (form === 'json') return output.jsonText(printedRequest(signed, form));
  if (form === 'body' && signed.body === null) {
    throw new MopError('usage', 'a multipart form has no JSON body to print', {
      hint: 'curl builds the form: use --as curl, or --as headers',
    });
  }
  for (const warning of signed.warnings) output.warn(warning);
  if (form === 'curl' && signed.url === null) output.warn(NO_ADDRESS);
  await output.data(printedRequest(signed, form));
}

export async function explain({
  args: [body],
  options,
  context,
}: Call<SignOptions, [string | undefined]>): Promise<void> {
  const { output } = context;
  const signed = await signRequest(body, planSigning(options, context), context);
  const text = explanation(signed, output);
  await output.result(signedDocument(signed), output.lines(text));
}
