import { MopError } from '../../../errors.ts';
import {
  type FileVerdict,
  filesAt,
  fileWithDigest,
  type KnownFile,
  verifyFiles,
} from '../../../platform/bills/verify-files.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { errorObject } from '../../context/error-json.ts';
import { printThenFail, sharedFailure } from '../../context/failures.ts';
import type { Output } from '../../context/output.ts';
import { table } from '../../context/table.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import { billSettings } from './bill-settings.ts';
import { countProgress } from './progress.ts';

interface BillVerifyOptions {
  readonly hashType?: string;
  readonly hashValue?: string;
}

export async function run({
  args: [paths],
  options,
  context,
}: Call<BillVerifyOptions, [readonly string[]]>): Promise<void> {
  const { output, io } = context;
  const files = await filesToVerify(paths, options, context);
  const { onOne, end } = await countProgress(context, files.length);
  const verdicts = await verifyFiles(files, { signal: io.signal, onVerdict: onOne }).finally(end);
  await printThenFail(printVerdicts(verdicts, output), failureOf(verdicts));
}

async function filesToVerify(
  paths: readonly string[],
  { hashType, hashValue }: BillVerifyOptions,
  context: Context,
): Promise<KnownFile[]> {
  if (hashType === undefined && hashValue === undefined) {
    const places = paths.length > 0 ? paths : [billSettings(settingsOf(context)).directory];
    return filesAt(places);
  }
  const [path] = paths;
  if (hashValue === undefined) {
    throw new MopError('usage', '--hash-type needs --hash-value', {
      hint: 'add the digest, or leave out --hash-type to compare with the ledger',
    });
  }
  if (path === undefined || paths.length > 1) {
    throw new MopError('usage', '--hash-value is the digest of one file', {
      hint: 'name that file, and no other',
    });
  }
  return [await fileWithDigest(path, { type: hashType, value: hashValue })];
}

async function printVerdicts(verdicts: readonly FileVerdict[], output: Output): Promise<void> {
  if (output.json) return output.redacted({ files: verdicts.map(verdictObject) });
  if (verdicts.length === 0) output.note('the ledger knows no file: nothing to verify');
  else if (!output.quiet) {
    const rows = verdicts.map(({ file, state }) => [
      state,
      visibleLine(file.digest?.type ?? '-'),
      visibleLine(file.path),
    ]);
    await output.data(table(['STATE', 'DIGEST', 'PATH'], rows));
  }
  const unverified = verdicts.filter(({ state, error }) => state === 'unverified' && !error);
  if (unverified.length > 0) {
    output.warn(
      `${unverified.length} of ${verdicts.length} files unverified: no digest of the platform is known for them`,
    );
  }
}

/** A verdict as `--json` shows it; its keys are stable. */
function verdictObject({ file, state, error }: FileVerdict): Record<string, unknown> {
  return {
    path: file.path,
    state,
    hash_type: file.digest?.type ?? null,
    ...(error && { error: errorObject(error) }),
  };
}

/** The failure of a single file, or the one that all failures share, or `mixed`. */
function failureOf(verdicts: readonly FileVerdict[]): MopError | undefined {
  const errors = verdicts.flatMap((verdict) => errorOf(verdict) ?? []);
  if (verdicts.length === 1) return errors[0];
  const count = (wanted: FileVerdict['state']): number =>
    verdicts.filter(({ state }) => state === wanted).length;
  return sharedFailure(
    errors,
    ({ message }) =>
      `${errors.length} of ${verdicts.length} files failed (${count('changed')} changed, ${count('missing')} missing), the first: ${message}`,
  );
}

function errorOf({ file: { path, digest }, state, error }: FileVerdict): MopError | undefined {
  if (error || state === 'ok' || state === 'unverified') return error;
  const fault = state === 'missing' ? 'is missing' : `does not match its ${digest?.type} digest`;
  return new MopError('integrity', `${path} ${fault}`, {
    hint: 'fetch again what has changed with: mop bill fetch DATE --overwrite, what is missing with: mop bill fetch --missing',
  });
}
