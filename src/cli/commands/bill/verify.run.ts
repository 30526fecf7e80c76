import { MopError, own, quoted } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';
import { hasLedger, LEDGER_NAME, otherBills } from '../../../platform/bills/ledger.ts';
import {
  type FileVerdict,
  filesAt,
  fileWithDigest,
  type KnownFile,
  verifyFiles,
} from '../../../platform/bills/verify-files.ts';
import { billSettings } from '../../context/bill-settings.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import { errorObject } from '../../context/error-json.ts';
import { printThenFail, sharedFailure, withExample } from '../../context/failures.ts';
import type { Output } from '../../context/output.ts';
import { forEachProfile } from '../../context/profiles.ts';
import type { Settings } from '../../context/settings.ts';
import { countProgress } from '../../context/spinner.ts';
import type { Style } from '../../context/style.ts';
import type { Call } from '../../frame/command.ts';
import {
  assertDirectory,
  type BillsOption,
  holdsProfileFolders,
  ownerName,
  profileDirectory,
  warnOfDamage,
} from './directories.ts';
import { REPAIR_HINT } from './status-report.ts';

interface BillVerifyOptions extends BillsOption {
  readonly hashType?: string;
  readonly hashValue?: string;
  readonly allProfiles?: boolean;
}

/** The files of one profile; without `--all-profiles`, every file. */
interface FileGroup {
  readonly profile: string | undefined;
  readonly files: readonly KnownFile[];
}

export async function run({
  args: [given],
  options,
  context,
}: Call<BillVerifyOptions, [readonly string[]]>): Promise<void> {
  const paths = options.bills === undefined ? given : [...given, options.bills];
  checkOptions(paths, options);
  const { groups, profileErrors } = await filesToVerify(paths, options, context);
  const files = groups.flatMap((group) => group.files);
  const { onOne, end } = await countProgress(context, files.length, 'files');
  const { signal } = context.io;
  const verdicts = await verifyFiles(files, signal, onOne).finally(end);
  await printThenFail(printVerdicts(groups, verdicts, context), failureOf(verdicts, profileErrors));
}

function checkOptions(
  paths: readonly string[],
  { hashType, hashValue, allProfiles }: BillVerifyOptions,
): void {
  const hasDigest = hashType !== undefined || hashValue !== undefined;
  assertNoConflict([
    [hasDigest && allProfiles, '--hash-value and --all-profiles contradict each other'],
    [
      hashType !== undefined && hashValue === undefined,
      '--hash-type needs --hash-value',
      'add the digest, or leave out --hash-type to compare with the ledger',
    ],
    [
      hasDigest && paths.length !== 1,
      '--hash-value is the digest of one file',
      'give exactly one file',
    ],
  ]);
  if (allProfiles) for (const path of paths) assertDirectory(path);
}

async function filesToVerify(
  paths: readonly string[],
  { hashType, hashValue, allProfiles = false }: BillVerifyOptions,
  context: Context,
): Promise<{ readonly groups: readonly FileGroup[]; readonly profileErrors: readonly MopError[] }> {
  const [path] = paths;
  if (path !== undefined && hashValue !== undefined) {
    const file = await fileWithDigest(path, { type: hashType, value: hashValue });
    return { groups: [{ profile: undefined, files: [file] }], profileErrors: [] };
  }
  const groups: FileGroup[] = [];
  const profileErrors = await forEachProfile(allProfiles, context, async (settings) => {
    const files = await filesOf(paths, settings, allProfiles, context);
    groups.push({ profile: allProfiles ? settings.profile : undefined, files });
  });
  return { groups, profileErrors };
}

async function filesOf(
  paths: readonly string[],
  settings: Settings,
  allProfiles: boolean,
  context: Context,
): Promise<KnownFile[]> {
  const { output } = context;
  const { owner, directory } = billSettings(settings);
  const places: string[] = [];
  for (const root of paths.length > 0 ? paths : [directory]) {
    const place = profileDirectory(root, owner.profile, allProfiles);
    if (!allProfiles && (await holdsProfileFolders(place, context))) {
      throw new MopError(
        'usage',
        `${place} has no ledger (${LEDGER_NAME}), but folders of profiles`,
        {
          hint: quoted`run: mop bill verify ${place} --all-profiles`,
        },
      );
    }
    // A new profile has no bills yet.
    if (!allProfiles || (await hasLedger(place))) places.push(place);
    else output.warn(`${place} has no ledger (${LEDGER_NAME}): nothing to verify`);
  }
  const files = await filesAt(places, context.io.signal, (ledger, damaged) =>
    warnOfDamage(ledger, damaged, output),
  );
  const bills = files.flatMap(({ bill }) => bill ?? []);
  for (const other of otherBills(bills, owner)) {
    output.note(`including ${counted(other.count, 'bill')} of ${ownerName(other)}`);
  }
  return files;
}

async function printVerdicts(
  groups: readonly FileGroup[],
  verdicts: readonly FileVerdict[],
  { output }: Context,
): Promise<void> {
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.file, verdict]));
  const grouped = groups.map(({ profile, files }) => ({
    profile,
    own: files.flatMap((file) => verdictOf.get(file) ?? []),
  }));
  if (output.json) {
    const files = grouped.flatMap(({ profile, own }) =>
      own.map((verdict) => verdictObject(verdict, profile)),
    );
    return output.redactedDocument({ files });
  }
  if (verdicts.length === 0) output.note('the ledger records no file: nothing to verify');
  else if (!output.quiet) {
    const styles = output.styles('stdout');
    const tables: string[] = [];
    for (const { profile, own } of grouped) {
      if (own.length === 0) continue;
      const heading = profile && `${output.lines(styles.bold.underline(`profile ${profile}`))}\n\n`;
      tables.push((heading ?? '') + (await verdictTable(own, styles, output)));
    }
    await output.data(tables.join('\n\n\n'));
  }
  const unverified = verdicts.filter(({ state, error }) => state === 'unverified' && !error);
  if (unverified.length > 0) {
    output.warn(
      quoted`${unverified.length} of ${own(counted(verdicts.length, 'file'))} unverified: the digest of the platform is unknown (mop bill info DATE prints it, and --hash-value takes it)`,
    );
  }
}

function verdictTable(
  verdicts: readonly FileVerdict[],
  { green, yellow, red }: Style,
  output: Output,
): Promise<string> {
  const colours = { ok: green, changed: red, missing: red, unverified: yellow };
  const rows = verdicts.map(({ file, state }) => [
    colours[state](output.word(state)),
    file.digest?.type ?? '-',
    file.path,
  ]);
  return output.table(['STATE', 'DIGEST', 'PATH'], rows);
}

/** A verdict as `--json` shows it; its keys are stable. */
function verdictObject(
  { file, state, error }: FileVerdict,
  profile: string | undefined,
): Record<string, unknown> {
  return {
    ...(profile !== undefined && { profile }),
    path: file.path,
    state,
    hash_type: file.digest?.type ?? null,
    ...(error && { error: errorObject(error) }),
  };
}

/** The failure of a single file, or the one that all failures share, or `mixed`. */
function failureOf(
  verdicts: readonly FileVerdict[],
  profileErrors: readonly MopError[],
): MopError | undefined {
  const failed = verdicts.flatMap((verdict) => errorOf(verdict) ?? []);
  const errors = [...profileErrors, ...failed];
  if (verdicts.length + profileErrors.length === 1) return errors[0];
  const count = (wanted: FileVerdict['state']): number =>
    verdicts.filter(({ state }) => state === wanted).length;
  return sharedFailure(errors, ({ message }) =>
    failed.length > 0
      ? withExample(
          `${failed.length} of ${counted(verdicts.length, 'file')} failed (${count('changed')} changed, ${count('missing')} missing)`,
          failed.length,
          message,
        )
      : `${counted(profileErrors.length, 'profile')} cannot be used`,
  );
}

function errorOf({
  file: { path, digest, bill },
  state,
  error,
}: FileVerdict): MopError | undefined {
  if (error || state === 'ok' || state === 'unverified') return error;
  const fault = state === 'missing' ? 'is missing' : `does not match its ${digest?.type} digest`;
  return new MopError('integrity', `${path} ${fault}`, {
    hint: bill ? REPAIR_HINT : 'compare the digest with that of: mop bill info DATE',
  });
}
