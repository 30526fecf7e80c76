import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BOUNDARY, filePart, formBody, type Part, send, start, textPart } from '../support.ts';
import { type Result, resultOf } from './support.ts';

const QUERY = 'mutation ($files: [Upload!]!) { attach(files: $files) { name bytes md5 } }';

async function upload(
  parts: readonly Part[],
  accept = '*/*',
): Promise<{ readonly status: number; readonly result: Result; readonly text: string }> {
  const { url } = await start();
  const reply = await send(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, Accept: accept },
    body: formBody(parts),
  });
  const text = reply.body.toString();
  return { status: reply.status, result: accept === '*/*' ? resultOf(reply) : {}, text };
}

function operations(count: number): Part {
  const variables = { files: Array(count).fill(null) };
  return textPart('operations', JSON.stringify({ query: QUERY, variables }));
}

function map(value: unknown): Part {
  return textPart('map', JSON.stringify(value));
}

function receipt(name: string, content: string | Uint8Array): object {
  const md5 = createHash('md5').update(content).digest('hex');
  return { name, bytes: Buffer.byteLength(content), md5 };
}

const FILE = filePart('0', 'a.txt', 'hello');
const BYTES = Buffer.from([0, 255, 13, 10]);

test('one file is received', async () => {
  const { status, result } = await upload([operations(1), map({ 0: ['variables.files.0'] }), FILE]);
  expect([status, result]).toEqual([200, { data: { attach: [receipt('a.txt', 'hello')] } }]);
});

test('several files are received, and one may have several places', async () => {
  const places = { b: ['variables.files.0', 'variables.files.2'], 0: ['variables.files.1'] };
  const parts = [operations(3), map(places), FILE, filePart('b', '名.bin', BYTES)];
  const { result } = await upload(parts);
  const second = receipt('名.bin', BYTES);
  expect(result).toEqual({ data: { attach: [second, receipt('a.txt', 'hello'), second] } });
});

test('files may be sent for a stream', async () => {
  const parts = [operations(1), map({ 0: ['variables.files.0'] }), FILE];
  const { text } = await upload(parts, 'text/event-stream');
  expect(text).toContain(JSON.stringify({ data: { attach: [receipt('a.txt', 'hello')] } }));
});

test('a form without files may be any operation', async () => {
  const query = JSON.stringify({ query: '{ detections { id } }' });
  const { result } = await upload([textPart('operations', query), map({})]);
  expect(result).toEqual({ data: { detections: [] } });
});

describe('a form is refused', () => {
  const good = map({ 0: ['variables.files.0'] });
  const noNull = (path: string): string =>
    `"${path}" of map is not the path of a null in operations`;
  test.each<[string, readonly Part[], string]>([
    ['without operations', [good, FILE], 'the form has no JSON object in its field operations'],
    [
      'with operations that are not an object',
      [textPart('operations', '[]'), good, FILE],
      'the form has no JSON object in its field operations',
    ],
    ['without a map', [operations(1), FILE], 'the form has no JSON object in its field map'],
    [
      'with a map that is not JSON',
      [operations(1), textPart('map', '{'), FILE],
      'the form has no JSON object in its field map',
    ],
    ['without the file of the map', [operations(1), good], 'the form has no file "0"'],
    [
      'with a text instead of the file',
      [operations(1), good, textPart('0', 'x')],
      'the form has no file "0"',
    ],
    [
      'with a path that is not in a list',
      [operations(1), map({ 0: 'variables.files.0' }), FILE],
      '"0" of map is not a list',
    ],
    ...[
      'variables.files.1',
      'variables.files',
      'variables.files.0.x',
      'variables',
      'query',
      'nothing',
      '',
      '__proto__.x',
      'variables.files.length',
      '0.variables.files.0',
    ].map((path): [string, Part[], string] => [
      `with the path ${JSON.stringify(path)}`,
      [operations(1), map({ 0: [path] }), FILE],
      noNull(path),
    ]),
  ])('%s', async (_, parts, message) => {
    const { status, result } = await upload(parts);
    expect([status, result]).toEqual([400, { errors: [{ message }] }]);
  });

  test('that is truncated', async () => {
    const { url } = await start();
    const body = formBody([operations(1), map({}), FILE]).subarray(0, -10);
    const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
    const reply = await send(`${url}/graphql`, { method: 'POST', headers, body });
    expect(reply.status).toBe(400);
    expect(resultOf(reply).errors?.[0]?.message).toContain('ends before');
  });
});

test.each([['"a.txt"'], ['{"name":"a.txt","file":"a.txt","bytes":1,"md5":"0"}'], ['1']])(
  '%s in JSON is not a file',
  async (file) => {
    const { url } = await start();
    const headers = { 'Content-Type': 'application/json' };
    const body = `{"query":${JSON.stringify(QUERY)},"variables":{"files":[${file}]}}`;
    const reply = await send(`${url}/graphql`, { method: 'POST', headers, body });
    expect(resultOf(reply).errors).toMatchObject([
      {
        message: expect.stringContaining('an Upload must be a file of a multipart request'),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  },
);
