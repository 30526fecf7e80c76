import { MopError } from '../../errors.ts';
import { configPath } from './config-file.ts';
import { type Context, configOf } from './context.ts';
import { SETTINGS, type SettingKey } from './setting-keys.ts';

/**
 * The profiles of the configuration, for `--all-profiles`. Warns about environment variables that
 * set the account or the address of every profile.
 */
export function profileNames(context: Context): string[] {
  if (context.globals.profile !== undefined) {
    throw new MopError('usage', '--profile and --all-profiles cannot be combined', {
      hint: 'leave out one of the two',
    });
  }
  const names = Object.keys(configOf(context).profiles);
  if (names.length > 0) {
    warnOfOverrides(context);
    return names;
  }
  const path = configPath(context.io);
  throw new MopError('config', `there is no profile in ${path}`, { hint: 'run: mop config init' });
}

/** The settings that differ between accounts and platforms. */
const ACCOUNT_KEYS: readonly SettingKey[] = [
  'api_key',
  'api_secret',
  'api_secret_file',
  'base_url',
  'open_base_url',
];

function warnOfOverrides({ io, output }: Context): void {
  const set = ACCOUNT_KEYS.flatMap((key) => {
    const { variable } = SETTINGS[key];
    return variable !== undefined && io.env[variable] ? [{ key, variable }] : [];
  });
  if (set.length === 0) return;
  const verbs = set.length === 1 ? ['is', 'overrides'] : ['are', 'override'];
  const list = (words: readonly string[]): string => words.join(', ');
  const variables = list(set.map(({ variable }) => variable));
  const keys = list(set.map(({ key }) => key));
  output.warn(`${variables} ${verbs[0]} set and ${verbs[1]} ${keys} of every profile`);
}
