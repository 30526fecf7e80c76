import { MopError, quoted } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';
import type { SignedEntry } from '../../../signing/capture/read-capture.ts';
import {
  unexplained,
  verdictDocument,
  verdictError,
} from '../../../signing/verification/verdict-document.ts';
import { isAccepted, type Verification } from '../../../signing/verification/verify-request.ts';
import { keyringOf } from '../../clients/keyring.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { errorObject } from '../../context/error-json.ts';
import { sharedFailure, withExample } from '../../context/failures.ts';
import { visibleLine } from '../../context/visible-text.ts';
import {
  type KnownSettings,
  readEveryRequest,
  type VerifyCommandOptions,
  verifyRead,
} from './verify-capture.ts';

/** Verifies every signed request of a capture and prints a line for each, in order. */
export async function verifyAll(
  request: string,
  options: VerifyCommandOptions,
  context: Context,
): Promise<void> {
  const signed = await readEveryRequest(request, options, context.io);
  const settings = settingsOf(context);
  const known = { settings, keyring: keyringOf(settings, context) };
  const failures: MopError[] = [];
  for (const { entry, read } of signed) {
    context.io.signal.throwIfAborted();
    const outcome = await verifyEntry(read, options, known, context);
    await printOutcome(entry, outcome, context);
    if (!(outcome instanceof MopError) && isAccepted(outcome)) continue;
    const { code, message } = outcome instanceof MopError ? outcome : verdictError(outcome);
    const hint = quoted`for the full verdict, replace --all with --entry ${entry}`;
    failures.push(new MopError(code, message, { hint }));
  }
  const summary = `${failures.length} of ${counted(signed.length, 'signed request')} failed`;
  const failure = sharedFailure(failures, ({ message }) =>
    withExample(summary, failures.length, message),
  );
  if (failure) throw failure;
}

/** The verdict on a request, or the reason why it cannot be read. */
async function verifyEntry(
  read: SignedEntry['read'],
  options: VerifyCommandOptions,
  known: KnownSettings,
  context: Context,
): Promise<Verification | MopError> {
  try {
    return await verifyRead(read(), undefined, options, known, context);
  } catch (error) {
    // Without a secret no other request can be verified either.
    if (error instanceof MopError && error.code === 'usage') return error;
    throw error;
  }
}

async function printOutcome(
  entry: number,
  outcome: Verification | MopError,
  { output }: Context,
): Promise<void> {
  if (!output.json) return output.text(output.clean(visibleLine(outcomeLine(entry, outcome))));
  const document =
    outcome instanceof MopError ? { error: errorObject(outcome) } : verdictDocument(outcome);
  await output.redactedDocument({ entry, ...document });
}

function outcomeLine(entry: number, outcome: Verification | MopError): string {
  if (outcome instanceof MopError) return `${entry}  unreadable: ${outcome.message}`;
  const { capture, examination, refused } = outcome;
  const { valid, diagnosis } = examination.verdict;
  const faults = diagnosis.map(({ id, title }) => `${id} (${title})`);
  if (!valid && !examination.isExplained)
    faults.unshift(unexplained(examination.verdict, undefined));
  const request = [capture.method, capture.url && pathOf(capture.url)].filter(Boolean).join(' ');
  const wrong = refused ? `refused: ${refused.reason}` : `wrong: ${faults.join(', ')}`;
  return [entry, request || 'a body', isAccepted(outcome) ? 'right' : wrong].join('  ');
}

/** The path of an address; a query may hold credentials. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/';
}
