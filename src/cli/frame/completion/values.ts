import { homedir } from 'node:os';
import { READINGS } from '../../../protocol/readings.ts';
import { RESULT_CODES } from '../../../protocol/result-codes.ts';
import { billSchedule } from '../../context/bill-settings.ts';
import { configPath, readConfig } from '../../context/config-file.ts';
import type { Io } from '../../context/io.ts';
import { SETTINGS, type SettingKey, type SettingSpec } from '../../context/setting-keys.ts';
import { Settings } from '../../context/settings.ts';
import { type Command, lineage } from '../command.ts';
import type { CommandLine } from '../command-line.ts';
import { childrenOf } from '../command-tree.ts';

/** The words before the current one. */
export interface Line extends CommandLine {
  readonly io: Io;
}

export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

export interface Answer {
  readonly candidates: readonly Candidate[];
  /** `nospace`: the word may continue after a candidate. Default: `words`. */
  readonly kind?: 'words' | 'nospace' | 'files' | 'directories';
  /** The beginning of the word that is not part of the candidates, or of the path. */
  readonly prefix?: string;
}

/** Values that are not in the tree, by their placeholders. `word` is the current one. */
export const VALUES: Readonly<Record<string, (line: Line, word: string) => Promise<Answer>>> = {
  profile: async (line) => ({ candidates: profiles(line) }),
  date: async (line) => ({ candidates: await dates(line) }),
  bill: async (line) => ({ candidates: await dates(line), kind: 'files' }),
  setting: async () => ({ candidates: settings() }),
  value: async (line) => settingValues(line),
  code: async () => ({
    candidates: RESULT_CODES.map(({ code, meaning }) => ({
      value: `${code}`,
      description: meaning,
    })),
  }),
  subcommand: async (line) => ({ candidates: subcommands(line) }),
  'name=value': async (_, word) => readings(word),
  column: async (line) => ({ candidates: await columns('bill', line) }),
  'column=value': async (line, word) => {
    if (word.includes('=')) return { candidates: [] };
    const side = line.pending?.long === '--records-where' ? 'records' : 'bill';
    const names = await columns(side, line);
    return { candidates: names.map(({ value }) => ({ value: `${value}=` })), kind: 'nospace' };
  },
  'column[=theirs]': async (line, word) => {
    const prefix = word.slice(0, word.indexOf('=') + 1);
    return { candidates: await columns(prefix === '' ? 'bill' : 'records', line), prefix };
  },
};

/** The values of an option, by its long name. */
function valuesOf({ given }: Line, long: string): string[] {
  return given.flatMap(([option, value]) => (option.long === long ? [value] : []));
}

/** The configuration. Warnings are not printed. */
function configOf({ io }: Line) {
  const ignore = (): void => {};
  return readConfig(configPath(io, ignore), ignore);
}

function profiles(line: Line): Candidate[] {
  return Object.entries(configOf(line).profiles).map(([value, { environment = 'production' }]) => ({
    value,
    description: environment,
  }));
}

/** The settings of the line's profile and environment. */
function settingsOf(line: Line): Settings {
  const [profile] = valuesOf(line, '--profile').slice(-1);
  const [env] = valuesOf(line, '--env').slice(-1);
  return new Settings({ profile, env }, line.io.env, configOf(line));
}

const OFFERED_DAYS = 14;

async function dates(line: Line): Promise<Candidate[]> {
  const { daysOf, lastDays } = await import('../../../protocol/bill-calendar.ts');
  const range = lastDays(OFFERED_DAYS, billSchedule(settingsOf(line)), line.io.now());
  return ['yesterday', ...daysOf(range)].map((value) => ({ value }));
}

function settings(): Candidate[] {
  return Object.entries<SettingSpec>(SETTINGS).map(([value, { meaning }]) => ({
    value,
    description: meaning,
  }));
}

/** The values of the setting that `config set` names. */
function settingValues({ arguments: [key = ''] }: Line): Answer {
  if (!Object.hasOwn(SETTINGS, key)) return { candidates: [] };
  const { choices, path, fallback }: SettingSpec = SETTINGS[key as SettingKey];
  if (path) return { candidates: [], kind: 'files' };
  const zones = key === 'timezone' ? Intl.supportedValuesOf('timeZone') : [];
  const values = choices ?? [...(fallback === undefined ? [] : [fallback]), ...zones];
  return { candidates: values.map((value) => ({ value })) };
}

/** The subcommands of the command that `mop help` names. */
function subcommands({ command, arguments: words }: Line): Candidate[] {
  const [program] = lineage(command);
  let named: Command | undefined = program;
  for (const word of words) named = named && childrenOf(named).find((each) => each.name() === word);
  return named
    ? childrenOf(named).map((child) => ({ value: child.name(), description: child.description() }))
    : [];
}

/** `NAME=`, then `NAME=VALUE`. */
function readings(word: string): Answer {
  const [, name = ''] = /^([^=]*)=/.exec(word) ?? [];
  const names = Object.entries(READINGS);
  const found = names.find(([each]) => each === name);
  if (found) {
    return { candidates: found[1].values.map((value) => ({ value })), prefix: `${name}=` };
  }
  return {
    candidates: names.map(([each, { point }]) => ({ value: `${each}=`, description: point })),
    kind: 'nospace',
  };
}

/** The columns of the bill on the line, or of your own records. */
async function columns(side: 'bill' | 'records', line: Line): Promise<Candidate[]> {
  const { columnsOf } = await import('./columns.ts');
  // The shell has not expanded the word yet.
  const expandHome = (path: string): string => path.replace(/^~(?=\/)/, homedir);
  const records = valuesOf(line, '--with').slice(0, 1);
  const given = (side === 'bill' ? line.arguments : records).map(expandHome);
  const directory = valuesOf(line, '--bills').at(-1) ?? settingsOf(line).get('bill_dir') ?? '.';
  const place = side === 'bill' ? expandHome(directory) : undefined;
  return (await columnsOf(given, place, line.io.signal)).map((value) => ({ value }));
}
