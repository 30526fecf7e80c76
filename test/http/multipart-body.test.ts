import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { FormField } from '../../src/http/multipart.ts';
import { multipartForm } from '../../src/http/multipart-body.ts';
import { readMultipart } from '../../src/signing/capture/form-data.ts';
import { temporaryDirectory } from '../support/cli.ts';

async function fileOf(content: string | Uint8Array, name = 'file'): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  return path;
}

it('sends exactly the announced bytes, the same on each read', async () => {
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 256));
  const form: FormField[] = [
    { name: 'a"b', value: 'line\nüñ\r\n' },
    { name: 'f', file: await fileOf(content, 'na"me\nx') },
    { name: 'empty', file: await fileOf('') },
    { name: 'last', value: '' },
  ];
  const { contentType, body } = await multipartForm(form);
  const sent = await buffer(body.read());
  expect(sent.length).toBe(body.length);
  expect((await buffer(body.read())).equals(sent)).toBe(true);

  const { body: fields } = readMultipart(sent, contentType, 'http');
  expect(fields).toEqual([
    { name: 'a"b', value: 'line\nüñ\r\n' },
    { name: 'f', file: 'na"me\nx', content },
    { name: 'empty', file: 'file', content: Buffer.of() },
    { name: 'last', value: '' },
  ]);
});

it('uses a new boundary for each form', async () => {
  const types = await Promise.all([multipartForm([]), multipartForm([])]);
  expect(types[0]?.contentType).not.toBe(types[1]?.contentType);
});

it('sends the announced bytes of a growing file and fails for a shrinking file', async () => {
  const path = await fileOf('0123456789');
  const { body } = await multipartForm([{ name: 'f', file: path }]);
  await writeFile(path, '0123456789 and more');
  expect((await buffer(body.read())).toString()).toContain('\r\n\r\n0123456789\r\n--');

  await truncate(path, 4);
  await expect(buffer(body.read())).rejects.toMatchObject({
    code: 'io',
    message: `${path} became shorter while it was sent`,
  });
});

it('fails for a missing file', async () => {
  const path = await fileOf('x');
  const { body } = await multipartForm([{ name: 'f', file: path }]);
  await rm(path);
  const gone = { code: 'io', message: `cannot read ${path}: there is no such file or directory` };
  await expect(buffer(body.read())).rejects.toMatchObject(gone);
  await expect(multipartForm([{ name: 'f', file: path }])).rejects.toMatchObject(gone);
});
