/** Completes command lines in each shell that is installed. */
import { beforeEach, describe, expect, it } from 'vitest';
import { MOP } from '../../../src/cli/commands.ts';
import {
  type CommandTree,
  readTree,
  type TreeCommand,
  type TreeOption,
  type Value,
} from '../../../src/cli/frame/command-tree.ts';
import { bashCompletion } from '../../../src/cli/frame/completion/bash.ts';
import { fishCompletion } from '../../../src/cli/frame/completion/fish.ts';
import { powershellCompletion } from '../../../src/cli/frame/completion/powershell.ts';
import { zshCompletion } from '../../../src/cli/frame/completion/zsh.ts';
import { buildProgram } from '../../../src/cli/frame/program.ts';
import { installed } from '../support.ts';
import { completions, DRIVERS, HOSTILE } from './completion-shells.ts';

/** A text that would break a script without quoting. */
const AWKWARD = `it's [a]: "b" \`c\` $d (e) \\ {f} ’g’ *`;

/** An option of the tree. */
function option(names: string[], description = '', value?: Value): TreeOption {
  return { names, description, group: 'Options', value };
}

/** A command of the tree. */
function command(path: string, given: Partial<TreeCommand>): TreeCommand {
  const nothing = { arguments: [], options: [], commands: [], notes: [], examples: [] };
  return { path, usage: path, description: '', ...nothing, exitCodes: [], ...given };
}

/** An argument of the tree. */
function argument(name: string, kind: Value['kind'], variadic = false) {
  return { name, kind, description: '', variadic };
}

/** The dates of `mop config dates`, without the word. */
const DATES = Array(14).fill(expect.stringMatching(/^2\d{3}-\d{2}-\d{2}$/));

const HELP = option(['-h', '--help'], 'help');

const TREE: CommandTree = {
  name: 'tool',
  globals: [
    option(['-c', '--config'], AWKWARD, { name: 'file', kind: 'file' }),
    option(['-q', '--quiet'], AWKWARD),
    option(['--level'], '', { name: 'l[:n]', kind: ['low', 'high'] }),
    option(['-p', '--profile'], '', { name: 'profile', kind: 'profile' }),
  ],
  commands: [
    command('tool', {
      options: [HELP],
      commands: [
        { name: 'run', description: AWKWARD },
        { name: 'set', description: 'set' },
      ],
    }),
    command('tool run', {
      options: [
        option(['-f'], 'a field', { name: 'k=v', kind: 'text' }),
        option(['-F'], 'a flag'),
        option(['--in'], 'where', { name: 'dir', kind: 'directory' }),
        HELP,
      ],
      arguments: [argument('body', '@file')],
      commands: [{ name: 'again', description: AWKWARD }],
    }),
    command('tool run again', {
      options: [option(['--mode'], '', { name: 'm', kind: ['up', 'down'] })],
      arguments: [argument('which', ['one', 'two'], true)],
    }),
    command('tool set', {
      options: [HELP],
      arguments: [argument('key', ['alpha', 'beta']), argument('value', ['almost'], true)],
    }),
  ],
};

describe.each([
  { shell: 'bash', print: bashCompletion },
  { shell: 'zsh', print: zshCompletion },
  { shell: 'fish', print: fishCompletion },
  { shell: 'powershell', print: powershellCompletion },
])('in $shell', { timeout: 30_000 }, ({ shell, print }) => {
  const driver = DRIVERS[shell] as (typeof DRIVERS)[string];

  beforeEach(({ skip }) => skip(!installed(driver.program), `${driver.program} is not installed`));

  const ask = async (script: string, command: string, expected: Record<string, unknown>) => {
    const answers = await completions(driver, script, command, Object.keys(expected));
    expect(Object.fromEntries(Object.keys(expected).map((line, i) => [line, answers[i]]))).toEqual(
      expected,
    );
  };

  it('offers matching commands, options and values', async () => {
    await ask(print(TREE), 'tool', {
      'tool ': ['run', 'set'],
      'tool r': ['run'],
      'tool x': [],
      'tool --l': ['--level'],
      'tool --level ': ['high', 'low'],
      'tool -q --level h': ['high'],
      'tool --he': ['--help'],
      'tool -c run s': ['set'],
      'tool run --level high -q ag': ['again'],
      'tool run -f again --m': [],
      'tool run -F again --m': ['--mode'],
      'tool run again --level ': ['high', 'low'],
      'tool run again --mode ': ['down', 'up'],
      'tool run again ': ['one', 'two'],
      'tool run again one --mode up t': ['two'],
      'tool run again --he': [],
      'tool run x --i': ['--in'],
      'tool run - --i': ['--in'],
      'tool run x ag': [],
      'tool set ': ['alpha', 'beta'],
      'tool set al': ['alpha'],
      'tool set alpha ': ['almost'],
      'tool set alpha x al': ['almost'],
      'tool set alpha --l': ['--level'],
      'tool set --level ': ['high', 'low'],
      'tool set --profile ': [HOSTILE, 'default', 'staging'],
      'tool -p st': ['staging'],
    });
  });

  // PowerShell completes paths itself, and interprets @ and =.
  it.skipIf(shell === 'powershell')('offers paths, also after @ and =', async () => {
    await ask(print(TREE), 'tool', {
      'tool -c f': ['file1', 'folder'],
      'tool run --config f': ['file1', 'folder'],
      'tool run --in f': ['folder'],
      'tool run @f': ['file1', 'folder'],
      'tool run f': [],
      'tool --level=h': ['high'],
      'tool --level=h run ag': ['again'],
    });
  });

  it('reads the script of mop', async () => {
    await ask(print(readTree(buildProgram(MOP))), 'mop', {
      'mop compl': ['completion'],
      'mop completion ': ['bash', 'fish', 'powershell', 'zsh'],
      'mop bill fetch --typ': ['--type'],
      'mop bill fetch --type ': ['all', 'paid', 'refund'],
      'mop --json config get environ': ['environment'],
      'mop config set --env ': ['production', 'sandbox', 'test'],
      'mop help compl': ['completion'],
      'mop help sch': ['scheduling'],
      'mop help bill fe': ['fetch'],
      'mop errors 2303': ['2303'],
      'mop config use st': ['staging'],
      'mop bill fetch y': ['yesterday'],
      'mop bill fetch 2': DATES,
      'mop bill fetch --from 2': DATES,
      'mop sandbox --fault lat': ['latency'],
      'mop detect --fail-on cr': ['critical'],
      'mop bill verify --hash-type SHA-2': ['SHA-256'],
      'mop gql help var': ['variables'],
      'mop call /user': ['sync'],
    });
  });
});
