import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from 'node:process';
import { describe, expect, inject, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { itRunsCommands } from './commands.ts';
import { LINES, nodeOfLine } from './node-lines.ts';
import { run } from './support.ts';

const script = join(inject('project'), 'node_modules/mop-cli/bin/mop.js');

/** Without that of the running Node, with which all other tests run the same files. */
const others = LINES.filter((line) => !version.startsWith(`v${line}.`));
const nodes = await Promise.all(others.map(nodeOfLine));

for (const node of nodes) {
  const title = `Node ${node.line}`;
  if ('missing' in node) {
    console.warn(`${title} is not tested: ${node.missing}`);
    describe.skip(title, () => it(node.missing, () => {}));
    continue;
  }

  describe(title, () => {
    const mop = itRunsCommands(() => [node.path, script]);

    it('loads the library as an ES module and as CommonJS', async () => {
      const code = `import { createRequire } from 'node:module';
        import { startSandbox } from 'mop-cli';
        const { loadDetector } = createRequire(process.cwd() + '/x')('mop-cli');
        await (await startSandbox()).close();
        console.log((await loadDetector()).assess('hello').level);`;
      const args = ['--input-type=module', '--eval', code];
      const { stdout, stderr } = await run(node.path, args, { cwd: inject('project') });
      expect([stdout, stderr]).toEqual(['none\n', '']);
    });

    it("stores compiled code in the user's cache, if Node supports it", async () => {
      await mop.run(['--version']);
      const compiled = join(mop.directory, 'cache/mop/compiled');
      const stored = existsSync(compiled) ? readdirSync(compiled, { recursive: true }) : [];
      expect(stored.length > 1).toBe(!node.line.startsWith('20'));
    });

    it.each([
      ['a file', (directory: string) => join(directory, 'file')],
      // In this directory, Node itself would retry for ever.
      ['/proc', () => '/proc'],
      ['relative', () => 'relative'],
    ])('runs without a message if the cache directory is %s', async (_, pathOf) => {
      writeFileSync(join(mop.directory, 'file'), '');
      const env = { XDG_CACHE_HOME: pathOf(mop.directory) };
      const { stdout, stderr } = await mop.run(['--version'], env);
      expect([stdout, stderr]).toEqual([`${VERSION}\n`, '']);
      expect(existsSync('relative')).toBe(false);
    });
  });
}
