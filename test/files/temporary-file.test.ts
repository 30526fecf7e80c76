import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryName } from '../../src/files/abandoned.ts';
import { processMark } from '../../src/files/process-identity.ts';
import { TemporaryFile } from '../../src/files/temporary-file.ts';

const PREFIX = 'mop-temporary-';

const names = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));

it('returns what was written, as a whole and in parts', async () => {
  const file = await TemporaryFile.open('rows');
  await file.append(Buffer.from('one'));
  await file.append(Buffer.from('two'));
  expect(file.bytes).toBe(6);
  expect(await text(file.stream())).toBe('onetwo');
  expect(`${await file.read(2, 3)}`).toBe('etw');
  expect(await names()).toEqual([]);
  await file.close();
});

it('removes what a killed process left, and nothing of a running one', async () => {
  const own = temporaryName(PREFIX);
  // No process has this id.
  const left = own.replace(processMark(), '4194305.1');
  for (const name of [own, left]) await mkdir(join(tmpdir(), name, 'content'), { recursive: true });
  await (await TemporaryFile.open('rows')).close();
  expect(await names()).toEqual([own]);
  await rm(join(tmpdir(), own), { recursive: true });
});

it('fails with the name of its content where it cannot be written', async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = '/no/such/directory';
  try {
    await expect(TemporaryFile.open('rows')).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^cannot store rows in \/no\/such\/directory \(TMPDIR\): /),
    });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});
