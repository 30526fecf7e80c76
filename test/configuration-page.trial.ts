/** Runs the unchanged recipes of docs/configuration.md against a platform on loopback. */
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signBody } from '../src/signing/body-mode.ts';
import { sh } from './cli/support.ts';
import { temporaryDirectory } from './support/cli.ts';
import { isPlain, runPlain } from './support/plain-commands.ts';
import { CONTENT, scriptedPlatform } from './support/platform.ts';
import { BIN } from './support/process.ts';

const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');

/** The sections whose scripts this file runs. */
const SECTIONS = [
  'The first bill',
  'Two merchants',
  'Comparing the bills of several merchants',
  'Rotating a secret',
];

/** The shell scripts below a heading. */
function recipes(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return [...section.replace(/\n## .*/s, '').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, script = '']) => script,
  );
}

const OLD = 'the-old-secret-0123456789abcdef';
const NEW = 'the-new-secret-0123456789abcdef';

/** A machine with `mop`, and a platform that accepts the given secrets of each key. */
async function machine(secrets: Record<string, readonly string[]>) {
  const accepted = { ...secrets };
  const { url } = await scriptedPlatform({
    call: (response, _, { body }, good) => {
      const { api_key: apiKey, sign } = JSON.parse(body);
      const known = accepted[apiKey];
      const isSigned = known?.some((secret) => signBody(body, { apiKey, secret }).sign === sign);
      response.setHeader('Content-Type', 'application/json');
      response.end(isSigned ? good : JSON.stringify({ code: known ? 1002 : 1003, message: 'no' }));
    },
  });
  const directory = await temporaryDirectory();
  const program = async (name: string, text: string): Promise<void> => {
    await mkdir(join(directory, 'bin'), { recursive: true });
    await writeFile(join(directory, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };
  await program('mop', `exec '${process.execPath}' '${BIN}' "$@"`);
  // A substitute for a password manager.
  await program('pass', 'cat "$(basename "$2")-secret.txt"');
  const env = {
    PATH: `${directory}/bin:${process.env.PATH}`,
    MOP_CONFIG_DIR: join(directory, 'config'),
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  /** Runs a script until a command fails. */
  const run = async (script: string): Promise<string> => {
    const local = script.replaceAll('https://platform.example', url);
    const inShell = (part: string): Promise<string> =>
      sh(`set -e\ncd '${directory}'\n${part}`, { env });
    // A variable belongs to all lines, and `pass` is only in the PATH of a child process.
    if (/export |pass /.test(local)) return inShell(local);
    let printed = '';
    for (const line of local.split('\n')) {
      if (!isPlain(line)) {
        printed += await inShell(line);
        continue;
      }
      const { codes, output } = await runPlain(line, directory, env, Date.now);
      if (codes.some((code) => code !== 0)) throw new Error(output);
      printed += output;
    }
    return printed;
  };
  const write = async (files: Record<string, string>): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(directory, name), `${content}\n`);
      await chmod(join(directory, name), 0o600);
    }
  };
  const at = (...names: string[]): string => join(directory, ...names);
  return { run, write, at, accepted };
}

it('runs every script of the page', () => {
  expect(SECTIONS.flatMap(recipes)).toHaveLength(page.match(/^```sh$/gm)?.length ?? 0);
});

it('fetches the first bill', async () => {
  const { run, write, at } = await machine({ YOUR_KEY: [OLD] });
  await write({ 'secret.txt': OLD });
  const [stored = '', byVariables = ''] = recipes('The first bill');
  // The clock of the machine is not fixed, so yesterday's bill must be ready at any time.
  await run(`mop config set bill_ready_time 00:00\n${stored}`);
  expect(await run('cat bills/*.csv')).toBe(CONTENT.toString());
  expect(await run(`export MOP_CONFIG_DIR='${at('none')}'\n${byVariables}`)).toMatch(
    /^credentials +ok/m,
  );
});

it('fetches the bills of two merchants', async () => {
  const { run, write } = await machine({ KEY_OF_SHOP_A: [OLD], KEY_OF_SHOP_B: [NEW] });
  await write({ 'secret-of-shop-a.txt': OLD, 'secret-of-shop-b.txt': NEW });
  const [script = ''] = recipes('Two merchants');
  const printed = await run(`mop config set bill_ready_time 00:00 -p shop-a\n${script}`);
  expect(printed).toMatch(/^\+ 1 verified/m);
  expect(await run('ls bills/shop-a/*.csv bills/shop-b/*.csv')).toMatch(/^(?:.*\.csv\n){2}$/);
});

it('keeps the comparison of each merchant in its profile', async () => {
  const { run } = await machine({});
  const [stored = ''] = recipes('Comparing the bills of several merchants');
  await run(stored);
  expect(await run('mop config get compare_key -p shop-a')).toBe('order_id=id\n');
  expect(await run('mop config get compare_encoding -p shop-a')).toBe('auto\n');
  expect(await run('mop config get compare_key -p shop-b')).toBe('order_id=OrderNo\n');
  expect(await run('mop config get compare_encoding -p shop-b')).toBe('gb18030\n');
});

describe('rotating a secret, and restoring the old one', () => {
  const scripts = recipes('Rotating a secret');

  it('is documented for three settings', () => expect(scripts).toHaveLength(6));

  it.each([
    { setting: 'api_secret', value: '< old-secret.txt', at: 0, file: 'config/config.json' },
    { setting: 'api_secret_file', value: 'secret.txt', at: 2, file: 'secret.txt' },
    { setting: 'api_secret_command', value: "'pass show platform/old'", at: 4, file: undefined },
  ])('$setting', async ({ setting, value, at: index, file }) => {
    const [rotate = '', back = ''] = scripts.slice(index);
    const { run, write, at, accepted } = await machine({ YOUR_KEY: [OLD] });
    await write({ 'secret.txt': OLD, 'old-secret.txt': OLD, 'new-secret.txt': NEW });
    await run(`mop config set base_url https://platform.example
      mop config set api_key YOUR_KEY
      mop config set ${setting} ${value}
      mop doctor`);
    const expectStored = async (secret: string): Promise<void> => {
      if (file) expect(await readFile(at(file), 'utf8')).toContain(secret);
    };
    // The platform does not accept the new secret yet.
    await expect(run(rotate)).rejects.toThrow('1002');
    if (setting !== 'api_secret_command') await expectStored(OLD);
    accepted.YOUR_KEY = [NEW];
    await run(rotate);
    await expectStored(NEW);
    accepted.YOUR_KEY = [OLD];
    await run(back);
    await expectStored(OLD);
  });
});
