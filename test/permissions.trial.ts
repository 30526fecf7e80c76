import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';
import { sandbox } from './support/platform.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** Runs a shell command. Resolves with any exit code. */
function shell(script: string, env: Record<string, string>) {
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...env } };
    execFile('sh', ['-c', script], options, (error, _, stderr) =>
      resolve({ code: error ? error.code : 0, stderr }),
    );
  });
}

describe("Node's permission model", () => {
  const [, line = ''] = /(node --permission.*?)\n```/s.exec(text) ?? [];
  // Before 22.13, the flag was called --experimental-permission.
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const flag = major > 22 || (major === 22 && minor >= 13) ? '' : '--experimental-permission';
  const net = major >= 25 ? '--allow-net' : '';

  const command = (bills: string): string =>
    line
      .replace('node --permission', `${process.execPath} ${flag || '--permission'} ${net}`)
      .replaceAll('/var/lib/bills/', bills)
      .replace('"$(command -v mop)"', `'${join(root, 'bin/mop.js')}'`)
      .replace('--missing', '--env sandbox');

  it('allows a fetch that may write only to its directory', async () => {
    const directory = await temporaryDirectory();
    const bills = join(directory, 'bills');
    mkdirSync(bills);
    const env = { MOP_CONFIG_DIR: join(directory, 'config') };
    expect(await shell(command(`${bills}/`), env)).toMatchObject({ code: 0 });
    expect(readdirSync(bills)).toEqual([expect.stringMatching(/^bill_/), 'bills.jsonl']);

    const elsewhere = `${directory}/elsewhere/`;
    const refused = command(`${bills}/`).replace(`-o ${bills}/`, `-o ${elsewhere}`);
    expect(await shell(refused, env)).toMatchObject({
      code: 13,
      stderr: expect.stringContaining("Node's permission model forbids it"),
    });
    expect(readdirSync(directory)).toEqual(['bills']);
  });

  it('does not hide the error of a refused call if the request cannot be stored', async () => {
    const directory = await temporaryDirectory();
    const { env: platform } = await sandbox();
    const env = { ...platform, MOP_API_SECRET: 'wrong', MOP_CONFIG_DIR: join(directory, 'config') };
    const fetching = command(`${directory}/bills/`).replace('--env sandbox', '2026-11-19');
    expect(await shell(fetching, env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the platform answered 1002'),
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});
