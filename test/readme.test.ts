import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { expect, it, onTestFinished } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { EXIT_CODES } from '../src/cli/exit-codes.ts';
import { buildProgram } from '../src/cli/frame/program.ts';
import { shellWords } from '../src/signing/capture/shell-words.ts';
import { mop, temporaryDirectory } from './support/cli.ts';
import { sandbox } from './support/platform.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
/** The README and the pages that belong to it. */
const manual = pages
  .filter(({ name }) => !/^docs\/.*\//.test(name))
  .map(({ text }) => text)
  .join('\n');

it('has no link that leads nowhere', () => {
  const broken = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(name), link)))
      .map((link) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('has for each promise what shows it, which is run', () => {
  const [, table = ''] = /\| promise \| shown by \|\n\|.*\n((?:\|.*\n)+)/.exec(readme) ?? [];
  const rows = table.trim().split('\n');
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const shown = [...row.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const files = shown.filter((link) => /^test\/.*\.test\.ts$|^bench\/.*\.js$/.test(link));
    expect(files, row).not.toEqual([]);
  }
});

it('links every page of docs in the README, or in the README of its folder', () => {
  for (const { name } of pages.filter(({ name }) => name.startsWith('docs/'))) {
    const inFolder = dirname(name) !== 'docs' && !name.endsWith('/README.md');
    const index = inFolder ? readFileSync(join(root, dirname(name), 'README.md'), 'utf8') : readme;
    expect(index).toContain(`](${inFolder ? basename(name) : name})`);
  }
});

it('lists in the contract the commands and options that are not implemented', async () => {
  const program = await buildProgram(MOP);
  const tree = [program, ...program.commands.flatMap((group) => [group, ...group.commands])];
  const optionsOf = (commands: readonly Command[]) =>
    commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
  const contract = readFileSync(join(root, 'docs/contract.md'), 'utf8').split('\n');
  const list = contract.filter((line) => line.startsWith('>')).join('\n');
  const rules = contract.filter((line) => !line.startsWith('>')).join('\n');

  const implemented = new Set([...optionsOf(tree), '--help', '--version', '--secret']);
  const missing = new Set(rules.match(/--[a-z]+(?:-[a-z]+)*/g)?.filter((o) => !implemented.has(o)));
  for (const option of missing) expect(list).toContain(option);

  for (const [, words = ''] of list.matchAll(/`mop ([^`]+)`/g)) {
    let commands: readonly Command[] = [program];
    for (const word of words.split(' ').filter((word) => !word.startsWith('-'))) {
      commands = commands.flatMap((c) => c.commands).filter((child) => child.name() === word);
    }
    const [option] = /--\S+/.exec(words) ?? [];
    if (option) expect(optionsOf(commands), words).not.toContain(option);
    else expect(commands, words).toEqual([]);
  }
});

it('has a library example that runs', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(manual) ?? [];
  const { env } = await sandbox([], { now: Date.now });
  const target = join(await temporaryDirectory(), 'bill.csv');
  const code = example
    .replace('http://127.0.0.1:7800', env.MOP_BASE_URL ?? '')
    .replace("'bill.csv'", JSON.stringify(target))
    // The sandbox has the bills of three months before today.
    .replace('2026-11-19', new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', code],
    { cwd: root },
  );
  expect(stdout).toMatch(/^[0-9A-F]{32} downloaded true api_key=sandbox&lat=30\.10&lon=120\.0&/);
  expect(readFileSync(target, 'utf8')).toMatch(/^order_id,/);
});

it('lists every command and every exit code', async () => {
  const commands = buildProgram(MOP).commands.map((command) => command.name());
  for (const name of commands) expect(readme).toContain(`\`mop ${name} `.trimEnd());
  const table = readme.slice(readme.indexOf('| exit code |'));
  for (const code of Object.values(EXIT_CODES)) {
    expect(table).toMatch(new RegExp(`^\\|.*\\b${code}\\b`, 'm'));
  }
});

it('shows a diagnosis as it is printed', async () => {
  const [, request = '', command = '', printed] =
    /\$ cat request\.json\n(.*)\n\n\$ mop (sign verify .*)\n([^`]*)```/.exec(manual) ?? [];
  const argv = command.replace('@request.json', '-').split(' ');
  const { code, stdout } = await mop(argv, { stdin: request });
  expect(code).toBe(4);
  expect(stdout).toBe(printed);
});

it('shows an answer as it is printed', async () => {
  const [, command = '', printed] = /\$ mop (call \/user\/sync -F .*)\n(.*\n)/.exec(manual) ?? [];
  const { stdout } = await mop(command.split(' '));
  expect(stdout).toBe(printed);
});

it('shows a detection as it is printed', async () => {
  const [, text = '', printed] =
    /\$ mop detect "(.*)" --env sandbox\n([^`]*)```/.exec(manual) ?? [];
  const argv = ['detect', text, '--env', 'sandbox'];
  const { stdout } = await mop(argv, { env: { LANG: 'C.UTF-8' } });
  expect(stdout).toBe(printed);
});

/** The commands of a transcript about bills, each with what it prints. */
const transcripts = ['README.md', 'docs/bills.md'].map((name) => {
  const text = pages.find((page) => page.name === name)?.text ?? '';
  const blocks = [...text.matchAll(/```console\n(\$ mop bill fetch [^`]*)```/g)];
  const commands = blocks.flatMap(([, block = '']) =>
    [...block.matchAll(/^\$ mop (.*)\n((?:(?!\$).*\n)*)/gm)].map(([, command = '', printed]) => ({
      command,
      printed,
    })),
  );
  return { name, commands };
});

it.each(transcripts)(
  '$name shows what the commands print, from fetch to difference',
  async ({ commands }) => {
    expect(commands.map(({ command }) => command).join('\n')).toContain('bill compare');
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(await temporaryDirectory());
    for (const { command, printed } of commands) {
      const [words = '', file] = command.split(' > ');
      const { stdout, stderr } = await mop(words.split(' '));
      if (file !== undefined) await writeFile(file, stdout);
      expect((file === undefined ? stdout : '') + stderr, command).toBe(printed);
    }
  },
);

const operations = [...manual.matchAll(/\$ mop (gql .*--env sandbox.*)\n((?:[^$`\n].*\n)+)/g)].map(
  ([, command = '', printed = '']) => ({ command, printed }),
);

it('shows operations of GraphQL', () => expect(operations).toHaveLength(3));

it.each(operations)('shows what it prints: $command', async ({ command, printed }) => {
  const { stdout, stderr } = await mop(shellWords(command, 0).words);
  expect(stdout + stderr).toBe(printed);
});

it('counts the rules as they are', async () => {
  const { stdout } = await mop(['health', '--env', 'sandbox', '--json']);
  expect(manual).toContain(`${JSON.parse(stdout).rules} rules in twelve families`);
});
