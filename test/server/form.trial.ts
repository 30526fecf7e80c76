import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { callForm, filePart, formBody, start } from '../sandbox/support.ts';

const MIB = 1024 * 1024;

test('files of a form have up to 64 MiB in total', async () => {
  const sandbox = await start();
  const half = Buffer.alloc(32 * MIB, 'x');
  const largest = [filePart('a', 'a.bin', half), filePart('b', 'b.bin', half)];
  const facts = { bytes: 32 * MIB, md5: createHash('md5').update(half).digest('hex') };
  expect((await callForm(sandbox, {}, formBody(largest))).data).toEqual({
    files: [
      { name: 'a', filename: 'a.bin', ...facts },
      { name: 'b', filename: 'b.bin', ...facts },
    ],
  });
  expect(await callForm(sandbox, {}, formBody([...largest, filePart('c', 'c', 'x')]))).toEqual({
    code: 1001,
    message: 'the form has more than 64 MiB of files',
    data: {},
  });
});
