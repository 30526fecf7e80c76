import { spawnSync } from 'node:child_process';
import fs, { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { processNamespace } from '../../src/files/abandoned.ts';
import { withFileLock } from '../../src/files/lock.ts';
import { temporaryDirectory } from '../support/cli.ts';

let path: string;

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'lock');
});

/** The name of the claim of this process. */
async function ownClaim(): Promise<string> {
  const [claim = ''] = await withFileLock(path, () => readdir(path));
  return claim;
}

async function leave(claim: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, claim), '');
  return join(path, claim);
}

/** Runs `count` calls concurrently and returns the maximum number that worked at the same time. */
async function crowd(count: number): Promise<number> {
  let working = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++working);
    await turn();
    working--;
  };
  await Promise.all(Array.from({ length: count }, () => withFileLock(path, work)));
  return most;
}

it('returns the result of the work and removes the lock', async () => {
  expect(await withFileLock(path, () => 7)).toBe(7);
  await expect(withFileLock(path, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(existsSync(path)).toBe(false);
});

it('sets the permissions that other users need, regardless of the umask', async () => {
  expect(await withFileLock(path, () => statSync(path).mode & 0o777)).toBe(0o700);
  const shared = { mode: 0o775 };
  expect(await withFileLock(path, () => statSync(path).mode & 0o777, shared)).toBe(0o775);
});

it('runs one call at a time', async () => {
  expect(await crowd(15)).toBe(1);
  expect(existsSync(path)).toBe(false);
});

it('names the live holder after the maximum wait', async () => {
  const work = withFileLock(path, async () => {
    await expect(withFileLock(path, () => 'in', { maxWaitMs: 30 })).rejects.toMatchObject({
      code: 'io',
      message: `process ${process.pid} holds the lock ${path}`,
      details: { hint: expect.stringMatching(/./) },
    });
    return 'out';
  });
  expect(await work).toBe('out');
});

describe('takes over immediately', () => {
  it('from a process that has ended, with one winner', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await leave((await ownClaim()).replace(/^\d+/, `${pid}`));
    expect(await crowd(15)).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it.runIf(existsSync('/proc/self/stat'))('from an earlier process with the same id', async () => {
    await leave((await ownClaim()).replace(/\.\d+\./, '.12345.'));
    expect(await withFileLock(path, () => readdir(path), { maxWaitMs: 0 })).toHaveLength(1);
  });

  it.each([
    ['an expired claim', -21_000],
    ['a claim of the next hour', 3_600_000],
  ])('from %s of another machine', async (_, offsetMs) => {
    const claim = await leave((await ownClaim()).replace(/@.*/, '@elsewhere'));
    const then = new Date(Date.now() + offsetMs);
    await utimes(claim, then, then);
    expect(await withFileLock(path, () => 'in', { maxWaitMs: 0 })).toBe('in');
  });

  it('an empty directory', async () => {
    await mkdir(path);
    expect(await withFileLock(path, () => 'in', { maxWaitMs: 0 })).toBe('in');
  });
});

it('withdraws when another process claims the lock at the same moment', async () => {
  const other = join(path, (await ownClaim()).replace(/@.*/, '@elsewhere'));
  const { writeFileSync } = fs;
  const writing = vi.spyOn(fs, 'writeFileSync').mockImplementationOnce((...given) => {
    writeFileSync(...given);
    writeFileSync(other, '');
  });
  onTestFinished(() => {
    writing.mockRestore();
    syncBuiltinESMExports();
  });
  // The lock imports the function by its name.
  syncBuiltinESMExports();
  const claims = withFileLock(path, () => readdir(path));
  expect(await readdir(path)).toEqual([expect.stringContaining('@elsewhere')]);
  await rm(other);
  expect(await claims).toHaveLength(1);
});

it('waits for a process of another machine', async () => {
  await leave((await ownClaim()).replace(/^\d+/, '77').replace(/@.*/, '@else%2Fwhere'));
  await expect(withFileLock(path, () => 'in', { maxWaitMs: 0 })).rejects.toMatchObject({
    code: 'io',
    message: `process 77 of else/where holds the lock ${path}`,
  });
});

it('stops waiting when the signal is aborted', async () => {
  await leave((await ownClaim()).replace(/@.*/, '@elsewhere'));
  const controller = new AbortController();
  const waiting = withFileLock(path, () => 'in', { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});

it('treats the same id in another container as another process', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const claim = (await ownClaim())
    .replace(/^\d+/, `${pid}`)
    .replace(/@.*/, '@host%20pid%3A%5B1%5D');
  await leave(claim);
  await expect(withFileLock(path, () => 'in', { maxWaitMs: 0 })).rejects.toMatchObject({
    message: `process ${pid} of host holds the lock ${path}`,
  });
});

it('identifies the owner in the claim and ignores other files', async () => {
  const [owner, space = ''] = (await ownClaim()).split('@');
  expect(owner).toMatch(new RegExp(`^${process.pid}\\.`));
  expect(decodeURIComponent(space)).toBe(processNamespace());
  await leave('.DS_Store');
  expect(await crowd(2)).toBe(1);
  expect(await readdir(path)).toEqual(['.DS_Store']);
});

it('throws the errors of the file system', async () => {
  await expect(withFileLock(join(path, 'lock'), () => 0)).rejects.toThrow('ENOENT');
  await writeFile(path, '');
  await expect(withFileLock(path, () => 0)).rejects.toThrow('is a link or a file');
  await rm(path);
  await symlink(await temporaryDirectory(), path);
  await expect(withFileLock(path, () => 0)).rejects.toThrow('is a link or a file');
});
