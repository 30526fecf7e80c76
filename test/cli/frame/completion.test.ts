import { readFile } from 'node:fs/promises';
import { Argument, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { Command } from '../../../src/cli/frame/command.ts';
import { readTree, type TreeOption, type Value } from '../../../src/cli/frame/command-tree.ts';
import { mop } from '../../support/cli.ts';
import { expectFailure } from '../support.ts';

const SHELLS = [
  { shell: 'bash', file: 'mop.bash' },
  { shell: 'zsh', file: '_mop' },
  { shell: 'fish', file: 'mop.fish' },
  { shell: 'powershell', file: 'mop.ps1' },
];

/** An option of the tree. */
function option(names: string[], description = '', value?: Value): TreeOption {
  return { names, description, group: 'Options', value };
}

describe('mop completion', () => {
  it.each(SHELLS)('prints completions/$file for $shell', async ({ shell, file }) => {
    const { code, stdout, stderr } = await mop(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const stored = await readFile(new URL(`../../../completions/${file}`, import.meta.url), 'utf8');
    expect(stored === stdout, 'it is out of date: npm run completions').toBe(true);
  });

  it('is one JSON document with --json', async () => {
    const { stdout: script } = await mop(['completion', 'fish']);
    const { stdout } = await mop(['completion', 'fish', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script });
  });

  it('explains in its help how to install each script', async () => {
    const { stdout } = await mop(['completion', '--help']);
    for (const { shell } of SHELLS) {
      expect(stdout).toMatch(new RegExp(`^  ${shell} .*mop completion ${shell}`, 'm'));
    }
  });

  it.each([[['tcsh']], [['']], [[]], [['bash', 'zsh']]])(
    'rejects the arguments %j',
    async (words) => {
      const result = await mop(['completion', ...words]);
      expectFailure(result, 2, '');
    },
  );
});

describe('the tree', () => {
  const program = new Command('tool')
    .version('1')
    .option('-q, --quiet', 'quiet')
    .addOption(new Option('--secret').hideHelp())
    .helpCommand(false);
  program
    .command('fetch')
    .description('Fetch.')
    .argument('[date...]', 'days')
    .optionsGroup('Where:')
    .option('--old-file <old-file>', 'before')
    .option('-o, --out <path|->', 'to')
    .option('--cache [dir]', 'cache')
    .option('--profile <profile>', 'name')
    .option('--data <text>', 'the text, or @FILE')
    .option('--file <key=@path>', 'file');
  const fetch = program.commands[0] as Command;
  fetch.helpText = {
    notes: `
        One that
        is long.

        a  1
        b  2`,
    examples: ['tool fetch', 'tool fetch yesterday'],
    failures: ['network'],
  };
  program.command('gone', { hidden: true });
  program
    .command('set')
    .addArgument(new Argument('<key>').choices(['a', 'b']).argParser((key) => key))
    .addOption(new Option('--as <form>').choices(['x', 'y']));
  const tree = readTree(program);

  it('contains every command of the help, parents first', () => {
    expect(tree.name).toBe('tool');
    expect(tree.commands.map(({ path }) => path)).toEqual(['tool', 'tool fetch', 'tool set']);
    expect(tree.commands[0]?.commands).toEqual([
      { name: 'fetch', description: 'Fetch.' },
      { name: 'set', description: '' },
    ]);
  });

  it('contains the global options once, without those of the program only', () => {
    const names = tree.commands.map(({ options }) => options.flatMap((option) => option.names));
    expect(tree.globals).toEqual([option(['-q', '--quiet'], 'quiet')]);
    expect(names[0]).toEqual(['-V', '--version', '-h', '--help']);
    expect(names[2]).toEqual(['--as', '-h', '--help']);
  });

  it('contains the possible values of options and arguments', () => {
    const [, fetch, set] = tree.commands;
    const kinds = fetch?.options.map(({ names, value }) => [names.at(-1), value?.kind]);
    expect(kinds).toEqual([
      ['--old-file', 'file'],
      ['--out', 'file'],
      ['--cache', 'directory'],
      ['--profile', 'profile'],
      ['--data', '@file'],
      ['--file', '@file'],
      ['--help', undefined],
    ]);
    expect(fetch?.arguments).toEqual([
      { name: 'date', kind: 'date', description: 'days', variadic: true },
    ]);
    expect(set?.arguments.map(({ kind }) => kind)).toEqual([['a', 'b']]);
    expect(set?.options[0]?.value).toEqual({ name: 'form', kind: ['x', 'y'] });
  });

  it('contains notes, examples and exit codes of a command', () => {
    expect(tree.commands[1]).toMatchObject({
      usage: 'tool fetch [options] [date...]',
      description: 'Fetch.',
      notes: ['One that is long.', 'a  1\nb  2'],
      examples: ['tool fetch', 'tool fetch yesterday'],
    });
    expect(tree.commands[1]?.exitCodes.map(({ code }) => code)).toEqual([0, 1, 2, 6, 13, 130, 143]);
    expect(tree.commands[1]?.options[0]?.group).toBe('Where');
  });
});
