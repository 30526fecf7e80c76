import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { Argument, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { Command } from '../../../src/cli/frame/command.ts';
import { readTree, type TreeOption, type Value } from '../../../src/cli/frame/command-tree.ts';
import { mop, temporaryDirectory } from '../../support/cli.ts';
import { checkRows } from '../../support/rows.ts';
import { configuration, expectFailure } from '../support.ts';

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

describe('mop __complete', () => {
  const CONFIG = {
    current: 'a',
    profiles: {
      a: { timezone: 'Pacific/Kiritimati' },
      '': {},
      us: { timezone: 'America/Adak' },
      'b c': { environment: 'test' },
      '$(touch x)\u001b[2J': {},
      上海: {},
    },
  };

  interface Row {
    readonly words: readonly string[];
    /** The first line. Default: `words`. */
    readonly head?: string;
    /** All candidates, or the first ones and `…`. Default: none. */
    readonly values?: readonly string[];
  }

  const row = (words: readonly string[], values?: readonly string[], head?: string): Row => ({
    words,
    ...(values && { values }),
    ...(head !== undefined && { head }),
  });

  const SUBCOMMANDS = ['fetch', 'info', 'verify', 'status', 'summary', 'compare', 'compact'];
  const TYPES = ['all', 'paid', 'refund'];
  const DAYS = ['yesterday', '2026-11-06', '…'];
  const COLUMNS = ['order id', '金额', '$(touch x)', "it's"];
  const FILES = 'files';

  it('answers', async () => {
    const { env } = await configuration(CONFIG);
    const directory = await temporaryDirectory();
    const at = (name: string) => join(directory, name);
    // The last column has a control character, and is left out.
    await writeFile(at('bill.csv'), `${COLUMNS.join(',')},"a\u0007b"\n1,2,3,4,5\n`);
    await writeFile(at('own.jsonl'), '{"id":1,"总额":2}\n');
    await writeFile(at('page.html'), '<html></html>');
    const entry = { status: 'stored', file: 'bill.csv', date: '2026-11-19', type: 'all' };
    const details = { hash_type: 'MD5', hash_value: 'x', profile: 'a', environment: 'test' };
    await writeFile(at('bills.jsonl'), `${JSON.stringify({ ...entry, ...details })}\n`);
    await promisify(execFile)('mkfifo', [at('pipe')]);
    const compare = ['bill', 'compare', at('bill.csv'), '--with', at('own.jsonl')];
    const rows: Row[] = [
      // Commands.
      row([''], ['sign', '…']),
      row(['x', '']),
      row(['bill', ''], SUBCOMMANDS),
      row(['-p', 'bill', 'bill', 'f'], ['fetch']),
      row(['-qp', 'bill', 'bill', 'f'], ['fetch']),
      row(['-pbill', '--json', '--env=test', 'bill', 'f'], ['fetch']),
      row(['--', 'bill', ''], SUBCOMMANDS),
      row(['--unknown', '--other=1', '-Z', 'bill', ''], SUBCOMMANDS),
      row(['bill', '""'], SUBCOMMANDS),
      row(['sign', ''], ['explain', 'verify']),
      row(['sign', '{}', '']),
      row(['help', 'bill', ''], SUBCOMMANDS),
      row(['help', 'bill', 'fetch', '']),
      row(['help', ''], ['sign', '…']),
      // Options.
      row(['version', '-'], ['-h', '--help', '-p', '…']),
      row(['--json', 'version', '--'], ['--help', '--profile', '…']),
      row(['version', '--', '-']),
      row([...compare, '-'], ['--with', '…']),
      // Values with choices.
      row(['bill', 'fetch', '--type', ''], TYPES),
      row(['bill', 'fetch', '--type=', 'x', '--type', 'P'], ['paid']),
      row(['bill', 'fetch', '--type=p'], ['--type=paid']),
      row(['bill', 'fe'], ['fetch']),
      row(['bill', 'info', '--env'], ['--env', '…']),
      row(['--env', ''], ['production', 'test', 'sandbox']),
      row(['completion', ''], ['bash', 'zsh', 'fish', 'powershell']),
      row(['completion', 'bash', '']),
      row(['gql', 'help', ''], ['kinds', '…']),
      row(['errors', ''], ['0', '…']),
      row(['call', '/'], ['/trade/bill', '/param/decode', '/takecar/estimate/price', '/user/sync']),
      row(['detect', '--fail-on', ''], ['none', 'low', 'medium', 'high', 'critical']),
      row(['sandbox', '--fault', ''], ['code', '…']),
      // Texts, files and directories.
      row(['decode', '', '']),
      row(['sign', '--nonce', '']),
      row(['bill', 'fetch', '-o', 'x'], [], FILES),
      row(['bill', 'fetch', '--out=x'], [], 'files\t--out='),
      row(['bill', 'status', ''], [], 'directories'),
      row(['bill', 'status', '-o', ''], [], 'directories'),
      row(['sign', '@a b'], [], 'files\t@'),
      row(['sign', '-F', 'k=@a'], [], 'files\tk=@'),
      row(['gql', '--variables=@a'], [], 'files\t--variables=@'),
      row(['sign', '-F', 'a\n=@b']),
      // Dates, in the time zone of the profile.
      row(['bill', 'fetch', ''], DAYS),
      row(['bill', 'fetch', '2026-11-19', ''], DAYS),
      row(['-p', 'us', 'bill', 'fetch', '--from', ''], ['yesterday', '2026-11-05', '…']),
      row(['bill', 'compare', ''], DAYS, FILES),
      row(['-p', 'missing', 'bill', 'fetch', '']),
      // Profiles and settings.
      row(['-p', ''], ['a', 'us', 'b c', '上海']),
      row(['--profile=上'], ['--profile=上海']),
      row(['config', 'use', ''], ['a', 'us', 'b c', '上海']),
      row(['config', 'get', ''], ['environment', '…']),
      row(['config', 'set', 'mode', ''], ['documented', 'body', 'header']),
      row(['config', 'set', 'bill_ready_time', ''], ['10:00']),
      row(['config', 'set', 'timezone', ''], ['Asia/Shanghai', '…']),
      row(['config', 'set', 'bill_dir', ''], [], FILES),
      row(['config', 'set', 'constructor', '']),
      // Readings.
      row(['sign', 'verify', '--reading', 'w'], ['window='], 'nospace'),
      row(['sign', 'verify', '--reading', 'window='], ['window=calendar', 'window=90d']),
      row(
        ['sign', 'verify', '--reading=window='],
        ['--reading=window=calendar', '--reading=window=90d'],
      ),
      // Columns.
      row(['bill', 'summary', at('bill.csv'), '--by', ''], COLUMNS),
      row(['bill', 'summary', '-o', directory, 'yesterday', '--sum', ''], COLUMNS),
      row(['bill', 'summary', directory, '--sum', ''], COLUMNS),
      row(
        ['bill', 'summary', at('bill.csv'), '--where', ''],
        COLUMNS.map((column) => `${column}=`),
        'nospace',
      ),
      row(['bill', 'summary', at('bill.csv'), '--where', 'city=']),
      row([...compare, '--key', ''], COLUMNS),
      row([...compare, '--amount', '金额='], ['金额=id', '金额=总额']),
      row([...compare, '--records-where', ''], ['id=', '总额='], 'nospace'),
      row(
        [...compare, '--records-where='],
        ['--records-where=id=', '--records-where=总额='],
        'nospace',
      ),
      row([...compare, '--out', 'x', '--key=金额='], ['--key=金额=id', '--key=金额=总额']),
      row(['bill', 'summary', at('none.csv'), '--by', '']),
      row(['bill', 'summary', at('page.html'), '--by', '']),
      row(['bill', 'summary', at('pipe'), '-o', at('none'), '--by', '']),
      row(['bill', 'compare', '--with', at('pipe'), '--key', 'a=']),
      row(['bill', 'compare', '--key', 'a=']),
      // Not options of this call.
      row([], ['sign', '…']),
      row(['--version', '--help', 'bill', ''], SUBCOMMANDS),
      row(['--max-time', '0', 'bill', ''], SUBCOMMANDS),
    ];
    await checkRows(rows, async ({ words, head = 'words', values = [] }) => {
      const { code, stdout, stderr } = await mop(['__complete', ...words], { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const [first, ...lines] = stdout.split('\n').slice(0, -1);
      const found = lines.map((line) => line.split('\t')[0]);
      const isPart = values.at(-1) === '…';
      const shown = isPart ? [...found.slice(0, values.length - 1), '…'] : found;
      expect([first, ...shown]).toEqual([head, ...values]);
    });
  });

  it('describes commands, options, profiles and settings', async () => {
    const { env } = await configuration(CONFIG);
    const answer = async (...words: string[]) =>
      (await mop(['__complete', ...words], { env })).stdout;
    expect(await answer('')).toContain('\nversion\tPrint the version, like --version.\n');
    expect(await answer('version', '--')).toContain('\n--json\twrite JSON\n');
    expect(await answer('-p', '')).toContain('\nb c\ttest\n');
    expect(await answer('config', 'get', '')).toContain('\nmode\tsignature mode:');
    expect(await answer('errors', '')).toContain('\n1002\tAuthentication error\n');
  });

  it('is silent about a damaged configuration, and runs no command for the secret', async () => {
    const damaged = await configuration('{');
    const commanded = await configuration({ profiles: { a: { api_secret_command: 'exit 1' } } });
    const open = await configuration({ profiles: { a: { api_secret: 'x' } } }, 0o644);
    for (const { env } of [damaged, open]) {
      const result = await mop(['__complete', '-p', ''], { env });
      expect(result).toMatchObject({ code: 0, stdout: 'words\n', stderr: '' });
    }
    const { stdout } = await mop(['__complete', 'bill', 'fetch', '-p', ''], commanded);
    expect(stdout).toBe('words\na\tproduction\n');
  });

  it('survives a closed pipe, and does not read standard input', async () => {
    const stdin = new PassThrough();
    const result = await mop(['__complete', 'sign', '-', ''], { stdin, stdoutError: 'EPIPE' });
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not mentioned in the help or in a suggestion', async () => {
    const { stdout } = await mop(['help', '--json']);
    expect(stdout).not.toContain('__complete');
    expect((await mop(['__complet'])).stderr).not.toContain('__complete');
  });
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
