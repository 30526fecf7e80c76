import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { fileError, withoutAtHint } from '../../src/files/file-error.ts';

describe('fileError', () => {
  function failure(code: string): Error {
    return Object.assign(new Error(`${code}, write`), { code, syscall: 'write' });
  }

  it.each([
    ['ENOSPC', 'the disk is full', 'no file was replaced'],
    ['EDQUOT', 'the disk quota is used up', 'no file was replaced'],
    ['EACCES', 'permission denied', 'permissions'],
    ['EROFS', 'the file system is read-only', 'another directory'],
    ['EIO', 'write failed with EIO', 'check the disk'],
  ])('explains %s', (code, reason, hint) => {
    const cause = failure(code);
    expect(fileError(cause, 'cannot write x')).toMatchObject({
      code: 'io',
      message: `cannot write x: ${reason}`,
      cause,
      details: { hint: expect.stringContaining(hint) },
    });
  });

  it("explains errors of Node's permission model, which have no syscall", () => {
    const cause = Object.assign(new Error('denied'), { code: 'ERR_ACCESS_DENIED' });
    expect(fileError(cause, 'cannot write x')).toMatchObject({
      code: 'io',
      message: "cannot write x: Node's permission model forbids it",
    });
  });

  it('explains only errors that the system defines', async () => {
    const error: unknown = await readFile(tmpdir()).catch((error: unknown) => error);
    expect(fileError(error, 'cannot read it')).toMatchObject({
      code: 'io',
      message: 'cannot read it: it is a directory',
    });
  });

  it.each([
    ['a MopError', new MopError('usage', 'x')],
    ['a bug', new TypeError('x')],
    [
      'an error of Node that is not from the system',
      Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' }),
    ],
    ['a value that is not an error', 'a text'],
  ])('returns %s unchanged', (_, thrown) => {
    expect(fileError(thrown, 'x')).toBe(thrown);
  });
});

describe('withoutAtHint', () => {
  it.each([
    ['no-such-file', undefined],
    ['@no-such-file', 'leave out the @, and check the path: no-such-file'],
  ])('is for %s: %s', (path, hint) => {
    expect(withoutAtHint(path)).toBe(hint);
  });
});
