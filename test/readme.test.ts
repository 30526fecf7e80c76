import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { buildProgram } from '../src/cli/frame/program.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('lists every command', () => {
  for (const command of buildProgram(MOP).commands) {
    expect(readme).toContain(`\`mop ${command.name()} `.trimEnd());
  }
});
