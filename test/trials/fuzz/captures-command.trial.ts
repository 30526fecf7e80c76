import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CREDENTIALS, SECRET } from '../../cli/support.ts';
import { mop, temporaryDirectory } from '../../support/cli.ts';
import { serve } from '../../support/server.ts';
import { isLong, times } from '../scale.ts';
import { randomCommand } from './random-commands.ts';
import { mistakenCapture, SAMPLES } from './signed-captures.ts';
import { awkwardText } from './support.ts';

describe('mop sign verify -', () => {
  const verify = (stdin: string | Uint8Array, argv: readonly string[] = []) =>
    mop(['sign', 'verify', '-', ...argv], { stdin, env: CREDENTIALS });

  it.each(SAMPLES)('accepts the signature of %s', async (_, text) => {
    expect(await verify(text)).toMatchObject({ code: 0 });
  });

  it('prints a verdict or an error, and never the secret', async () => {
    const codes = new Set<number>();
    const input = fc.oneof(
      { weight: 4, arbitrary: mistakenCapture },
      { weight: 2, arbitrary: randomCommand },
      awkwardText,
    );
    const argv = fc.constantFrom<string[][]>(
      [],
      ['--json'],
      ['--entry', '2'],
      ['-H', 'X-TMS-Sign: 0'],
      ['--debug'],
    );
    const property = fc.asyncProperty(
      input,
      argv,
      fc.constantFrom(true, true, true, false),
      async (stdin, argv, hasSecret) => {
        const env = hasSecret ? CREDENTIALS : {};
        // The whole search is slow.
        const effort = isLong ? 'normal' : 'low';
        const words = ['sign', 'verify', '-', '--effort', effort, ...argv];
        const { code, stdout, stderr } = await mop(words, {
          stdin,
          env,
        });
        codes.add(code);
        expect([0, 2, 3, 4]).toContain(code);
        if (code === 2 || code === 3) expect(stdout).toBe('');
        if (code !== 0)
          expect(stderr).toMatch(
            argv.includes('--json') ? /^\{"error":\{.*\}\}$/m : /^mop: .+\nhint: .+$/m,
          );
        if (!argv.includes('--debug'))
          expect(stderr).not.toMatch(/^ +at |(?:Range|Type|Syntax)Error/m);
        if (argv.includes('--json') && stdout !== '') JSON.parse(stdout);
        expect(stdout + stderr).not.toContain(SECRET);
      },
    );
    await fc.assert(property, { seed: 20_261_214, numRuns: times(60, 2500) });
    expect([...codes].sort()).toEqual([0, 2, 3, 4]);
  });

  it('runs nothing, sends nothing, and reads only the files of -d, -H and -F', async () => {
    const directory = await temporaryDirectory();
    const { url, requests } = await serve((_, response) => response.end());
    const [mark, canary] = [join(directory, 'mark'), join(directory, 'canary')];
    await writeFile(canary, '{"canary":"seen"}');
    const touch = `touch ${mark}`;
    const traps = [
      `"$(${touch})"`,
      `\`${touch}\``,
      `; ${touch}`,
      `& ${touch}`,
      `| ${touch}`,
      `&& ${touch}`,
      `\n${touch}`,
      `<(${touch})`,
      `-K ${canary}`,
      `-b ${canary}`,
      `-T ${canary}`,
      `--netrc-file ${canary}`,
      `-E ${canary}`,
      `-o ${mark}`,
      `-D ${mark}`,
      `-c ${mark}`,
      `--trace ${mark}`,
      `--libcurl ${mark}`,
      `--stderr ${mark}`,
      `> ${mark}`,
      `2> ${mark}`,
      `< ${canary}`,
      `--data-raw @${canary}`,
      `--form-string a=@${canary}`,
    ];
    for (const trap of traps) {
      for (const text of [
        `curl ${url} -d {} ${trap}`,
        `A=${trap} curl ${url} -d {}`,
        `${trap}\ncurl ${url} -d {}`,
      ]) {
        const { stdout, stderr } = await verify(text);
        expect(stdout + stderr, text).not.toContain('seen');
      }
    }
    expect(requests).toEqual([]);
    expect(await readdir(directory)).toEqual(['canary']);
    // The traps would work: -d reads the named file.
    const named = await verify(`curl ${url} -d @${canary} -H 'X-TMS-Sign: 0'`);
    expect(named.stdout).toContain('seen');
  });
});
