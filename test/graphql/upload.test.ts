import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uploadForm } from '../../src/graphql/upload.ts';
import { readVariables } from '../../src/graphql/variables.ts';
import { temporaryDirectory } from '../support/cli.ts';
import type { Received } from '../support/server.ts';
import { answering, endpoint, failureOf, operationOf, parseObject } from './support.ts';

const DATA = '{"data":{"a":1}}';
const query = 'mutation ($f: [Upload!]!, $n: Float) { a }';

describe('uploadForm', () => {
  it('contains the operation, the paths of the files, and the files, in this order', () => {
    const variables = parseObject('{"f":[null,null,null],"n":1.0}');
    const form = uploadForm({ kind: 'mutation', query, operationName: 'A', variables }, [
      { path: 'variables.f.0', file: 'a.png' },
      { path: 'variables.f.1', file: 'dir/b "c".png', type: 'image/x-own' },
      { path: 'variables.f.2', file: 'png' },
    ]);
    expect(form).toEqual([
      {
        name: 'operations',
        value: `{"query":"${query}","operationName":"A","variables":{"f":[null,null,null],"n":1.0}}`,
      },
      { name: 'map', value: '{"0":["variables.f.0"],"1":["variables.f.1"],"2":["variables.f.2"]}' },
      { name: '0', file: 'a.png', type: 'image/png' },
      { name: '1', file: 'dir/b "c".png', type: 'image/x-own' },
      { name: '2', file: 'png', type: 'application/octet-stream' },
    ]);
  });
});

describe('an upload', () => {
  /** The fields of a form in order; files with their names, types and contents. */
  async function fieldsOf({ headers, body }: Received): Promise<unknown[]> {
    const type = headers['content-type'] ?? '';
    const form = await new Response(body, { headers: { 'Content-Type': type } }).formData();
    const fields: unknown[] = [];
    for (const [name, value] of form) {
      fields.push([
        name,
        ...(typeof value === 'string' ? [value] : [value.name, value.type, await value.text()]),
      ]);
    }
    return fields;
  }

  it('reaches a server as the value of its variable', async () => {
    const directory = await temporaryDirectory();
    const [a, b] = [join(directory, 'a.txt'), join(directory, '名字.csv')];
    await writeFile(a, '');
    await writeFile(b, '名字\r\n--mop-\n');
    const { json, uploads } = readVariables(operationOf(query), {
      given: [
        { key: 'n', text: '1.0', origin: 'literal' },
        { key: 'f[]', file: a },
        { key: 'f[]', file: b },
      ],
    });
    const headers = [
      ['Content-Type', 'text/plain'],
      ['GraphQL-Require-Preflight', '1'],
    ] as const;
    const { client, requests } = await endpoint(answering(200, DATA), { headers });
    await client.send({ kind: 'mutation', query, variables: json }, { uploads });
    const [request] = requests as [Received];
    expect(request.method).toBe('POST');
    expect(request.headers).toMatchObject({
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
      'content-length': String(Buffer.byteLength(request.body)),
      'graphql-require-preflight': '1',
      accept: expect.stringContaining('application/json'),
    });
    expect(await fieldsOf(request)).toEqual([
      ['operations', `{"query":"${query}","variables":{"n":1.0,"f":[null,null]}}`],
      ['map', '{"0":["variables.f.0"],"1":["variables.f.1"]}'],
      ['0', 'a.txt', 'text/plain', ''],
      ['1', '名字.csv', 'text/csv', '名字\r\n--mop-\n'],
    ]);
  });

  it('is sent whole again when it is retried', async () => {
    const file = join(await temporaryDirectory(), 'a.txt');
    await writeFile(file, 'content');
    const { client, requests } = await endpoint(
      (request, response, index) =>
        answering(index === 0 ? 503 : 200, index === 0 ? 'busy' : DATA)(request, response, index),
      { retries: 1 },
    );
    const uploads = [{ path: 'variables.f', file }];
    await client.send({ kind: 'mutation', query }, { uploads });
    const [first, second] = await Promise.all(requests.map(fieldsOf));
    expect(requests).toHaveLength(2);
    expect(second).toEqual(first);
    expect(second?.at(-1)).toEqual(['0', 'a.txt', 'text/plain', 'content']);
  });

  it.each([
    ['a missing file', 'none.txt', /^(?:io|usage)$/],
    ['a directory', '.', /^usage$/],
  ])('%s is rejected', async (_, name, code) => {
    const file = join(await temporaryDirectory(), name);
    const { client, requests } = await endpoint(answering(200, DATA));
    const uploads = [{ path: 'variables.f', file }];
    const error = await failureOf(() => client.send({ kind: 'mutation', query }, { uploads }));
    expect(error.code).toMatch(code);
    expect(error.message).toContain(file);
    expect(requests).toEqual([]);
  });
});
