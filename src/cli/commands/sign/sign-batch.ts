import { runSyncBatch } from '../../context/batch.ts';
import type { Context } from '../../context/context.ts';
import { inputChunks } from '../../context/input.ts';
import type { SignOptions } from './sign-options.ts';
import { readMembers, requestSigner, type SigningReport, signedDocument } from './sign-request.ts';

type Form = 'body' | 'headers' | 'sign' | 'json';

/** Distinct warnings that are printed; a file with more has one in every line. */
const MAX_WARNINGS = 20;

/**
 * Signs the body in each line of a file, or of standard input for `-`, and prints a line for each.
 *
 * @throws {MopError} As for one request; for wrong lines, after all of them.
 */
export async function signBatch(
  source: string,
  form: Form,
  options: SignOptions,
  context: Context,
): Promise<void> {
  const { output, io } = context;
  const sign = await requestSigner(options, context);
  const warned = new Set<string>();
  const work = (line: string, number: number): string => {
    const signed = sign(readMembers(line));
    if (form === 'json') return JSON.stringify(signedDocument(signed));
    for (const warning of signed.warnings) {
      if (warned.size >= MAX_WARNINGS || warned.has(warning)) continue;
      warned.add(warning);
      output.warn(`line ${number}: ${warning}`);
    }
    return printed(signed, form);
  };
  const failure = await runSyncBatch(inputChunks(source, io), work, context);
  if (failure) throw failure;
}

function printed(signed: SigningReport, form: Exclude<Form, 'json'>): string {
  if (form === 'sign') return signed.sign;
  return form === 'body' ? (signed.body ?? '') : JSON.stringify(signed.headers);
}
