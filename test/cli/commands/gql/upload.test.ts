import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, file } from '../../support.ts';
import { files, gqlAt, served, service } from './support.ts';

describe('--upload', () => {
  interface Form {
    readonly type: string;
    readonly preflight: unknown;
    readonly length: string | undefined;
    readonly size: number;
    /** Names and texts, or the names, types and contents of files. */
    readonly parts: readonly (readonly [string, unknown])[];
  }

  /** A server that takes multipart requests apart, with a reader that is not ours. */
  async function uploads(statuses: readonly number[] = []) {
    const forms: Form[] = [];
    const endpoint = await served(async (request, response) => {
      const body = await buffer(request);
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(body, { headers: { 'Content-Type': type } }).formData();
      const parts = await Promise.all(
        [...form].map(async ([name, value]) =>
          typeof value === 'string'
            ? ([name, JSON.parse(value)] as const)
            : ([name, [value.name, value.type, Buffer.from(await value.arrayBuffer())]] as const),
        ),
      );
      const length = request.headers['content-length'];
      const preflight = request.headers['apollo-require-preflight'];
      forms.push({ type, preflight, length, size: body.length, parts });
      const status = statuses[forms.length - 1] ?? 200;
      response.writeHead(status).end(status === 200 ? '{"data":{"ok":true}}' : 'busy');
    });
    return { gql: gqlAt(endpoint), forms };
  }

  const BYTES = Buffer.from([0, 255, 13, 10, 45, 45, 128]);

  it('sends a file in the place of a variable', async () => {
    const { gql, forms } = await uploads();
    const path = await file(BYTES, { name: '账单 1.bin' });
    const query = 'mutation Put($f: Upload!, $n: Float) { put(f: $f) { id } }';
    const result = await gql([query, '--upload', `f=@${path}`, '-F', 'n=1.0']);
    expect([result.code, result.stdout, result.stderr]).toEqual([0, '{"data":{"ok":true}}\n', '']);
    const [{ type, preflight, length, size, parts } = {} as Form] = forms;
    expect(preflight).toBe('true');
    expect(type).toMatch(/^multipart\/form-data; boundary=\S+$/);
    expect(length).toBe(`${size}`);
    expect(parts).toEqual([
      ['operations', { query, operationName: 'Put', variables: { n: 1, f: null } }],
      ['map', { 0: ['variables.f'] }],
      ['0', ['账单 1.bin', 'application/octet-stream', BYTES]],
    ]);
  });

  it('sends several files, into lists and objects', async () => {
    const { gql, forms } = await uploads();
    const [a, b] = [await file('a', { name: 'a.txt' }), await file('', { name: 'b.txt' })];
    const many = 'mutation ($l: [Upload!]!, $i: In!) { put(l: $l, i: $i) }';
    const args = [
      '--upload',
      `l[]=@${a}`,
      '--upload',
      `l[]=@${b}`,
      '--upload',
      `i[doc][file]=@${a}`,
    ];
    const result = await gql([many, ...args, '-f', 'i[doc][name]=x']);
    expect([result.code, result.stderr]).toEqual([0, '']);
    const [{ parts } = {} as Form] = forms;
    expect(parts).toEqual([
      [
        'operations',
        {
          query: many,
          variables: { l: [null, null], i: { doc: { name: 'x', file: null } } },
        },
      ],
      ['map', { 0: ['variables.l.0'], 1: ['variables.l.1'], 2: ['variables.i.doc.file'] }],
      ['0', ['a.txt', 'text/plain', Buffer.from('a')]],
      ['1', ['b.txt', 'text/plain', Buffer.alloc(0)]],
      ['2', ['a.txt', 'text/plain', Buffer.from('a')]],
    ]);
  });

  it('keeps the variables given as JSON', async () => {
    const { gql, forms } = await uploads();
    const a = await file('a', { name: 'a' });
    const query = 'mutation ($i: In!) { put(i: $i) }';
    await gql([query, '--variables', '{"i":{"n":1,"all":[null]}}', '--upload', `i[all][]=@${a}`]);
    expect(forms[0]?.parts.slice(0, 2)).toEqual([
      ['operations', { query, variables: { i: { n: 1, all: [null, null] } } }],
      ['map', { 0: ['variables.i.all.1'] }],
    ]);
  });

  it('has the type of its extension, or the given one', async () => {
    const { gql, forms } = await uploads();
    const names = ['a.png', 'b.CSV', 'c.xlsx', 'none', 'd.constructor', 'e;f.pdf', 'g.pdf;type=x'];
    const paths = await Promise.all(names.map((name) => file('x', { name })));
    const given = [
      ...paths,
      `${paths[0]};type=image/svg+xml`,
      `${paths[5]};type=a/b;charset=utf-8`,
    ];
    const query = 'mutation ($f: [Upload!]!) { put(f: $f) }';
    const args = given.flatMap((path) => ['--upload', `f[]=@${path}`]);
    const { code, stderr } = await gql([query, ...args]);
    expect([code, stderr]).toEqual([0, '']);
    const received = forms[0]?.parts.slice(2).map(([, file]) => (file as string[]).slice(0, 2));
    expect(received).toEqual([
      ['a.png', 'image/png'],
      ['b.CSV', 'text/csv'],
      ['c.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['none', 'application/octet-stream'],
      ['d.constructor', 'application/octet-stream'],
      ['e;f.pdf', 'application/pdf'],
      ['g.pdf;type=x', 'application/octet-stream'],
      ['a.png', 'image/svg+xml'],
      ['e;f.pdf', 'a/b;charset=utf-8'],
    ]);
    const shown = await gql([query, '--upload', `f[]=@${given[7]}`, '--dry-run']);
    expect(shown.stdout).toContain(`'0=@"${paths[0]}";type=image/svg+xml'`);
    const json = await gql([query, '--upload', `f[]=@${paths[0]}`, '--dry-run', '--json']);
    expect(JSON.parse(json.stdout).form[2]).toMatchObject({ file: paths[0], type: 'image/png' });
  });

  it('accepts custom headers, but sets the Content-Type of the form itself', async () => {
    const { gql, forms } = await uploads();
    const path = await file('a');
    const lines = ['-H', 'Content-Type: application/json', '-H', 'Apollo-Require-Preflight: 1'];
    const args = ['mutation ($f: Upload!) { put(f: $f) }', '--upload', `f=@${path}`, ...lines];
    expect((await gql(args)).code).toBe(0);
    expect(forms[0]?.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(forms[0]?.preflight).toBe('1');
  });

  it('sends the whole form again on a retry', async () => {
    const { gql, forms } = await uploads([503]);
    const path = await file(BYTES);
    const args = ['mutation ($f: Upload!) { put(f: $f) }', '--upload', `f=@${path}`];
    expect((await gql([...args, '--retries', '1'])).code).toBe(0);
    expect(forms).toHaveLength(2);
    expect(forms[1]?.parts).toEqual(forms[0]?.parts);
    expect(forms[1]?.parts.at(-1)).toEqual(['0', ['file', 'application/octet-stream', BYTES]]);
  });

  it('with invalid arguments is refused, and nothing is sent', () =>
    checkRows<[message: string, args: (path: string, directory: string) => string[]]>(
      [
        ['/does/not/exist: there is no such file', () => ['--upload', 'f=@/does/not/exist']],
        ['not a regular file', (_, directory) => ['--upload', `f=@${directory}`]],
        ['--upload takes key=@path', (path) => ['--upload', `f=${path}`]],
        ['--upload takes key=@path', () => ['--upload', 'f']],
        ['declares no variable $g', (path) => ['--upload', `g=@${path}`]],
        ['f is given twice', (path) => ['--upload', `f=@${path}`, '--upload', `f=@${path}`]],
        ['f is given twice', (path) => ['--upload', `f=@${path}`, '-F', 'f=1']],
        ['--get', (path) => ['--upload', `f=@${path}`, '--get']],
        ['--upload belongs to', (path) => ['--upload', `f=@${path}`, '--paginate']],
        ['--upload belongs to', (path) => ['--upload', `f=@${path}`, '--transport', 'sse']],
        ['--upload belongs to', (path) => ['--upload', `f=@${path}`, '--transport', 'ws']],
      ],
      async ([message, args]) => {
        const { gql, requests } = await service();
        const path = await file('x');
        const given = args(path, await temporaryDirectory());
        expectFailure(await gql(['query ($f: Upload) { put(f: $f) }', ...given]), 2, message);
        expect(requests).toEqual([]);
      },
    ));

  it('is the hint for a file that -F would read as a text', () =>
    checkRows<[types: string, key: string, upload: string]>(
      [
        ['$f: Upload!', 'f', 'f'],
        ['$f: [Upload!]', 'f', "'f[]"],
        ['$f: [Upload!]', 'f[]', "'f[]"],
      ],
      async ([types, key, upload]) => {
        const { gql, requests } = await service();
        // Bytes that are not a text.
        const path = await file(BYTES, { name: 'a.bin' });
        const result = await gql([`query (${types}) { put(f: $f) }`, '-F', `${key}=@${path}`]);
        expectFailure(result, 2, `${key} takes a file`, `--upload ${upload}=@${path}`);
        expect(requests).toEqual([]);
      },
    ));

  it('is not the hint of mop gql run, which sends nothing', async () => {
    const [schema = '', data = '', text = ''] = await files({
      'schema.graphql': 'scalar Upload type Query { size(file: Upload): Int }',
      'data.json': '{"size": 1}',
      'a.txt': 'a',
    });
    const query = 'query ($f: Upload) { size(file: $f) }';
    const args = ['run', query, '--schema', schema, '--data', data, '-F', `f=@${text}`];
    expect(await mop(['gql', ...args])).toMatchObject({ code: 0, stdout: '{"data":{"size":1}}\n' });
  });

  // Without the file, null would be sent in its place.
  it('is refused for a WebSocket endpoint', async () => {
    const path = await file('x');
    const { endpoint, requests } = await service();
    const args = ['query ($f: Upload) { put(f: $f) }', '--upload', `f=@${path}`];
    expectFailure(await gqlAt(endpoint.replace('http', 'ws'))(args), 2, '--upload');
    expect(requests).toEqual([]);
  });
});
