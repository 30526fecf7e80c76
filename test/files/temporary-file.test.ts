import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TemporaryFile } from '../../src/files/temporary-file.ts';
import { openFiles, withTmpdir } from '../reconciliation/support.ts';

it('returns the appended bytes, whole or in parts, at any time', () =>
  withTmpdir((directory) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 })), fc.nat(), async (chunks, at) => {
        const file = await TemporaryFile.open('rows');
        try {
          let all = Buffer.alloc(0);
          for (const chunk of chunks) {
            await file.append(chunk);
            all = Buffer.concat([all, chunk]);
            const start = at % (all.length + 1);
            const part = await file.read(start, all.length - start);
            expect(part.equals(all.subarray(start))).toBe(true);
          }
          expect(file.bytes).toBe(all.length);
          // Twice: a stream neither moves the end nor closes the file.
          expect((await buffer(file.stream())).equals(all)).toBe(true);
          await file.append(Buffer.from('end'));
          expect(
            (await buffer(file.stream())).equals(Buffer.concat([all, Buffer.from('end')])),
          ).toBe(true);
        } finally {
          await file.close();
        }
        expect(await readdir(directory)).toEqual([]);
      }),
      { seed: 20261123, numRuns: 20 },
    ),
  ));

it.skipIf(process.platform === 'win32')('has no file name that a crash could leave behind', () =>
  withTmpdir(async (directory) => {
    const file = await TemporaryFile.open('rows');
    await file.append(Buffer.from('secret'));
    expect(await readdir(directory)).toEqual([]);
    await file.close();
  }),
);

it.skipIf(process.platform !== 'linux')('is private, and cannot be used after closing', () =>
  withTmpdir(async (directory) => {
    const file = await TemporaryFile.open('rows');
    const [path = '', ...more] = await openFiles(directory);
    const { mode, nlink } = await stat(path);
    expect({ mode: mode & 0o777, nlink, more }).toEqual({ mode: 0o600, nlink: 0, more: [] });
    await file.close();
    expect(await openFiles(directory)).toEqual([]);
  }),
);

it('names its content and the directory when it cannot be stored', () =>
  withTmpdir(async (directory) => {
    process.env.TMPDIR = join(directory, 'missing');
    await expect(TemporaryFile.open('the form')).rejects.toMatchObject({
      code: 'io',
      message: `cannot store the form in ${join(directory, 'missing')} (TMPDIR): there is no such file or directory`,
    });
  }));
