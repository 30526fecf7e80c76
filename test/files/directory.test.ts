import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from '../../src/files/directory.ts';
import { temporaryDirectory } from '../support/cli.ts';

it('creates all missing parents, also in concurrent calls', async () => {
  const path = join(await temporaryDirectory(), 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 8 }, () => makeDirectory(path)));
  await makeDirectory(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

it('fails if a file or a dangling link has the name', async () => {
  const root = await temporaryDirectory();
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nowhere'), join(root, 'link'));
  await expect(makeDirectory(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeDirectory(join(root, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeDirectory(join(root, 'link', 'x'))).rejects.toThrow(
    `cannot create ${join(root, 'link')}, although`,
  );
});

it.skipIf(process.platform !== 'linux')(
  'fails instead of hanging when the file system refuses',
  async () => {
    await expect(makeDirectory('/proc/mop-test/x')).rejects.toThrow(
      'cannot create /proc/mop-test, although its parent directory exists',
    );
  },
);
