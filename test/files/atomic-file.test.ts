import { existsSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AtomicFile, usableBytes, usableSpace } from '../../src/files/atomic-file.ts';
import { temporaryDirectory } from '../support/cli.ts';

const MIB = 1024 ** 2;

it('places the whole file when background syncs run during the write', async () => {
  const directory = await temporaryDirectory();
  const part = await AtomicFile.open(directory);
  // Enough for more than one background sync.
  const chunks = Array.from({ length: 20 }, (_, index) => Buffer.alloc(MIB, index));
  for (const chunk of chunks) await part.write(chunk);
  await part.place(join(directory, 'file'));
  expect(Buffer.concat(chunks).equals(await readFile(join(directory, 'file')))).toBe(true);
  expect(await readdir(directory)).toEqual(['file']);
});

it('syncs the file before the rename, and the directory after it', async () => {
  const directory = await temporaryDirectory();
  const target = join(directory, 'file');
  const part = await AtomicFile.open(directory);
  await part.write(Buffer.from('x'));
  const handle = await open(directory, 'r');
  const isRenamed: boolean[] = [];
  const syncing = vi
    .spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
    .mockImplementation(async () => void isRenamed.push(existsSync(target)));
  onTestFinished(() => syncing.mockRestore());
  await handle.close();
  await part.place(target);
  expect(isRenamed).toEqual([false, true]);
});

it('rejects a reservation that exceeds the free space', async () => {
  const directory = await temporaryDirectory();
  const part = await AtomicFile.open(directory);
  await part.checkSpace(0);
  await expect(part.checkSpace(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    code: 'io',
    message: expect.stringMatching(
      /^not enough space in .*: [\d.]+ [KMGT]?i?B usable, at least 8192\.0 TiB needed$/,
    ),
  });
  await part.discard();
  expect(await readdir(directory)).toEqual([]);
});

it.each([
  { size: 1000, free: 500, usable: 490 },
  { size: 1000, free: 5, usable: 0 },
  { size: 1024 ** 2, free: 1024, usable: 1024 - 256 },
])(
  'leaves a hundredth of the disk free, at most 256 MiB: $usable of $free MiB usable',
  ({ size, free, usable }) => {
    const facts = { bsize: 4096, blocks: (size * MIB) / 4096, bavail: (free * MIB) / 4096 };
    expect(usableBytes(facts)).toBe(usable * MIB);
  },
);

it.skipIf(process.platform !== 'linux')(
  'accepts any size if the system does not report the free space',
  async () => {
    expect(await usableSpace('/proc')).toBe(Number.POSITIVE_INFINITY);
    expect(await usableSpace('/nowhere')).toBe(Number.POSITIVE_INFINITY);
  },
);
