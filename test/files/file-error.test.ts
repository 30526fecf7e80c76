import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { fileError } from '../../src/files/file-error.ts';

describe('fileError', () => {
  function failure(code: string): Error {
    return Object.assign(new Error(`${code}, write`), { code, syscall: 'write' });
  }

  it.each([
    ['ENOSPC', 'the disk is full', 'nothing was replaced'],
    ['EDQUOT', 'the disk quota is used up', 'nothing was replaced'],
    ['EACCES', 'permission denied', 'permissions'],
    ['EROFS', 'the file system is read-only', 'another place'],
    ['EIO', 'write failed with EIO', 'check the disk'],
  ])('says what %s means', (code, reason, hint) => {
    const cause = failure(code);
    expect(fileError(cause, 'cannot write x')).toMatchObject({
      code: 'io',
      message: `cannot write x: ${reason}`,
      cause,
      details: { hint: expect.stringContaining(hint) },
    });
  });

  it("knows those of Node's permission model, which name no call of the system", () => {
    const cause = Object.assign(new Error('denied'), { code: 'ERR_ACCESS_DENIED' });
    expect(fileError(cause, 'cannot write x')).toMatchObject({
      code: 'io',
      message: "cannot write x: Node's permission model forbids it",
    });
  });

  it('knows the errors of the system', async () => {
    const error: unknown = await readFile(tmpdir()).catch((error: unknown) => error);
    expect(fileError(error, 'cannot read it')).toMatchObject({
      code: 'io',
      message: 'cannot read it: it is a directory',
    });
  });

  it.each([
    ['what is known already', new MopError('usage', 'x')],
    ['a bug', new TypeError('x')],
    ['what is not of the system', Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['no error', 'a text'],
  ])('passes on %s', (_, thrown) => {
    expect(fileError(thrown, 'x')).toBe(thrown);
  });
});
