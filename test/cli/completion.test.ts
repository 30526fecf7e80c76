import { readFile } from 'node:fs/promises';
import { Argument, Command, Option } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { bashCompletion } from '../../src/cli/completion/bash.ts';
import { fishCompletion } from '../../src/cli/completion/fish.ts';
import { powershellCompletion } from '../../src/cli/completion/powershell.ts';
import { type CommandTree, readTree } from '../../src/cli/completion/tree.ts';
import { zshCompletion } from '../../src/cli/completion/zsh.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { mop } from '../support/cli.ts';
import { completions, DRIVERS } from './completion-shells.ts';
import { expectFailure, installed } from './support.ts';

const SHELLS = [
  { shell: 'bash', print: bashCompletion, file: 'mop.bash' },
  { shell: 'zsh', print: zshCompletion, file: '_mop' },
  { shell: 'fish', print: fishCompletion, file: 'mop.fish' },
  { shell: 'powershell', print: powershellCompletion, file: 'mop.ps1' },
];

/** What would break a script that does not quote it. */
const AWKWARD = `it's [a]: "b" \`c\` $d (e) \\ {f} ’g’ *`;

const HELP = { names: ['-h', '--help'], description: 'help', value: undefined };

const TREE: CommandTree = {
  name: 'tool',
  globals: [
    { names: ['-c', '--config'], description: AWKWARD, value: { name: 'file', kind: 'file' } },
    { names: ['-q', '--quiet'], description: AWKWARD, value: undefined },
    { names: ['--level'], description: '', value: { name: 'l[:n]', kind: ['low', 'high'] } },
  ],
  commands: [
    {
      path: 'tool',
      options: [HELP],
      arguments: [],
      commands: [
        { name: 'run', description: AWKWARD },
        { name: 'set', description: 'set' },
      ],
    },
    {
      path: 'tool run',
      options: [
        { names: ['-f'], description: 'a field', value: { name: 'k=v', kind: 'text' } },
        { names: ['-F'], description: 'a flag', value: undefined },
        { names: ['--in'], description: 'where', value: { name: 'dir', kind: 'directory' } },
        HELP,
      ],
      arguments: [{ name: 'body', kind: '@file', variadic: false }],
      commands: [{ name: 'again', description: AWKWARD }],
    },
    {
      path: 'tool run again',
      options: [{ names: ['--mode'], description: '', value: { name: 'm', kind: ['up', 'down'] } }],
      arguments: [{ name: 'which', kind: ['one', 'two'], variadic: true }],
      commands: [],
    },
    {
      path: 'tool set',
      options: [HELP],
      arguments: [
        { name: 'key', kind: ['alpha', 'beta'], variadic: false },
        { name: 'value', kind: 'text', variadic: false },
      ],
      commands: [],
    },
  ],
};

describe('mop completion', () => {
  it.each(SHELLS)('prints completions/$file for $shell', async ({ shell, file }) => {
    const { code, stdout, stderr } = await mop(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const stored = await readFile(new URL(`../../completions/${file}`, import.meta.url), 'utf8');
    expect(stored === stdout, 'it is out of date: npm run completions').toBe(true);
  });

  it('is one JSON document with --json', async () => {
    const { stdout: script } = await mop(['completion', 'fish']);
    const { stdout } = await mop(['completion', 'fish', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script });
  });

  it('says how to install each script', async () => {
    const { stdout } = await mop(['completion', '--help']);
    for (const { shell } of SHELLS) {
      expect(stdout).toMatch(new RegExp(`^  ${shell} .*mop completion ${shell}`, 'm'));
    }
  });

  it.each([[['tcsh']], [['']], [[]], [['bash', 'zsh']]])('%j is bad usage', async (words) => {
    const result = await mop(['completion', ...words]);
    expectFailure(result, 2, '');
  });
});

describe('the tree', () => {
  const program = new Command('tool')
    .version('1')
    .option('-q, --quiet', 'quiet')
    .addOption(new Option('--secret').hideHelp());
  program
    .command('fetch')
    .description('Fetch.')
    .argument('[date...]', 'days')
    .option('--old-file <old-file>', 'before')
    .option('-o, --out <path|->', 'to')
    .option('--cache [dir]', 'cache')
    .option('--profile <name>', 'name')
    .option('--data <text>', 'the text, or @FILE')
    .option('--file <key=@path>', 'file');
  program.command('gone', { hidden: true });
  program
    .command('set')
    .addArgument(new Argument('<key>').choices(['a', 'b']).argParser((key) => key))
    .addOption(new Option('--as <form>').choices(['x', 'y']));
  const tree = readTree(program);

  it('has every command that the help shows, parents first', () => {
    expect(tree.name).toBe('tool');
    expect(tree.commands.map(({ path }) => path)).toEqual([
      'tool',
      'tool fetch',
      'tool set',
      'tool help',
    ]);
    expect(tree.commands[0]?.commands).toEqual([
      { name: 'fetch', description: 'Fetch.' },
      { name: 'set', description: '' },
      { name: 'help', description: expect.any(String) },
    ]);
  });

  it('has the common options once, and not those for the program alone', () => {
    const names = tree.commands.map(({ options }) => options.flatMap((option) => option.names));
    expect(tree.globals).toEqual([
      { names: ['-q', '--quiet'], description: 'quiet', value: undefined },
    ]);
    expect(names[0]).toEqual(['-V', '--version', '-h', '--help']);
    expect(names[2]).toEqual(['--as', '-h', '--help']);
  });

  it('knows what a value may be', () => {
    const [, fetch, set, help] = tree.commands;
    const kinds = fetch?.options.map(({ names, value }) => [names.at(-1), value?.kind]);
    expect(kinds).toEqual([
      ['--old-file', 'file'],
      ['--out', 'file'],
      ['--cache', 'directory'],
      ['--profile', 'text'],
      ['--data', '@file'],
      ['--file', '@file'],
      ['--help', undefined],
    ]);
    expect(fetch?.arguments).toEqual([{ name: 'date', kind: 'text', variadic: true }]);
    expect(set?.arguments).toEqual([{ name: 'key', kind: ['a', 'b'], variadic: false }]);
    expect(set?.options[0]?.value).toEqual({ name: 'form', kind: ['x', 'y'] });
    expect(help?.arguments[0]?.kind).toEqual(['fetch', 'set', 'help']);
  });
});

describe.each(SHELLS)('in $shell', { timeout: 30_000 }, ({ shell, print }) => {
  const driver = DRIVERS[shell] as (typeof DRIVERS)[string];

  beforeEach(({ skip }) => skip(!installed(driver.program), `${driver.program} is not installed`));

  const ask = async (script: string, command: string, expected: Record<string, string[]>) => {
    const answers = await completions(driver, script, command, Object.keys(expected));
    expect(Object.fromEntries(Object.keys(expected).map((line, i) => [line, answers[i]]))).toEqual(
      expected,
    );
  };

  it('offers what fits', async () => {
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
      'tool set alpha ': [],
      'tool set alpha --l': ['--level'],
      'tool set --level ': ['high', 'low'],
    });
  });

  // PowerShell completes paths in its own way, and takes @ and = for its own.
  it.skipIf(shell === 'powershell')('offers paths and the second half of a word', async () => {
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
    await ask(print(readTree(buildProgram(() => {}))), 'mop', {
      'mop compl': ['completion'],
      'mop completion ': ['bash', 'fish', 'powershell', 'zsh'],
      'mop bill fetch --typ': ['--type'],
      'mop bill fetch --type ': ['all', 'paid', 'refund'],
      'mop --json config get environ': ['environment'],
      'mop config set --env ': ['production', 'sandbox', 'test'],
      'mop help compl': ['completion'],
    });
  });
});
