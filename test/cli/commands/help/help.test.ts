/** The content of the help, for every command. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../../src/cli/commands/help/help.run.ts';
import { MOP } from '../../../../src/cli/commands.ts';
import { SETTINGS, type SettingSpec } from '../../../../src/cli/context/setting-keys.ts';
import { EXIT_CODES } from '../../../../src/cli/exit-codes.ts';
import { readTree, type TreeCommand } from '../../../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../../../src/cli/frame/program.ts';
import { type FailureCode, MopError } from '../../../../src/errors.ts';
import { calledCommand, mop } from '../../../support/cli.ts';
import { testTable } from '../../../support/rows.ts';
import { expectFailure } from '../../support.ts';

const tree = readTree(buildProgram(MOP));
const commands = tree.commands.map((command) => ({ path: command.path, command }));

const pathOf = ({ path }: { readonly path: string }): string => path;

/** The words after `mop`. */
function wordsOf(path: string): string[] {
  return path.split(' ').slice(1);
}

/** The groups: commands that only contain subcommands. */
const GROUPS = ['mop', 'mop bill', 'mop account', 'mop config'];

/** The options in the help of a command. Only the help of the program lists `--help`. */
function listedOptions({ path, options }: TreeCommand): TreeCommand['options'] {
  if (path === tree.name) return [...tree.globals, ...options];
  return options.filter(({ names }) => !names.includes('--help'));
}

/** The joined lines below each heading of a help. */
function sectionsOf(help: string): Map<string, string> {
  const sections = new Map<string, string>();
  let heading = '';
  for (const line of help.split('\n')) {
    if (/^\S.*:$/.test(line)) heading = line.slice(0, -1);
    else sections.set(heading, `${sections.get(heading) ?? ''} ${line.trim()}`);
  }
  return sections;
}

/** A text without the line ends of wrapping. */
function joined(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe('every command', () => {
  testTable('has a description', commands, pathOf, ({ command }) => {
    expect(command.description).toMatch(/^[A-Z].*[^.]\.$/);
    for (const { name, description } of command.arguments) {
      expect(description, name).toMatch(/^\S.*[^.\s]$/);
    }
    for (const { names, description } of listedOptions(command)) {
      expect(description, names.join()).toMatch(/^\S.*[^.\s]$/);
    }
  });

  testTable('lists its options in groups', commands, pathOf, ({ command }) => {
    const groups = new Set(command.options.map(({ group }) => group));
    expect(groups.size).toBeGreaterThan(command.options.length > 8 ? 1 : 0);
    for (const group of groups) expect(group).toMatch(/^[A-Z][a-z ]+$/);
  });

  testTable('has examples', commands, pathOf, ({ command }) => {
    const { path, examples } = command;
    expect(new Set(examples).size).toBeGreaterThanOrEqual(2);
    for (const example of examples) {
      const called = [...example.matchAll(/(?<![\w-])mop((?: [a-z-]+)*)/g)].map(
        ([, words = '']) => calledCommand(words.split(' ').slice(1), tree).path,
      );
      const isOwn = (other: string): boolean =>
        GROUPS.includes(path) ? other.startsWith(`${path} `) : other === path;
      expect(called.some(isOwn), example).toBe(true);
    }
  });

  testTable(
    'prints arguments, options, notes and examples in its help',
    commands,
    pathOf,
    async ({ path, command }) => {
      const { code, stdout, stderr } = await mop([...wordsOf(path), '--help'], { columns: 100 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.startsWith(`Usage: ${command.usage}\n\n${command.description}\n\n`)).toBe(true);
      const sections = sectionsOf(stdout);
      for (const { name, description } of command.arguments) {
        expect(sections.get('Arguments')).toMatch(termPattern(name));
        expect(sections.get('Arguments')).toContain(description);
      }
      for (const { names, description, group, value } of listedOptions(command)) {
        expect(sections.get(group)).toMatch(termPattern(names.join(', ')));
        expect(sections.get(group)).toContain(description);
        if (Array.isArray(value?.kind)) expect(value.kind).not.toHaveLength(0);
      }
      for (const { name, description } of command.commands) {
        expect(sections.get('Commands')).toMatch(termPattern(name));
        expect(sections.get('Commands')).toContain(description);
      }
      for (const note of command.notes) expect(joined(stdout)).toContain(joined(note));
      expect(joined(stdout)).toContain(` Examples: ${command.examples.join(' ')} `);
      const codes = command.exitCodes.map(({ code, name }) => `${code} ${name}`);
      // A group has only the common codes.
      const isGroup = command.commands.length > 0 && codes.length === COMMON_CODES;
      const exitCodes = isGroup ? 'mop help exit-codes' : codes.join(', ');
      expect(joined(stdout)).toContain(` Exit codes: ${exitCodes} `);
    },
  );

  /** 0, 1, 2, 13, 130 and 143. */
  const COMMON_CODES = 6;

  /** Matches a term between white space. */
  function termPattern(term: string): RegExp {
    return new RegExp(`(?:^|\\s)${term.replace(/[^\w\s]/g, '\\$&')}(?:\\s|$)`);
  }

  testTable('has distinct exit codes in ascending order', commands, pathOf, ({ path, command }) => {
    const codes = command.exitCodes.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
    expect(codes).toEqual(expect.arrayContaining([0, 1, 2, 13, 130, 143]));
    // A group only prints its help.
    if (GROUPS.includes(path)) expect(codes).toHaveLength(6);
    const known = { ok: 0, ...EXIT_CODES };
    for (const { code, name } of command.exitCodes) {
      expect(known[name as keyof typeof known], name).toBe(code);
    }
  });

  testTable('has the same help for --help, -h and mop help', commands, pathOf, async ({ path }) => {
    const words = wordsOf(path);
    const { stdout } = await mop([...words, '--help']);
    expect((await mop([...words, '-h'])).stdout).toBe(stdout);
    expect((await mop(['help', ...words])).stdout).toBe(stdout);
    // Help is printed even if arguments are missing or invalid.
    expect((await mop([...words, '--help', '--env', 'sandbox', 'x', 'y'])).stdout).toBe(stdout);
    if (GROUPS.includes(path)) expect((await mop(words)).stdout).toBe(stdout);
  });

  testTable('has the same help as JSON', commands, pathOf, async ({ path, command }) => {
    const { code, stdout, stderr } = await mop(['help', ...wordsOf(path), '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { exitCodes, ...rest } = command;
    const shown = JSON.parse(stdout);
    // The help of the program contains all commands.
    const own = path === tree.name ? shown.commands[0] : shown;
    expect(own).toEqual(JSON.parse(JSON.stringify({ ...rest, exit_codes: exitCodes })));
  });
});

describe('the called command', () => {
  // Every test that runs a command in this process depends on it: see mop() in test/support/cli.ts.
  it.each([
    { argv: [], path: 'mop' },
    { argv: ['--env', 'sandbox', 'bill'], path: 'mop bill' },
    { argv: ['--env=sandbox', '-q', 'bill', '-v', 'fetch', 'yesterday'], path: 'mop bill fetch' },
    { argv: ['-qp', 'bill', 'sign'], path: 'mop sign' },
    { argv: ['-pbill', 'sign'], path: 'mop sign' },
    { argv: ['sign', '--mode', 'verify', 'explain'], path: 'mop sign explain' },
    { argv: ['sign', '{}', 'explain'], path: 'mop sign' },
    // In commander, -- only ends the options.
    { argv: ['sign', '--', 'explain'], path: 'mop sign explain' },
    { argv: ['detect', '-', '--lines'], path: 'mop detect' },
    { argv: ['bil', 'fetch'], path: 'mop' },
  ])('$argv: $path', ({ argv, path }) => {
    expect(calledCommand(argv, tree).path).toBe(path);
  });
});

describe('width', () => {
  testTable(
    'is not exceeded, and no word is split',
    commands,
    pathOf,
    async ({ path, command }) => {
      // From 80 columns on, an example is one line, which can be copied.
      const isExample = (line: string): boolean => command.examples.includes(line.trim());
      const help = async (columns: number): Promise<string> =>
        (await mop([...wordsOf(path), '--help'], { columns })).stdout;
      const words = (await help(100)).split(/\s+/);
      for (const columns of [40, 60, 80, 81, 200]) {
        const shown = await help(columns);
        // A single long word cannot be broken.
        const isBreakable = (line: string): boolean => /\S\s+\S/.test(line);
        const lines = shown.split('\n').filter((line) => isBreakable(line) && !isExample(line));
        expect(lines.filter((line) => line.length > Math.min(columns, 100))).toEqual([]);
        expect(shown.split(/\s+/)).toEqual(words);
      }
    },
  );

  it('allows longer lines on a wide terminal, up to 100 columns', async () => {
    const longest = async (columns: number): Promise<number> => {
      const { stdout } = await mop(['sign', '--help'], { columns });
      return Math.max(...stdout.split('\n').map((line) => line.length));
    };
    expect(await longest(200)).toBeGreaterThan(await longest(80));
    expect(await longest(200)).toBe(await longest(100));
  });

  // Lines of a table, and lines to copy, must not be broken.
  const tables = commands.flatMap(({ path, command }) => {
    const lines = command.notes.filter((note) => note.includes('\n')).join('\n');
    return lines === '' ? [] : [{ path, lines }];
  });
  testTable('80 columns are enough for the table of each command', tables, pathOf, ({ lines }) => {
    expect(lines.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  // `scheduling` is missing: its files are copied with their lines unchanged.
  it.each(['exit-codes', 'environment', 'signing', 'readings', 'settings'])(
    'is at most 80 columns for mop help %s',
    async (topic) => {
      const { stdout } = await mop(['help', topic]);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );
});

describe('colour', () => {
  const pages = [
    { argv: [] },
    { argv: ['--help'] },
    { argv: ['help'] },
    { argv: ['bill'] },
    { argv: ['bill', 'help', 'fetch'] },
    { argv: ['bill', 'fetch', '--help'] },
    { argv: ['help', 'bill', 'fetch'] },
    { argv: ['help', 'exit-codes'] },
    { argv: ['help', 'signing'] },
    { argv: ['gql', 'help', 'kinds'] },
  ];

  const worlds = [
    { terminal: true, env: {}, wanted: true },
    { terminal: true, env: { NO_COLOR: '' }, wanted: true },
    { terminal: true, env: { NO_COLOR: '1' }, wanted: false },
    { terminal: true, env: { TERM: 'dumb' }, wanted: false },
    { terminal: true, env: { FORCE_COLOR: '0' }, wanted: false },
    { terminal: true, env: {}, flag: '--no-color', wanted: false },
    { terminal: false, env: {}, wanted: false },
    { terminal: false, env: { FORCE_COLOR: '1' }, wanted: true },
    { terminal: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, wanted: true },
    { terminal: false, env: { FORCE_COLOR: '1' }, flag: '--no-color', wanted: false },
  ];

  it.each(worlds)('terminal $terminal, $env, $flag: $wanted', async (world) => {
    for (const { argv } of pages) {
      const { stdout: plain } = await mop(argv);
      expect(plain).toBe(stripVTControlCharacters(plain));
      const words = world.flag ? [...argv, world.flag] : argv;
      const { env, terminal: stdoutIsTerminal } = world;
      const { stdout } = await mop(words, { env, stdoutIsTerminal });
      expect(stdout !== plain, words.join(' ')).toBe(world.wanted);
      expect(stripVTControlCharacters(stdout)).toBe(plain);
    }
  });
});

describe('mop help exit-codes', () => {
  /** The table of section 1 of the contract: the name of each code, and whether to retry. */
  const CONTRACT: readonly (readonly [code: number, name: string, retry: string])[] = [
    [0, 'ok', ''],
    [1, 'failure', 'no'],
    [2, 'usage', 'no'],
    [3, 'config', 'no'],
    [4, 'auth', 'no'],
    [5, 'api', 'no'],
    [6, 'network', 'yes'],
    [7, 'integrity', 'yes'],
    [8, 'not-ready', 'later'],
    [9, 'no-bill', 'no'],
    [10, 'risk', 'no'],
    [11, 'unhealthy', 'later'],
    [12, 'mixed', ''],
    [13, 'io', 'no'],
    [14, 'graphql', 'no'],
    [15, 'differs', 'no'],
    [130, 'interrupted', ''],
    [143, 'terminated', ''],
  ];

  it('lists exactly the codes of the contract', async () => {
    expect(Object.entries(EXIT_CODES).map(([name, code]) => [code, name])).toEqual(
      expect.arrayContaining(CONTRACT.slice(1).map(([code, name]) => [code, name])),
    );
    const { stdout } = await mop(['help', 'exit-codes', '--json']);
    const shown: { code: number; name: string; retry: string }[] = JSON.parse(stdout).exit_codes;
    expect(shown.map(({ code, name, retry }) => [code, name, retry])).toEqual(CONTRACT);
  });

  it('agrees with the errors of the library about retries', () => {
    for (const name of Object.keys(EXIT_CODES) as FailureCode[]) {
      const [, , retry = ''] = CONTRACT.find((row) => row[1] === name) ?? [];
      expect([name, new MopError(name, '').retryable]).toEqual([name, /yes|later/.test(retry)]);
    }
  });

  it('has a line for each, with its meaning', async () => {
    const { stdout } = await mop(['help', 'exit-codes']);
    const document = await mop(['help', 'exit-codes', '--json']);
    const meanings = new Map<number, string>(
      JSON.parse(document.stdout).exit_codes.map((each: { code: number; meaning: string }) => [
        each.code,
        each.meaning,
      ]),
    );
    for (const [code, name, retry] of CONTRACT) {
      const [line = ''] = stdout.split('\n').filter((line) => line.startsWith(`${code} `));
      expect(meanings.get(code)).toMatch(/\w/);
      expect(line.split(/ {2,}/)).toEqual(
        [`${code}`, name, retry, meanings.get(code)].filter((cell) => cell !== ''),
      );
    }
  });
});

describe('mop help environment', () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));

  /** Variables of the operating system: the locale, the terminal, the data directory of Windows. */
  const NOT_OURS = ['LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TERM', 'LOCALAPPDATA'];
  /** Variables that Node reads, and one that only a table of the source contains. */
  const BY_NODE = ['NODE_DISABLE_COMPILE_CACHE', 'XDG_CONFIG_HOME'];

  /** The variables that occur in the source. */
  function variablesRead(): Set<string> {
    const files = ['src', 'bin'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[tj]s$/.test(name))
        .map((name) => readFileSync(join(root, folder, name), 'utf8')),
    );
    const source = files.join('\n');
    const found = [
      ...Object.values<SettingSpec>(SETTINGS).map(({ variable = '' }) => variable),
      // env.NAME
      ...[...source.matchAll(/\benv\.(\w+)/g)].map(([, name = '']) => name),
      // { NAME, OTHER: name } = env, or such a parameter.
      ...[...source.matchAll(/\{([^{}]*)\}(?: = [\w.]*\benv;|: [\w[\]'.]+\['env'\])/g)].flatMap(
        ([, names = '']) => names.split(',').map((each) => each.trim().replace(/\W.*/s, '')),
      ),
    ];
    const isVariable = (name: string): boolean => /^(?:[A-Z][A-Z\d_]+|[a-z]+_proxy)$/.test(name);
    // The variables of proxies have a second name in lower case.
    return new Set(found.filter(isVariable).map((name) => name.toUpperCase()));
  }

  it('lists exactly the variables that are read', async () => {
    const { stdout } = await mop(['help', 'environment', '--json']);
    const { variables }: { variables: { variable: string; meaning: string }[] } =
      JSON.parse(stdout);
    const listed = variables.map(({ variable }) => variable);
    expect(new Set(listed).size).toBe(listed.length);
    const read = variablesRead();
    // The search must find these.
    expect([...read]).toEqual(expect.arrayContaining(['MOP_PROFILE', 'MOP_API_KEY', 'MOP_AI_KEY']));
    expect([...read].filter((name) => !NOT_OURS.includes(name)).sort()).toEqual(
      listed.filter((name) => !BY_NODE.includes(name)).sort(),
    );
    for (const name of NOT_OURS) expect(read).toContain(name);
  });

  it('explains each variable', async () => {
    const { stdout } = await mop(['help', 'environment']);
    const document = await mop(['help', 'environment', '--json']);
    for (const { variable, meaning } of JSON.parse(document.stdout).variables) {
      expect(meaning).toMatch(/\w/);
      expect(stdout).toMatch(new RegExp(`^${variable} {2,}\\S`, 'm'));
      expect(joined(stdout)).toContain(` ${variable} ${meaning} `);
    }
  });

  it('contains only existing options', async () => {
    const { stdout } = await mop(['help', 'environment']);
    const known = tree.globals.flatMap(({ names }) => names);
    for (const [option] of stdout.matchAll(/--[a-z-]+/g)) expect(known).toContain(option);
  });
});

describe('mop help settings', () => {
  const specs = Object.entries<SettingSpec>(SETTINGS);

  it('has every setting with meaning, default, variable and flag', async () => {
    const document = JSON.parse((await mop(['help', 'settings', '--json'])).stdout);
    expect(document.settings).toEqual(
      specs.map(([key, { meaning, fallback = null, variable = null, flag = null }]) => {
        return { key, meaning, default: fallback, variable, flag };
      }),
    );
    const text = joined((await mop(['help', 'settings'])).stdout);
    for (const [key, { meaning, fallback, variable, flag }] of specs) {
      const sources = [...(fallback ? [`default ${fallback}`] : []), variable, flag];
      expect(text).toContain([` ${key} ${meaning}`, sources.filter(Boolean).join(', ')].join(' '));
    }
  });

  it('contains only existing flags', () => {
    const options = [tree.globals, ...tree.commands.map(({ options }) => options)].flat();
    const known = options.flatMap(({ names }) => names);
    for (const [, { flag = '--env' }] of specs) expect(known).toContain(flag);
  });

  it('is a table in docs/configuration.md', () => {
    const page = readFileSync(
      new URL('../../../../docs/configuration.md', import.meta.url),
      'utf8',
    );
    const code = (text: string | undefined): string => (text ? `\`${text}\`` : '');
    const rows = specs.map(([key, { meaning, fallback, variable, flag }]) => {
      const others = [variable, flag].filter(Boolean).map(code).join(', ');
      return `| ${code(key)} | ${meaning} | ${code(fallback)} | ${others} |`;
    });
    expect(page).toContain(`\n${rows.join('\n')}\n`);
  });
});

describe('topics', () => {
  const names = TOPICS.map(({ name }) => name);

  it('are those of the contract, and the help lists them', async () => {
    expect(names).toEqual([
      'exit-codes',
      'environment',
      'signing',
      'scheduling',
      'settings',
      'readings',
    ]);
    for (const argv of [['--help'], ['help', 'help']]) {
      const { stdout } = await mop(argv);
      expect(stdout).toContain(`Topics: ${names.join(', ')}`);
    }
  });

  it.each(names)('%s begins with its title', async (topic) => {
    const { code, stdout, stderr } = await mop(['help', topic]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^[A-Z][^\n]*[^.\n]\n\n\S/);
    expect(stdout).toMatch(/\S\n$/);
    expect(stdout.split('\n').filter((line) => /[ \t]$/.test(line))).toEqual([]);
  });

  it.each(names)('%s is one JSON document', async (topic) => {
    const { code, stdout, stderr } = await mop(['help', topic, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { title, text, ...rest } = JSON.parse(stdout);
    expect(rest.topic).toBe(topic);
    expect((await mop(['help', topic])).stdout).toBe(`${title}\n\n${text}\n`);
  });

  it.each(TOPICS)('$name fits a terminal of 40 columns, except for commands', async (topic) => {
    const world = { stdoutIsTerminal: true, columns: 40 };
    const { stdout } = await mop(['help', topic.name, '--no-color'], world);
    const wide = stdout.split('\n').filter((line) => line.length > 40 && !/^ {2,}/.test(line));
    expect(wide).toEqual([]);
    const words = (text: string) => text.split(/\s+/).join(' ');
    expect(words(stdout)).toBe(words(`${topic.title} ${topic.text}\n`));
  });

  it.each(TOPICS)('$name contains only existing commands and options', ({ text }) => {
    const known = tree.commands.flatMap(({ options }) => options).concat(tree.globals);
    const options = new Set(known.flatMap((option) => option.names));
    // Options of other programs are not checked, such as `systemctl enable --now`.
    for (const [line] of text.matchAll(/\bmop [a-z][^\n`"]*/g)) {
      for (const [option] of line.matchAll(/(?<=\s)--[a-z-]+/g)) expect(options).toContain(option);
      const words = wordsOf(line.replace(/\s+[^a-z\s].*|,.*/s, ''));
      expect(calledCommand(words, tree).path).not.toBe('mop');
    }
  });

  it('signing explains the steps of mop sign', async () => {
    // The steps of the topic for its own example, without the code of mop.
    const { stdout } = await mop(['sign', '{"bill_type":0}', '--env', 'sandbox', '--json']);
    const { canonical, body } = JSON.parse(stdout);
    const fields = Object.entries(JSON.parse(body)).filter(([name]) => name !== 'sign');
    const pairs = fields.map(([name, value]) => `${name}=${value}`);
    expect(pairs).toHaveLength(5);
    expect(canonical).toBe(pairs.sort().join('&'));
    const { text = '' } = TOPICS.find(({ name }) => name === 'signing') ?? {};
    for (const name of ['api_key', 'seq_id', 'timestamp', 'nonce']) {
      expect(text).toContain(name);
      expect(canonical).toContain(`${name}=`);
    }
  });
});

describe('mop help', () => {
  it.each([[[]], [['--help']], [['-h']]])('is the same as mop %j', async (argv) => {
    expect(await mop(['help'])).toEqual(await mop(argv));
  });

  it.each([
    { argv: ['bill', 'help'], same: ['bill', '--help'] },
    { argv: ['bill', 'help', 'fetch'], same: ['bill', 'fetch', '--help'] },
    { argv: ['config', 'help', 'set'], same: ['help', 'config', 'set'] },
    { argv: ['help', '--quiet', 'bill', 'fetch'], same: ['help', 'bill', 'fetch'] },
    { argv: ['help', 'help'], same: ['help', '--help'] },
    { argv: ['help', 'gql', 'help'], same: ['gql', 'help', '--help'] },
  ])('$argv is the same as $same', async ({ argv, same }) => {
    const { code, stdout, stderr } = await mop(argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe((await mop(same)).stdout);
  });

  it.each([
    { argv: ['help', 'exit-code'], intended: 'exit-codes' },
    { argv: ['help', 'enviroment'], intended: 'environment' },
    { argv: ['help', 'singing'], intended: 'signing' },
    { argv: ['help', 'detct'], intended: 'detect' },
    { argv: ['help', 'BILL'], intended: 'bill' },
    { argv: ['help', 'bill', 'fetsh'], intended: 'fetch' },
    { argv: ['help', 'config', 'delete-profil'], intended: 'delete-profile' },
  ])('$argv suggests $intended', async ({ argv, intended }) => {
    const word = argv.at(-1) ?? '';
    expectFailure(await mop(argv), 2, JSON.stringify(word), `did you mean ${intended}?`);
    const result = await mop([...argv, '--json']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(result.stderr).error).toMatchObject({ code: 'usage', exit_code: 2 });
  });

  it.each([
    { argv: ['help', 'xyzzy'], hint: 'exit-codes, environment, signing, scheduling, settings' },
    { argv: ['help', ''], hint: 'scheduling' },
    { argv: ['help', 'bill', 'xyzzy'], hint: '' },
    { argv: ['help', 'bill', 'fetch', 'xyzzy'], hint: '' },
    { argv: ['help', 'mop'], hint: '' },
    { argv: ['help', 'constructor'], hint: '' },
  ])('$argv fails', async ({ argv, hint }) => {
    const word = argv.at(-1) ?? '';
    expectFailure(await mop(argv), 2, JSON.stringify(word), hint);
  });

  it('reports the full name of a command without subcommands', async () => {
    expectFailure(await mop(['help', 'bill', 'fetch', 'x']), 2, 'mop bill fetch has no command');
  });

  it('has a hint for a command without subcommands', async () => {
    const { stderr } = await mop(['help', 'bill', 'fetch', 'x']);
    expect(stderr).toMatch(/\nhint: .*[^ ]\n$/);
  });

  it('explains that a topic has no subtopics', async () => {
    const result = await mop(['help', 'exit-codes', 'x']);
    expectFailure(result, 2, 'the topic exit-codes has no subtopics', 'mop help exit-codes');
  });

  // For an unknown word, commander alone would print the help of the group without an error.
  it.each([[['bill', 'help', 'fetsh']], [['config', 'help', 'xyzzy']]])('%j fails', async (argv) =>
    expectFailure(await mop(argv), 2, argv.at(-1) ?? ''),
  );
});
