import { writeFile } from 'node:fs/promises';
import { MopError } from '../../../errors.ts';
import { fileError } from '../../../files/file-error.ts';
import { type VectorFile, vectorOf } from '../../../signing/verification/vector.ts';
import { verdictDocument, verdictError } from '../../../signing/verification/verdict-document.ts';
import { isAccepted, type Verification } from '../../../signing/verification/verify-request.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import type { Call } from '../../frame/command.ts';
import { verdictText } from './verdict-text.ts';
import { type VerifyCommandOptions, verifyCapture } from './verify-capture.ts';

interface Options extends VerifyCommandOptions {
  readonly all?: boolean;
  readonly last?: boolean;
  readonly open?: boolean;
  readonly saveVector?: string;
}

export async function run({
  args: [request],
  options,
  context,
}: Call<Options, [string | undefined]>): Promise<void> {
  if (options.open) return openPage(request, options, context);
  if (options.all) return verifyEvery(request, options, context);
  if (options.saveVector === '-') {
    throw new MopError('usage', '--save-vector takes a file, not -', {
      hint: 'give a file name: the verdict goes to standard output',
    });
  }
  const { output } = context;
  const verify = options.last ? (await import('./verify-last.ts')).verifyLast : verifyGiven;
  const verification = await verify(request, options, context);
  if (options.saveVector !== undefined) {
    await saveVector(options.saveVector, verification, output);
  }
  if (output.json) await output.redactedDocument(verdictDocument(verification));
  else await output.text(output.clean(await verdictText(verification, output)));
  if (!isAccepted(verification)) throw verdictError(verification);
}

async function verifyGiven(
  request: string | undefined,
  options: Options,
  context: Context,
): Promise<Verification> {
  if (request === undefined) throw nothingToVerify();
  return verifyCapture(request, options, context);
}

/** Carries out `--open`. */
async function openPage(
  request: string | undefined,
  options: Options,
  context: Context,
): Promise<void> {
  assertNoConflict([
    [options.all, '--open shows one request', CHOOSE_ONE],
    [options.saveVector, '--open does not verify the request', 'leave out --save-vector'],
    [options.last && request !== undefined, '--last takes no REQUEST'],
  ]);
  if (request === undefined && !options.last) throw nothingToVerify();
  const { openDebugger } = await import('./verify-open.ts');
  return openDebugger(request, options, context);
}

/** Carries out `--all`. */
async function verifyEvery(
  request: string | undefined,
  options: Options,
  context: Context,
): Promise<void> {
  assertNoConflict([
    [options.last, '--last has only one request', 'leave out --all'],
    [options.entry, '--all verifies every request, and --entry only one of them'],
    [options.theirs, '--theirs is the string of one request', CHOOSE_ONE],
    [options.saveVector, '--save-vector writes the vector of one request', CHOOSE_ONE],
  ]);
  if (request === undefined) throw nothingToVerify();
  const { verifyAll } = await import('./verify-all.ts');
  return verifyAll(request, options, context);
}

const CHOOSE_ONE = 'choose the request with --entry N instead of --all';

function nothingToVerify(): MopError {
  return new MopError('usage', 'nothing to verify', {
    hint: 'pass the request as it was sent: a JSON body, a HAR file, a curl command, an HTTP message, a log, … (the text, @FILE, or - for stdin); or --last for the last refused call',
  });
}

/** Writes the request of a verdict as a vector file, in the format of `test/vectors/`. */
async function saveVector(
  path: string,
  { capture, examination, secrets }: Verification,
  output: Output,
): Promise<void> {
  const vector = vectorOf(capture, examination, secrets);
  if (!vector) {
    const reason = examination.signer
      ? 'the request contains the secret, or the mistake is in a part that a vector leaves out: address, method or other headers'
      : 'no signer with known mistakes gives this signature, so a dummy secret cannot either';
    output.warn(`${path} was not written: ${reason}`);
    return;
  }
  const file: VectorFile = { mode: examination.verdict.mode, vectors: [vector] };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    throw fileError(error, `cannot write ${path}`);
  });
  output.note(`the test vector is in ${path}, with a dummy secret`);
}
