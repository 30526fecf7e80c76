import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';

/** A file system of 1 MiB. */
export interface SmallDisk {
  readonly directory: string;
  /** Fills the disk except for `leaving` blocks. */
  fill(leaving?: number): void;
  /** Frees the filled space. */
  clear(): void;
  makeReadOnly(): void;
}

/** Whether this process can mount a file system: only root can, and not in every container. */
export const CAN_MOUNT = process.platform === 'linux' && tryToMount();

/** Mounts a disk until the test ends. */
export async function smallDisk(): Promise<SmallDisk> {
  const directory = join(await temporaryDirectory(), 'disk');
  mkdirSync(directory);
  mount(directory);
  onTestFinished(() => unmount(directory));
  const filler = join(directory, 'filler');
  return {
    directory,
    fill: (leaving = 0) => {
      const { bfree, bsize } = statfsSync(directory);
      writeFileSync(filler, Buffer.alloc((bfree - leaving) * bsize));
    },
    clear: () => rmSync(filler, { force: true }),
    makeReadOnly: () => execFileSync('mount', ['-o', 'remount,ro', directory]),
  };
}

function mount(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=755', 'tmpfs', directory], {
    stdio: 'ignore',
  });
}

function unmount(directory: string): void {
  // Unmounts immediately, even if a file on the disk is open.
  execFileSync('umount', ['--lazy', directory]);
}

function tryToMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'mop-test-'));
  try {
    mount(directory);
    unmount(directory);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(directory);
  }
}
