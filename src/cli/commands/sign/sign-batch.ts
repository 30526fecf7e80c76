import { runSyncBatch } from '../../context/batch.ts';
import type { Context } from '../../context/context.ts';
import { inputChunks } from '../../context/input.ts';
import { loadCredentials } from '../../context/secret.ts';
import { readMembers, requestSigner, type SigningPlan } from './sign-request.ts';
import { type Form, printedRequest } from './signed-text.ts';

/** Maximum number of distinct warnings: a file with more probably causes one in every line. */
const MAX_WARNINGS = 20;

/**
 * Signs the body in each line of a file, or of standard input for `-`, and prints a line for each.
 */
export async function signBatch(
  source: string,
  form: Form,
  plan: SigningPlan,
  context: Context,
): Promise<void> {
  const { output, io } = context;
  const sign = requestSigner(plan, context, await loadCredentials(plan.settings, context));
  const warned = new Set<string>();
  const work = (line: string, number: number): string => {
    const signed = sign(readMembers(line, plan.readings));
    for (const warning of form === 'json' ? [] : signed.warnings) {
      if (warned.size >= MAX_WARNINGS || warned.has(warning)) continue;
      warned.add(warning);
      output.warn(`line ${number}: ${warning}`);
    }
    return printedRequest(signed, form, true);
  };
  const failure = await runSyncBatch(inputChunks(source, io), work, context);
  if (failure) throw failure;
}
