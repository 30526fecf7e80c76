import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../detection/xml.ts';
import { temporaryDirectory } from '../../../support/cli.ts';
import { expectFailure } from '../../support.ts';

import { answer, literal, service } from './support.ts';

describe('reports', () => {
  async function paths() {
    const directory = await temporaryDirectory();
    return { directory, junit: join(directory, 'r.xml'), sarif: join(directory, 'r.sarif') };
  }

  it('are written for one text', async () => {
    const { detect } = await service();
    const { directory, junit, sarif } = await paths();
    const result = await detect(['You only need me.', '--junit', junit, '--sarif', sarif]);
    expect(result.code).toBe(0);
    expect((await readdir(directory)).sort()).toEqual(['r.sarif', 'r.xml']);
    const xml = await readFile(junit, 'utf8');
    expect(parseXml(xml)).toMatchObject({
      attributes: { tests: '1', failures: '1', errors: '0' },
      children: [{ attributes: { name: 'text 1', classname: 'argument' } }],
    });
    const text = await readFile(sarif, 'utf8');
    expect(JSON.parse(text).runs[0].results).toHaveLength(1);
    expect(xml + text).not.toContain('You only need me');
  });

  it('quote with --include-text', async () => {
    const { detect } = await service();
    const { junit, sarif } = await paths();
    await detect(['You only need me.', '--junit', junit, '--sarif', sarif, '--include-text']);
    for (const path of [junit, sarif]) {
      expect(await readFile(path, 'utf8')).toContain('You only need me.');
    }
  });

  it('contain the lines of a batch, and are written even if texts failed', async () => {
    const { detect } = await service(literal);
    const { junit, sarif } = await paths();
    const args = ['--batch', '-', '--fail-on', 'medium', '--junit', junit, '--sarif', sarif];
    const stdin = '{"text":"low 1"}\n\n{"text":"medium 30"}\nnothing\n';
    expect((await detect(args, { stdin })).code).toBe(12);
    const suite = parseXml(await readFile(junit, 'utf8'));
    expect(suite.attributes).toMatchObject({ tests: '3', failures: '1', errors: '1' });
    expect(
      suite.children.map(({ attributes, children }) => [attributes.name, children[0]?.name]),
    ).toEqual([
      ['line 1', undefined],
      ['line 3', 'failure'],
      ['line 4', 'error'],
    ]);
    const [run] = JSON.parse(await readFile(sarif, 'utf8')).runs;
    const [, second] = run.results;
    expect(second.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'stdin' },
      region: { startLine: 3 },
    });
    expect(run.invocations[0].executionSuccessful).toBe(false);
  });

  it('contain the address of the file', async () => {
    const { detect } = await service();
    const { directory, sarif } = await paths();
    const path = join(directory, 'a b#密.txt');
    await writeFile(path, 'You only need me.');
    const uri = async () =>
      JSON.parse(await readFile(sarif, 'utf8')).runs[0].results[0].locations[0].physicalLocation
        .artifactLocation.uri;
    const expected = relative('.', directory).split('\\').join('/');
    for (const args of [[`@${path}`], ['--batch', path, '--lines'], [`@${path}`, '--lines']]) {
      await detect([...args, '--sarif', sarif]);
      expect(await uri()).toBe(`${expected}/a%20b%23%E5%AF%86.txt`);
    }
  });

  it('are written when the only text failed', async () => {
    const { detect } = await service((_, response) => response.writeHead(400).end());
    const { junit, sarif } = await paths();
    expect((await detect(['a', '--junit', junit, '--sarif', sarif])).code).toBe(5);
    expect(parseXml(await readFile(junit, 'utf8')).attributes).toMatchObject({
      tests: '1',
      errors: '1',
    });
  });

  it('are written even when the output is closed', async () => {
    const { detect } = await service();
    for (const args of [['a'], ['a\nb', '--lines']]) {
      const { junit } = await paths();
      await detect([...args, '--junit', junit], { stdoutError: 'EPIPE' });
      expect(parseXml(await readFile(junit, 'utf8')).children).toHaveLength(args.length);
    }
  });

  it('are written when the rewrite is missing', async () => {
    const { detect } = await service(answer({ safe_rewrite: undefined }));
    const { junit } = await paths();
    expect((await detect(['a', '--rewrite', '--junit', junit])).code).toBe(5);
    expect(parseXml(await readFile(junit, 'utf8')).attributes.failures).toBe('1');
  });

  it('can be combined with --rewrite', async () => {
    const { detect } = await service();
    const { junit } = await paths();
    const { stdout } = await detect(['a', '--rewrite', '--junit', junit, '--fail-on', 'critical']);
    expect(stdout).toBe('I can help, and so can others.\n');
    expect(parseXml(await readFile(junit, 'utf8')).attributes.failures).toBe('0');
  });

  it.each([
    ['a directory', async (directory: string) => directory],
    [
      'below a file',
      async (directory: string) => {
        await writeFile(join(directory, 'f'), '');
        return join(directory, 'f', 'r.xml');
      },
    ],
    ['a device', async () => '/dev/null'],
    ['in a missing directory', async (directory: string) => join(directory, 'no', 'r.xml')],
    [
      'a link to itself',
      async (directory: string) => {
        await symlink('f', join(directory, 'f'));
        return join(directory, 'f');
      },
    ],
  ])('%s cannot be written, and nothing is sent', async (_, target) => {
    const { detect, requests } = await service();
    const { directory, sarif } = await paths();
    const junit = await target(directory);
    expectFailure(await detect(['a', '--junit', junit, '--sarif', sarif]), 13, 'cannot write');
    expect(requests).toEqual([]);
    expect((await readdir(directory)).filter((name) => name !== 'f')).toEqual([]);
  });

  it('have the default mode, or the mode of the replaced file', async () => {
    const { detect } = await service();
    const { directory, junit, sarif } = await paths();
    await writeFile(sarif, 'before');
    await chmod(sarif, 0o604);
    const like = join(directory, 'like');
    await writeFile(like, '');
    await detect(['a', '--junit', junit, '--sarif', sarif]);
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect([await modeOf(junit), await modeOf(sarif)]).toEqual([await modeOf(like), '604']);
  });

  it('follow symbolic links, also to a missing file', async () => {
    const { detect } = await service();
    const { directory, junit, sarif } = await paths();
    const [there, links] = [join(directory, 'there'), join(directory, 'links')];
    await mkdir(there);
    await symlink('there', links);
    await writeFile(join(there, 'old.xml'), 'before');
    await symlink('there/old.xml', junit);
    await symlink('links/new.sarif', sarif);
    expect((await detect(['a', '--junit', junit, '--sarif', sarif])).code).toBe(0);
    for (const link of [junit, sarif]) expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readdir(there)).sort()).toEqual(['new.sarif', 'old.xml']);
    expect(parseXml(await readFile(join(there, 'old.xml'), 'utf8')).children).toHaveLength(1);
  });

  it('must be two files, and not the input', async () => {
    const { detect, requests } = await service();
    const { directory, junit } = await paths();
    const input = join(directory, 'in.txt');
    await writeFile(input, 'a\n');
    await mkdir(join(directory, 'd'));
    await symlink('in.txt', join(directory, 'link'));
    const twice = join(directory, 'd', '..', 'r.xml');
    for (const args of [
      ['a', '--junit', junit, '--sarif', twice],
      [`@${input}`, '--sarif', input],
      ['--batch', input, '--junit', join(directory, 'link')],
      [`@${join(directory, 'link')}`, '--lines', '--junit', join(directory, 'd', '..', 'in.txt')],
    ]) {
      expectFailure(await detect(args), 2, 'would overwrite', 'another file');
    }
    expect(requests).toEqual([]);
    expect(await readFile(input, 'utf8')).toBe('a\n');
    expect((await readdir(directory)).sort()).toEqual(['d', 'in.txt', 'link']);
  });

  it('replace earlier reports in one step', async () => {
    const { junit } = await paths();
    await writeFile(junit, 'before');
    const { detect } = await service(async (request, response, index) => {
      expect(await readFile(junit, 'utf8')).toBe('before');
      literal(request, response, index);
    });
    await detect(['low 1\nlow 2', '--lines', '--junit', junit]);
    expect(parseXml(await readFile(junit, 'utf8')).children).toHaveLength(2);
  });
});
