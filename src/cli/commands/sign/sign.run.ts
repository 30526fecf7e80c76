import { MopError } from '../../../errors.ts';
import { ADDRESS_PREFIX } from '../../../protocol/operations.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { curlCommand, curlHeader } from '../../context/print-curl.ts';
import type { Call } from '../../frame/command.ts';
import { signBatch } from './sign-batch.ts';
import type { SignOptions } from './sign-options.ts';
import { type SigningReport, signedDocument, signRequest } from './sign-request.ts';

type Form = 'body' | 'headers' | 'curl' | 'sign' | 'json';

interface Options extends SignOptions {
  readonly as?: Form;
  readonly batch?: string;
}

export async function run({
  args: [body],
  options,
  context,
}: Call<Options, [string | undefined]>): Promise<void> {
  const { output } = context;
  const form = output.json
    ? 'json'
    : (options.as ?? (options.mode === 'header' ? 'headers' : 'body'));
  if (options.batch !== undefined) {
    const { field = options.rawField, form: texts, file } = options;
    assertNoConflict([
      [body !== undefined, 'the bodies come from --batch, not from BODY'],
      [field, 'the bodies come from --batch, not from -F or -f'],
      [texts ?? file, '--batch has JSON bodies, not a multipart form'],
      [form === 'curl', '--as curl prints one request, and --batch has many', 'use --as json'],
    ]);
    return signBatch(options.batch, form as Exclude<Form, 'curl'>, options, context);
  }
  const signed = await signRequest(body, options, context);
  if (form === 'json') return output.document(signedDocument(signed));
  if (form === 'body' && signed.body === null) {
    throw new MopError('usage', 'a multipart form has no JSON body to print', {
      hint: 'curl builds the form: use --as curl, or --as headers',
    });
  }
  for (const warning of signed.warnings) output.warn(warning);
  if (form === 'curl' && signed.url === null) {
    output.warn('no --path or --url: put the address in the place of https://HOST');
  }
  await output.data(printed(signed, form));
}

function printed(signed: SigningReport, form: Exclude<Form, 'json'>): string {
  if (form === 'sign') return signed.sign;
  if (form === 'body') return signed.body ?? '';
  if (form === 'headers') {
    return Object.entries(signed.headers)
      .map(([name, value]) => curlHeader(name, value))
      .join('\n');
  }
  const url = signed.url ?? `https://HOST${ADDRESS_PREFIX[signed.mode]}/PATH`;
  return curlCommand({ ...signed, method: 'POST', url }, signed.form);
}
