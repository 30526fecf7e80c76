import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import type { Profile } from '../../src/cli/context/config-file.ts';
import { type CliResult, temporaryDirectory } from '../support/cli.ts';

export const KEY = 'key-of-the-test';
export const SECRET = '0123456789abcdef0123456789abcdef';

/** Credentials as variables, so that no configuration is needed. */
export const CREDENTIALS = { MOP_API_KEY: KEY, MOP_API_SECRET: SECRET };

/** Everything that would be generated, fixed. */
export const FIXED = ['--timestamp', '1795132800', '--nonce', 'abcdefghij', '--seq-id', 'seq-1'];

/** Checks for `mop: …` and `hint: …` on standard error, and not a byte on standard output. */
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
  /** Points `mop` at the directory. */
  readonly env: { readonly MOP_CONFIG_DIR: string };
  readonly directory: string;
  readonly path: string;
  /** The file as it is now. */
  text(): Promise<string>;
  /** What the file holds of a profile now. */
  profile(name?: string): Promise<Profile | undefined>;
}

/** A configuration of its own; no file when nothing is given, and a text is written as it is. */
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

/** A file of its own with this content and mode. Returns its path. */
export async function file(
  content: string | Uint8Array,
  { name = 'file', mode = 0o600 } = {},
): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

export type Terminal = PassThrough & { readonly isTTY: true; readonly modes: readonly boolean[] };

/**
 * A person at a terminal who gives one answer to each question, and presses Ctrl-D when there is
 * none left. `modes` are the changes of raw mode, in which the terminal shows nothing by itself.
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

/** Whether a program can be started. */
export function installed(program: string): boolean {
  return spawnSync(program, ['version'], { stdio: 'ignore' }).error === undefined;
}

/** Runs a script with `sh`, away from the caller's environment, and returns what it prints. */
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
    // A script that reads nothing may be over before anything is written.
    child.stdin?.on('error', () => {}).end(stdin);
  });
}
