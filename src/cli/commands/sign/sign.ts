import { Option } from 'commander';
import { MopError } from '../../../errors.ts';
import { ADDRESS_PREFIX } from '../../../protocol/operations.ts';
import type { Context } from '../../context/context.ts';
import { curlCommand, curlHeader } from '../../context/curl.ts';
import type { Choose, Command } from '../../frame/command.ts';
import { registerExplain } from './explain.ts';
import {
  addSignOptions,
  type SigningReport,
  type SignOptions,
  signedDocument,
  signRequest,
} from './request.ts';
import { registerVerify } from './verify.ts';

type Form = 'body' | 'headers' | 'curl' | 'sign' | 'json';

export function register(sign: Command, choose: Choose): void {
  addSignOptions(sign)
    .enablePositionalOptions()
    .optionsGroup('Output:')
    .addOption(
      new Option('--as <form>', 'what to print; body by default, headers in header mode').choices([
        'body',
        'headers',
        'curl',
        'sign',
        'json',
      ]),
    )
    .explain({
      examples: [
        `mop sign '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}' --env sandbox`,
        'mop sign -F city=330100 -F lat=30.27 --mode header --env sandbox',
        'mop sign @request.json --as curl --url https://HOST/open/v1/trade/bill',
      ],
      failures: ['config'],
    })
    .action((body: string | undefined, options: SignOptions & { as?: Form }, command: Command) => {
      // The same in every respect, errors included.
      if (options.as === 'json') command.setOptionValue('json', true);
      choose(command, (context) => runSign(body, options, context));
    });
  registerExplain(sign, choose);
  registerVerify(sign, choose);
}

async function runSign(
  body: string | undefined,
  options: SignOptions & { readonly as?: Form },
  context: Context,
): Promise<void> {
  const { output } = context;
  const signed = await signRequest(body, options, context);
  const form = output.json ? 'json' : (options.as ?? (signed.mode === 'body' ? 'body' : 'headers'));
  if (form === 'json') {
    await output.document(signedDocument(signed));
    return;
  }
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
