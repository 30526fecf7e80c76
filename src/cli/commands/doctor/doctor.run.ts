import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { profileNames } from '../../context/profiles.ts';
import { Settings } from '../../context/settings.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import { type Check, examine } from './examine.ts';
import { failureOf, printChecks } from './print-checks.ts';

interface DoctorOptions {
  readonly allProfiles?: boolean;
}

export async function run({ options, context }: Call<DoctorOptions>): Promise<void> {
  const { globals, output } = context;
  const reports: (readonly Check[])[] = [];
  if (options.allProfiles) {
    for (const profile of profileNames(context)) {
      const checks = await examineProfile(profile, context);
      reports.push(checks.map((check) => ({ profile, ...check })));
    }
  } else {
    reports.push(await examineProfile(globals.profile, context));
  }
  const checks = reports.flat();
  const printing = output.json
    ? output.redactedDocument({
        checks: checks.map(({ profile, name, state, detail }) => ({
          profile,
          name,
          state,
          detail,
        })),
      })
    : printReports(reports, context);
  await printThenFail(printing, failureOf(checks));
}

function examineProfile(profile: string | undefined, context: Context): Promise<readonly Check[]> {
  const { globals, io } = context;
  return examine(context, (config) => new Settings({ ...globals, profile }, io.env, config));
}

/** Prints the checks of each profile; with --all-profiles, below the name of the profile. */
async function printReports(
  reports: readonly (readonly Check[])[],
  context: Context,
): Promise<void> {
  const { output } = context;
  const { bold } = output.styles('stdout');
  for (const [index, checks] of reports.entries()) {
    const profile = checks[0]?.profile;
    if (profile !== undefined && !output.quiet) {
      await output.data(`${index > 0 ? '\n' : ''}${bold(visibleLine(profile))}`);
    }
    await printChecks(checks, 'stdout', context);
  }
}
