import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';
import type { Profile } from '../../src/cli/context/config-file.ts';
import { type CliResult, temporaryDirectory } from '../support/cli.ts';

export const KEY = 'key-of-the-test';
export const SECRET = '0123456789abcdef0123456789abcdef';

/** Credentials as variables, so that no configuration is needed. */
export const CREDENTIALS = { MOP_API_KEY: KEY, MOP_API_SECRET: SECRET };

/** Fixed values for all generated fields. */
export const FIXED = ['--timestamp', '1795132800', '--nonce', 'abcdefghij', '--seq-id', 'seq-1'];

/** Expects `mop: …` and `hint: …` on standard error, and an empty standard output. */
export function expectFailure(result: CliResult, code: number, message: string, hint = ''): void {
  const [subject, next, ...rest] = result.stderr.split('\n');
  expect({ code: result.code, stdout: result.stdout, rest }).toEqual({
    code,
    stdout: '',
    rest: [''],
  });
  expect(subject).toMatch(/^mop: ./);
  expect(subject).toContain(message);
  expect(next).toMatch(/^hint: ./);
  expect(next).toContain(hint);
}

export interface TestConfig {
  /** The variable that selects the directory. */
  readonly env: { readonly MOP_CONFIG_DIR: string };
  readonly directory: string;
  readonly path: string;
  /** The current content of the file. */
  text(): Promise<string>;
  /** The current values of a profile in the file. */
  profile(name?: string): Promise<Profile | undefined>;
}

/** Creates a separate configuration, without a file if there is no content. Writes a text unchanged. */
export async function configuration(
  content?: string | { current?: string; profiles: Record<string, Profile> },
  mode = 0o600,
): Promise<TestConfig> {
  const directory = join(await temporaryDirectory(), 'config');
  const path = join(directory, 'config.json');
  if (content !== undefined) {
    await mkdir(directory, { mode: 0o700 });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    await chmod(path, mode);
  }
  const text = () => readFile(path, 'utf8');
  return {
    env: { MOP_CONFIG_DIR: directory },
    directory,
    path,
    text,
    profile: async (name = 'default') => JSON.parse(await text()).profiles[name],
  };
}

/** Creates a file with this content and mode in a new directory. Returns its path. */
export async function file(
  content: string | Uint8Array,
  { name = 'file', mode = 0o600 } = {},
): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

/** Gives a file to another user. Only root can do that; otherwise, we become another user. */
export async function disown(path: string): Promise<void> {
  const other = 54_321;
  if (process.geteuid?.() === 0) return chown(path, other, other);
  const user = vi.spyOn(process as { geteuid: () => number }, 'geteuid').mockReturnValue(other);
  onTestFinished(() => user.mockRestore());
}

export type Terminal = PassThrough & { readonly isTTY: true; readonly modes: readonly boolean[] };

/**
 * A terminal with scripted input: one answer for each question, then Ctrl-D. `modes` records the
 * changes of raw mode, in which the terminal does not echo input.
 */
export function terminal(...answers: readonly string[]): Terminal {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true as const,
    modes,
    setRawMode: (raw: boolean) => modes.push(raw),
  });
  const left = [...answers];
  stdin.on('resume', () => {
    const answer = left.shift();
    if (answer === undefined) stdin.end();
    else stdin.write(`${answer}\n`);
  });
  return stdin;
}

/** Runs a script with `sh`, without other variables of this process. Returns its output. */
export async function sh(
  script: string,
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<string> {
  const home = await temporaryDirectory();
  return new Promise((resolve, reject) => {
    const child = execFile(
      'sh',
      ['-c', script],
      { env: { PATH: process.env.PATH, HOME: home, ...env } },
      (error, stdout, stderr) =>
        error ? reject(new Error(stderr || error.message)) : resolve(stdout),
    );
    // A script that does not read its input may end before the input is written.
    child.stdin?.on('error', () => {}).end(stdin);
  });
}
