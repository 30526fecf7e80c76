import { MopError } from '../../../errors.ts';
import { ADDRESS_PREFIX } from '../../../protocol/operations.ts';
import { curlCommand, curlHeader } from '../../context/print-curl.ts';
import type { Call } from '../../frame/command.ts';
import type { SignOptions } from './sign-options.ts';
import { type SigningReport, signedDocument, signRequest } from './sign-request.ts';

type Form = 'body' | 'headers' | 'curl' | 'sign' | 'json';

export async function run({
  args: [body],
  options,
  context,
}: Call<SignOptions & { readonly as?: Form }, [string | undefined]>): Promise<void> {
  const { output } = context;
  const signed = await signRequest(body, options, context);
  const form = output.json ? 'json' : (options.as ?? (signed.mode === 'body' ? 'body' : 'headers'));
  if (form === 'json') return output.document(signedDocument(signed));
  if (form === 'body' && signed.body === null) {
    throw new MopError('usage', 'a multipart form has no JSON body to print', {
      hint: 'curl builds the form: use --as curl, or --as headers',
    });
  }
  for (const warning of signed.warnings) output.warn(warning);
  if (form === 'curl' && signed.url === null) {
    output.warn('no --url: put the address in the place of https://HOST');
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
