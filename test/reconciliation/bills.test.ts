/**
 * Bills and records in the shapes that people report, each with a command and its expected output.
 * The values are invented. In `sums`, `*` is any sum.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { mop } from '../support/cli.ts';
import { testTable } from '../support/rows.ts';

const DIRECTORY = join(import.meta.dirname, 'bills');

interface Case {
  readonly cmd: readonly string[];
  readonly rc: number | readonly number[];
  readonly rows?: number;
  readonly sums?: Readonly<Record<string, string>>;
  readonly counts?: Readonly<Record<string, number>>;
  readonly must?: string;
  readonly mustnot?: string;
}

const CASES: readonly Case[] = readFileSync(join(DIRECTORY, 'expect.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

testTable(
  'reads',
  CASES,
  ({ cmd }) => cmd.join(' '),
  async ({ cmd, rc, rows, sums = {}, counts = {}, must, mustnot }) => {
    const argv = cmd.map((word) => (/\.\w{3}$/.test(word) ? join(DIRECTORY, word) : word));
    const [printed, json] = [await mop(argv), await mop([...argv, '--json'])];
    for (const { code, stdout, stderr } of [printed, json]) {
      expect([rc].flat(), stderr).toContain(code);
      if (must) expect(stdout + stderr).toMatch(new RegExp(must));
      if (mustnot) expect(stdout + stderr).not.toMatch(new RegExp(mustnot));
    }
    if (json.stdout === '') return;
    const document = JSON.parse(json.stdout);
    if (rows !== undefined) expect(document.files[0].rows).toBe(rows);
    for (const [name, sum] of Object.entries(sums)) {
      const column = document.files[0].columns.find((each: { name: string }) => each.name === name);
      if (sum === '*') expect(column.sum).toBeDefined();
      else expect(Number(column.sum)).toBe(Number(sum));
    }
    expect(document).toMatchObject(counts);
  },
);
