import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { buildProgram } from '../src/cli/frame/program.ts';
import { CATALOGUE } from '../src/signing/diagnosis/catalogue.ts';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const readme = read('README.md');

it('lists every command', () => {
  for (const command of buildProgram(MOP).commands) {
    expect(readme).toContain(`\`mop ${command.name()} `.trimEnd());
  }
});

it('has the number of kinds of mistakes, in English and Chinese', () => {
  const { length } = Object.values(CATALOGUE).flat();
  expect(readme).toContain(`${length} kinds of mistakes`);
  expect(read('README.zh-CN.md')).toContain(`${length} 种错误`);
});
