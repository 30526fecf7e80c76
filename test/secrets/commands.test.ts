/**
 * No command shows a secret (contract section 1): each is driven with `--verbose --debug`, as JSON,
 * as text and on a terminal, and standard output, standard error and all files are searched.
 * Commands that ask a service are in `echoes.test.ts`.
 */
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MOP } from '../../src/cli/commands.ts';
import { readTree } from '../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../src/cli/frame/program.ts';
import { serve } from '../support/server.ts';
import { type Bench, bench, filesIn, leaksOf, VOICES } from './bench.ts';
import { COMMANDS, type Drive, drivesOf, nameOf, SIGNED } from './commands.ts';
import { echoes } from './services.ts';

const tree = readTree(buildProgram(MOP));

/** A bench for reading the command lines without running them. */
const NOWHERE: Bench = { directory: '', url: '', at: String, env: {}, leaks: () => [] };

it('drives every command', () => {
  expect(Object.keys(COMMANDS).sort()).toEqual(tree.commands.map(({ path }) => path).sort());
});

it('prints the response of an endpoint unchanged, and nothing else', async () => {
  const handler = echoes('')['an error'] ?? expect.fail();
  const { url, requests } = await serve(handler);
  const place = await bench(url);
  const repeating = drivesOf(place).filter(({ repeats }) => repeats);
  expect(repeating).not.toEqual([]);
  for (const { argv } of repeating) {
    const leaks = await leaksOf([...argv, '--retries', '0'], place, { requests });
    expect(leaks).toContainEqual(expect.stringContaining('json stdout: bearer'));
    expect(leaks.filter((leak) => !leak.includes(' stdout: '))).toEqual([]);
  }
});

describe('a command without requests shows only the secret that it prints', () => {
  const isOffline = ({ asks }: Drive): boolean => !asks;
  const paths = Object.keys(COMMANDS).filter((path) => COMMANDS[path]?.(NOWHERE).some(isOffline));

  it.each(paths)('%s', async (path) => {
    const place = await bench('http://127.0.0.1:9');
    for (const drive of COMMANDS[path]?.(place).filter(isOffline) ?? []) {
      const { argv, world, prints = [] } = drive;
      const leaks = await leaksOf(argv, place, { world, signs: [SIGNED.sign] });
      const expected = Object.keys(VOICES).flatMap((voice) =>
        prints.map((name) => `${voice} stdout: ${name} (verbatim)`),
      );
      expect([nameOf(drive), leaks]).toEqual([nameOf(drive), expected]);
    }
  });
});

it('would see a secret in a file', async () => {
  const { directory, at, leaks } = await bench('http://127.0.0.1:9');
  expect(leaks({})).toEqual([]);
  for (const [name, content] of filesIn(directory)) {
    await writeFile(at(`copy of ${name.replace('/', ' ')}`), content);
  }
  const found = leaks({}).map((leak) => leak.replace(/ \(.*/, ''));
  expect(found.sort()).toEqual([
    'copy of command.txt: command',
    'copy of config config.json: config',
    'copy of config config.json: otherProfile',
    'copy of secret.txt: file',
  ]);
});
