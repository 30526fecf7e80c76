/**
 * No command prints a secret (contract section 1). Commands without requests run as JSON, as text and
 * on a terminal; commands with requests run in one of these modes, in turn. Standard output, standard
 * error and all files are searched. The trials answer commands with requests in every format.
 */
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MOP } from '../../src/cli/commands.ts';
import { readTree } from '../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../src/cli/frame/program.ts';
import { serve } from '../support/server.ts';
import {
  allCases,
  COMMANDS,
  type CommandCase,
  leaksOfRequests,
  nameOf,
  SIGNED,
} from './commands.ts';
import { echoes } from './services.ts';
import {
  CANARIES,
  createWorkspace,
  filesIn,
  leaksOf,
  OUTPUT_MODES,
  type Workspace,
} from './workspace.ts';

const tree = readTree(buildProgram(MOP));

/** For reading the command lines without running them. */
const NOWHERE: Workspace = { directory: '', url: '', at: String, env: {}, leaks: () => [] };

it('runs every command', () => {
  expect(Object.keys(COMMANDS).sort()).toEqual(tree.commands.map(({ path }) => path).sort());
});

it('prints echoed credentials only in the unchanged response of an endpoint', async () => {
  const handler = echoes('')['an error'] ?? expect.fail();
  const { url, requests } = await serve(handler);
  const workspace = await createWorkspace(url);
  const printing = allCases(workspace).filter(({ printsAnswer }) => printsAnswer);
  expect(printing).not.toEqual([]);
  for (const { argv } of printing) {
    const leaks = await leaksOf([...argv, '--retries', '0'], workspace, { requests });
    expect(leaks).toContainEqual(expect.stringContaining('json stdout: bearer'));
    expect(leaks.filter((leak) => !leak.includes(' stdout: '))).toEqual([]);
  }
});

it('prints no secret when a service echoes it in an error', async () => {
  const { url, requests } = await serve(echoes(CANARIES.variable)['an error'] ?? expect.fail());
  expect(await leaksOfRequests(await createWorkspace(url), { requests })).toEqual([]);
  expect(requests.length).toBeGreaterThan(20);
});

describe('a command without requests prints only expected secrets', () => {
  const isOffline = ({ sendsRequest }: CommandCase): boolean => !sendsRequest;
  const paths = Object.keys(COMMANDS).filter((path) => COMMANDS[path]?.(NOWHERE).some(isOffline));

  it.each(paths)('%s', async (path) => {
    const workspace = await createWorkspace('http://127.0.0.1:9');
    for (const commandCase of COMMANDS[path]?.(workspace).filter(isOffline) ?? []) {
      const { argv, world, prints = [] } = commandCase;
      const leaks = await leaksOf(argv, workspace, { world, signs: [SIGNED.sign] });
      const expected = Object.keys(OUTPUT_MODES).flatMap((outputMode) =>
        prints.map((name) => `${outputMode} stdout: ${name} (verbatim)`),
      );
      expect([nameOf(commandCase), leaks]).toEqual([nameOf(commandCase), expected]);
    }
  });
});

it('finds a secret in a file', async () => {
  const { directory, at, leaks } = await createWorkspace('http://127.0.0.1:9');
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
