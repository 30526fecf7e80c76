/** Tests the structure of the pages in docs/, and compares their facts with the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { MOP } from '../../src/cli/commands.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { readTree } from '../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../src/cli/frame/program.ts';
import { calledCommand, mop } from '../support/cli.ts';
import { shellWords } from '../support/shell-words.ts';
import {
  ROOT,
  readBlocks,
  readPage,
  TASK_PAGES,
  withoutCode,
  withoutGenerated,
} from './support/read-page.ts';

describe.each(TASK_PAGES)('$name', ({ text }) => {
  it('starts with a task and its command', () => {
    const lines = text.split('\n');
    expect(lines[0]).toMatch(/^# \S/);
    expect(lines[2]).toMatch(/^To .*[:.]$/);
    expect(lines.slice(2, 10).join('\n')).toMatch(/^```|`mop /m);
  });

  it('ends with a section on troubleshooting', () => {
    const last = text.slice(text.lastIndexOf('\n## ') + 1);
    expect(last).toMatch(/^## Troubleshooting\n/);
    expect(last).toContain('| symptom | cause | do this |');
    expect(last.match(/^\|(?: .* \|){3}$/gm)?.length).toBeGreaterThan(3);
  });

  it('names only existing commands and options', () => {
    const tree = readTree(buildProgram(MOP));
    const topLevel = tree.commands.map(({ path }) => path.split(' ')[1]);
    for (const [, code = ''] of withoutCode(text).matchAll(/`(mop [^`]+)`/g)) {
      if (/[…]|COMMAND|TOPIC/.test(code)) continue;
      const [, ...argv] = shellWords(code.replaceAll('\\|', '|'));
      if (!argv[0]?.startsWith('-')) expect(topLevel, code).toContain(argv[0]);
      const { options } = calledCommand(argv, tree);
      const known = [...tree.globals, ...options].flatMap(({ names }) => names);
      for (const word of argv.filter((word) => /^--?[a-z]/.test(word))) {
        expect([...known, '--help', '--version'], code).toContain(word.replace(/=.*/, ''));
      }
    }
  });

  it('writes each program into a file that a command runs', () => {
    const commands = readBlocks(text)
      .filter(({ language }) => /^(?:console|sh)$/.test(language))
      .map(({ code }) => code);
    for (const { language, code } of readBlocks(withoutGenerated(text))) {
      if (!/^(?:js|ts|javascript|typescript)$/.test(language)) continue;
      const [, file] = /^\/\/ (\S+)\n/.exec(code) ?? [];
      expect(file, code).toBeDefined();
      expect(commands.join('')).toContain(`node ${file}\n`);
    }
  });
});

it('lists every exit code in docs/exit-codes.md', () => {
  const { text } = readPage('docs/exit-codes.md');
  const rows = [...text.matchAll(/^\| (\d+) \| ([a-z-]+) \|/gm)].map(([, code, name]) => [
    name,
    Number(code),
  ]);
  expect(Object.fromEntries(rows)).toEqual({ ok: 0, ...EXIT_CODES });
});

it('counts the rules of detection in docs/detection.md', async () => {
  const { stdout } = await mop(['health', '--env', 'sandbox', '--json']);
  const { text } = readPage('docs/detection.md');
  expect(text).toContain(`${JSON.parse(stdout).rules} rules in twelve families`);
});

it('lists unimplemented commands and options in the contract', () => {
  const program = buildProgram(MOP);
  const tree = [program, ...program.commands.flatMap((group) => [group, ...group.commands])];
  const optionsOf = (commands: readonly Command[]) =>
    commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
  const contract = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8').split('\n');
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
