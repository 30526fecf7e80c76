import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encryptParameters } from '../../src/sandbox/encryption.ts';
import { readForm } from '../../src/server/form.ts';
import {
  BOUNDARY,
  call,
  callForm,
  filePart,
  formBody,
  NOW,
  send,
  start,
  textPart,
} from '../sandbox/support.ts';

const MIB = 1024 * 1024;
const md5 = (content: string | Uint8Array): string =>
  createHash('md5').update(content).digest('hex');

describe('a form', () => {
  test('is signed over its text fields, and its files are reported', async () => {
    const image = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
    const body = formBody([
      textPart('openId', 'o-1'),
      filePart('front', '正面 "1".jpg'.replaceAll('"', '%22'), image),
      textPart('amount', '1.10'),
      filePart('empty', '', ''),
      textPart('名字', '杭州\r\n🚕 '),
    ]);
    const texts = { openId: 'o-1', amount: '1.10', 名字: '杭州\r\n🚕 ' };
    expect(await callForm(await start(), texts, body)).toEqual({
      code: 0,
      message: 'Success',
      data: {
        ...texts,
        files: [
          { name: 'front', filename: '正面 "1".jpg', bytes: 70_000, md5: md5(image) },
          { name: 'empty', filename: '', bytes: 0, md5: md5('') },
        ],
      },
    });
  });

  test('may have no fields, and text around it', async () => {
    const sandbox = await start();
    const empty = { code: 0, message: 'Success', data: { files: [] } };
    expect(await callForm(sandbox, {}, formBody([]))).toEqual(empty);
    const around = `before\r\n${formBody([textPart('a', 'b')])}after${'\r\n'.repeat(50_000)}`;
    expect((await callForm(sandbox, { a: 'b' }, around)).data).toEqual({ a: 'b', files: [] });
  });

  test('is accepted by every operation', async () => {
    const sandbox = await start();
    const { encryptData, encryptId } = encryptParameters('{}', NOW);
    const calls = {
      '/trade/bill': { bill_date: '2026-11-19', bill_type: '0', tar_type: '1' },
      '/param/decode': { encrypt_data: encryptData, encrypt_id: encryptId },
      '/takecar/estimate/price': { city: '杭州', lat: '30.27' },
    };
    for (const [path, texts] of Object.entries(calls)) {
      const parts = Object.entries(texts).map(([name, value]) => textPart(name, value));
      const answer = await callForm(sandbox, texts, formBody(parts), { path });
      expect([path, answer.code]).toEqual([path, 0]);
    }
  });

  test('with signed files is diagnosed', async () => {
    const body = formBody([textPart('a', 'b'), filePart('f', 'name.txt', 'content')]);
    expect(await callForm(await start(), { a: 'b', f: 'name.txt' }, body)).toMatchObject({
      code: 1002,
      data: { diagnosis: [{ id: 'multipart-file-included' }] },
    });
  });

  test.each([
    'Multipart/Form-Data; boundary="boundary-of-the-test"',
    'multipart/form-data; charset=utf-8; boundary=boundary-of-the-test',
  ])('is read with the Content-Type %s', async (contentType) => {
    const body = formBody([textPart('a', 'b')]);
    expect((await callForm(await start(), { a: 'b' }, body, { contentType })).code).toBe(0);
  });

  test('is refused with 1001 in body mode', async () => {
    const { url } = await start();
    const reply = await send(`${url}/open/v1/user/sync`, {
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: formBody([textPart('a', 'b')]),
    });
    expect(JSON.parse(reply.body.toString())).toEqual({
      code: 1001,
      message: 'a form needs header mode: body mode takes JSON',
      data: {},
    });
  });
});

const TRUNCATED = 'the form ends before its last boundary';

describe('1001 is the answer to', () => {
  test.each([
    ['a repeated name', [textPart('a', '1'), textPart('a', '1')], 'the field "a" occurs twice'],
    [
      'a text and a file with the same name',
      [textPart('a', '1'), filePart('a', 'x', '')],
      'the field "a" occurs twice',
    ],
    [
      'a field without a name',
      [{ head: 'Content-Disposition: form-data', content: '1' }],
      'the form has a field without a name',
    ],
  ])('%s', async (_, parts, message) => {
    const answer = { code: 1001, message, data: {} };
    expect(await callForm(await start(), { a: '1' }, formBody(parts))).toEqual(answer);
  });

  test.each([
    ['an empty body', ''],
    ['a body that is not a form', '{"a":"b"}'],
    ['a form without its end', formBody([textPart('a', 'b')]).subarray(0, -6)],
    ['a truncated text', formBody([textPart('a', 'bcdefg')]).subarray(0, -35)],
    [
      'a truncated file',
      formBody([textPart('a', 'b'), filePart('f', 'x', 'y'.repeat(200_000))]).subarray(0, 100_000),
    ],
    ['a truncated part header', formBody([textPart('a', 'b')]).subarray(0, 40)],
  ])('%s', async (_, body) => {
    const sandbox = await start();
    expect(await callForm(sandbox, { a: 'b' }, body)).toEqual({
      code: 1001,
      message: TRUNCATED,
      data: {},
    });
    expect((await call(sandbox)).code).toBe(0);
  });

  test('a boundary that differs from the header', async () => {
    const options = { contentType: 'multipart/form-data; boundary=other' };
    const body = formBody([textPart('a', 'b')]);
    expect(await callForm(await start(), { a: 'b' }, body, options)).toMatchObject({
      code: 1001,
      message: TRUNCATED,
    });
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; charset=utf-8',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
  ])('the Content-Type %s', async (contentType) => {
    const body = formBody([textPart('a', 'b')]);
    expect(await callForm(await start(), { a: 'b' }, body, { contentType })).toMatchObject({
      code: 1001,
      message: 'the Content-Type of the form has no usable boundary',
    });
  });

  test('a text field with the name of a signed header', async () => {
    const body = formBody([textPart('X-TMS-Nonce', 'x')]);
    expect(await callForm(await start(), {}, body)).toMatchObject({ code: 1001 });
  });
});

describe('limits', () => {
  const large = 'x'.repeat(MIB - 1);

  test('text fields have up to 1 MiB in total, including names', async () => {
    const sandbox = await start();
    expect(await callForm(sandbox, { a: large }, formBody([textPart('a', large)]))).toMatchObject({
      code: 0,
    });
    const answer = { code: 1001, message: 'the form has more than 1 MiB of text', data: {} };
    for (const parts of [
      [textPart('ab', large)],
      [textPart('a', large), textPart('b', '')],
      [textPart('a', 'x'.repeat(2 * MIB))],
      [textPart('a', large), filePart('f', 'x', '')],
    ]) {
      expect(await callForm(sandbox, {}, formBody(parts))).toEqual(answer);
    }
  });

  test('a form has up to 1000 fields', async () => {
    const sandbox = await start();
    const names = Array.from({ length: 1001 }, (_, index) => `n${index}`);
    const parts = names.map((name) => textPart(name, ''));
    const texts = Object.fromEntries(names.slice(1).map((name) => [name, '']));
    expect(await callForm(sandbox, texts, formBody(parts.slice(1)))).toMatchObject({ code: 0 });
    expect(await callForm(sandbox, texts, formBody(parts))).toEqual({
      code: 1001,
      message: 'the form has more than 1000 fields',
      data: {},
    });
  });
});

test('the sandbox survives a client that disconnects within a form', async () => {
  const sandbox = await start();
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname);
  const body = formBody([filePart('f', 'x', 'y'.repeat(100_000))]);
  socket.write(
    `POST /api/open/user/sync HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n` +
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n`,
  );
  socket.write(body.subarray(0, 50_000), () => socket.destroy());
  await once(socket, 'close');
  expect((await call(sandbox)).code).toBe(0);
});

describe('readForm', () => {
  const parts = [
    textPart('b', '杭州'),
    filePart('f', 'x.bin', '\r\n--boundary-of'),
    textPart('1', ''),
  ];
  const form = formBody(parts);

  test('returns the fields in order, for any split of the bytes', async () => {
    const fields = [
      { name: 'b', value: '杭州' },
      { name: 'f', file: 'x.bin', bytes: 15, md5: md5('\r\n--boundary-of') },
      { name: '1', value: '' },
    ];
    for (let size = 1; size < form.length; size++) {
      expect(await readForm(arriving(form, size))).toEqual(fields);
    }
  });

  test('returns a form or fails after any change', async () => {
    const damage = fc.record({
      at: fc.nat({ max: form.length }),
      removed: fc.nat({ max: 60 }),
      inserted: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc
          .constantFrom('\r\n', '--', '"', ';', '\0', `--${BOUNDARY}`, `\r\n--${BOUNDARY}--\r\n`)
          .map((text) => Buffer.from(text)),
      ),
      size: fc.integer({ min: 1, max: form.length }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, removed, inserted, size }) => {
        const damaged = [form.subarray(0, at), inserted, form.subarray(at + removed)];
        const outcome = await readForm(arriving(Buffer.concat(damaged), size)).catch(
          (error: unknown) => error,
        );
        if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ code: 'usage' });
      }),
      { numRuns: 300 },
    );
  });
});

/** A request whose body arrives in chunks of `size` bytes. */
function arriving(body: Buffer, size: number): IncomingMessage {
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return Object.assign(Readable.from(chunks), { headers }) as unknown as IncomingMessage;
}
