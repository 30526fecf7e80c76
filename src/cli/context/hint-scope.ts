import { MopError, withDetails } from '../../errors.ts';
import { isProfileName } from './config-file.ts';
import type { SettingFlags } from './settings.ts';

/** The commands in hints that depend on the profile or the environment, without these options. */
const SCOPED =
  /\bmop (?:account list|config list|config set no_bill_codes|doctor|gql schema)\b(?! -)/g;

/** Repeats the given `-p` and `--env` in the {@link SCOPED} commands of a hint. */
export function withScope(error: unknown, { profile, env }: SettingFlags): unknown {
  const scope = [
    // Another name needs quotation marks, but the command may be a part of a quoted value.
    ...(profile !== undefined && isProfileName(profile) ? ['-p', profile] : []),
    ...(env === undefined ? [] : ['--env', env]),
  ];
  if (!(error instanceof MopError && error.details.hint) || scope.length === 0) return error;
  const hint = error.details.hint.replace(SCOPED, (command) => [command, ...scope].join(' '));
  return withDetails(error, { hint });
}
