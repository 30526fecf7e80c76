import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure, file } from '../../support.ts';
import { answer, executableSchema, executing, gql, jsonLines, service } from './support.ts';

const HOUR = 3_600_000;

describe('a schema of an endpoint', () => {
  const schema = executableSchema();

  /** Validates against a URL, with a cache of its own. */
  async function caching(handler: Handler = executing(schema)) {
    const server = await service(handler);
    const directory = join(await temporaryDirectory(), 'config');
    const document = await file('{ hello }');
    const validate = (args: readonly string[] = [], now = NOW) =>
      mop(['gql', 'validate', document, '--schema', server.endpoint, ...args], {
        env: { MOP_CONFIG_DIR: directory },
        now: () => now,
      });
    const cache = join(directory, 'cache');
    return { ...server, directory, cache, validate };
  }

  it('is requested once and cached for an hour', async () => {
    const { validate, requests } = await caching();
    for (const [now, count, age] of [
      [NOW, 1, undefined],
      [NOW, 1, 'less than a minute'],
      [NOW + HOUR, 1, '60 minutes'],
      [NOW + HOUR + 1, 2, undefined],
      [NOW + HOUR + 2, 2, 'less than a minute'],
      // A clock that was set back.
      [NOW - 1, 3, undefined],
    ] as const) {
      const note = age
        ? `the schema was cached ${age} ago; --refresh fetches it again\nvalid\n`
        : 'valid\n';
      expect(await validate([], now)).toMatchObject({ code: 0, stdout: '', stderr: note });
      expect([now, requests.length]).toEqual([now, count]);
    }
  });

  it('that is invalid is not cached, and is an error of the endpoint', async () => {
    const broken = { __schema: { queryType: { name: 'Query' }, types: [], directives: [] } };
    const { validate, requests } = await caching((request, response, index) =>
      index === 0
        ? response.end(JSON.stringify({ data: broken }))
        : executing(schema)(request, response, index),
    );
    const { code, stderr } = await validate();
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/unknown type: Query.*--assume-valid-schema/s),
    ]);
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('is requested again with --refresh, and cached again', async () => {
    const { validate, requests } = await caching();
    await validate();
    expect((await validate(['--refresh'], NOW + HOUR)).code).toBe(0);
    expect(requests).toHaveLength(2);
    expect((await validate([], NOW + 2 * HOUR)).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('is cached for each credential, in private files', async () => {
    const { validate, requests, cache, directory } = await caching();
    const tokens = ['Authorization: Bearer canary-1', 'Authorization: Bearer canary-2'];
    for (const line of [...tokens, ...tokens]) expect((await validate(['-H', line])).code).toBe(0);
    await validate();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer canary-1',
      'Bearer canary-2',
      undefined,
    ]);
    const names = await readdir(cache);
    expect(names).toHaveLength(3);
    for (const name of names) {
      expect((await stat(join(cache, name))).mode & 0o777).toBe(0o600);
      expect(name + (await readFile(join(cache, name), 'utf8'))).not.toContain('canary');
    }
    expect(await readdir(directory)).toEqual(['cache']);
  });

  // The cache may create the configuration directory, which must be private.
  it('is cached in a private directory', async () => {
    const { validate, directory } = await caching();
    const before = process.umask(0o022);
    onTestFinished(() => void process.umask(before));
    await validate();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('is cached for each URL', async () => {
    const { requests, endpoint, directory } = await caching();
    const document = await file('{ hello }');
    for (const url of [endpoint, `${endpoint}?tenant=b`, `${endpoint}?tenant=b`]) {
      await mop(['gql', 'validate', document, '--schema', url], {
        env: { MOP_CONFIG_DIR: directory },
      });
    }
    expect(requests).toHaveLength(2);
  });

  it('is cached with --endpoint, MOP_GQL_URL and --schema of an operation', async () => {
    const { requests, endpoint, directory } = await caching();
    const document = await file('{ hello }');
    const env = { MOP_CONFIG_DIR: directory };
    for (const [args, more] of [
      [['validate', document, '--endpoint', endpoint], {}],
      [['validate', document], { MOP_GQL_URL: endpoint }],
      [['run', '{ hello }', '--schema', endpoint, '--data', await file('{"hello":"a"}')], {}],
    ] as const) {
      expect((await mop(['gql', ...args], { env: { ...env, ...more } })).code).toBe(0);
    }
    expect(requests).toHaveLength(1);
    const { stdout } = await mop(
      ['gql', '{ hello }', '--schema', endpoint, '--endpoint', endpoint],
      {
        env,
      },
    );
    expect([stdout, requests.length]).toEqual(['{"data":{"hello":"hello world"}}\n', 2]);
    const again = ['gql', '{ hello }', '--schema', endpoint, '--endpoint', endpoint, '--refresh'];
    expect((await mop(again, { env })).code).toBe(0);
    expect(requests).toHaveLength(4);
  });

  it('is requested without the headers of another endpoint', async () => {
    const other = await service(executing(schema));
    const { requests, endpoint, directory } = await caching();
    const world = { env: { MOP_CONFIG_DIR: directory } };
    const args = ['{ hello }', '--schema', endpoint, '-H', 'Authorization: Bearer canary'];
    expect((await other.gql(args, world)).code).toBe(0);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer canary']);
    const own = ['{ hello }', '--schema', other.endpoint, '-H', 'Authorization: Bearer canary'];
    expect((await other.gql(own, world)).code).toBe(0);
    expect(other.requests.every(({ headers }) => headers.authorization)).toBe(true);
  });

  it.each(['diff', 'schema'])('is requested each time by %s', async (command) => {
    const { requests, endpoint, validate, directory } = await caching();
    await validate();
    const args = command === 'diff' ? [endpoint, endpoint] : [endpoint];
    expect(
      (await mop(['gql', command, ...args], { env: { MOP_CONFIG_DIR: directory } })).code,
    ).toBe(0);
    expect(requests).toHaveLength(1 + args.length);
  });

  it.each([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['a later time', () => '{"fetched_at":x,"data":{}}'],
  ])('that was cached as %s is requested again', async (_, text) => {
    const { validate, requests, cache } = await caching();
    await validate();
    const [name = ''] = await readdir(cache);
    await writeFile(join(cache, name), text());
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  // The header of the file is intact, so its content must be checked too.
  it.each([
    ['cut', (text: string) => text.slice(0, -100)],
    ['without its data', (text: string) => `${text.slice(0, text.indexOf(','))},"data":{}}`],
  ])('that was cached %s is requested again', async (_, damage) => {
    const { validate, requests, cache } = await caching();
    await validate();
    const [name = ''] = await readdir(cache);
    const path = join(cache, name);
    await writeFile(path, damage(await readFile(path, 'utf8')));
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('that cannot be cached is used, with a warning', async () => {
    const { endpoint } = await service(executing(schema));
    const blocked = await file('a file, and no directory');
    const args = ['gql', 'validate', await file('{ hello }'), '--schema', endpoint];
    const env = { MOP_CONFIG_DIR: blocked };
    const result = await mop([...args], { env });
    expect([result.code, result.stdout]).toEqual([0, '']);
    expect(result.stderr).toMatch(/^mop: warning: the schema is not cached: .+\nvalid\n$/);
    const json = await mop([...args, '--json'], { env });
    expect([json.code, JSON.parse(json.stdout).valid]).toEqual([0, true]);
    expect(jsonLines(json.stderr)).toEqual([
      { warning: { message: expect.stringContaining('not cached') } },
    ]);
  });

  it('that cannot be fetched is an error, and nothing is cached', () =>
    checkRows<[name: string, handler: Handler, code: number, message: string]>(
      [
        [
          'introspection is off',
          answer({ errors: [{ message: 'introspection is off' }] }, 400),
          14,
          'introspection is off',
        ],
        ['it has no schema', answer({ data: { __schema: null } }), 14, 'no data'],
        ['HTML', answer('<html>', 200, 'text/html'), 5, 'HTTP 200 (text/html)'],
        ['HTTP 401', answer('who?', 401), 5, 'HTTP 401'],
        ['HTTP 503', answer('busy', 503), 6, 'HTTP 503'],
      ],
      async ([_, handler, code, message]) => {
        const { validate, cache } = await caching(handler);
        expectFailure(await validate(['--retries', '1']), code, message);
        await expect(readdir(cache)).rejects.toThrow('ENOENT');
      },
    ));

  it('that cannot be fetched does not replace the cached one', async () => {
    let isUp = true;
    const { validate, requests } = await caching((request, response, index) =>
      isUp ? executing(schema)(request, response, index) : response.writeHead(404).end(),
    );
    await validate();
    isUp = false;
    expect((await validate(['--refresh'])).code).toBe(5);
    expect((await validate()).code).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('is not requested with --dry-run', () =>
    checkRows(
      [
        ['schema', (source: string) => ['schema', source]],
        ['diff', (source: string) => ['diff', source, source]],
        ['validate', (source: string) => ['validate', '-', '--schema', source]],
        ['an operation', (source: string) => ['{ hello }', '--schema', source]],
      ],
      async ([_, args]) => {
        const { gql: asked, endpoint, requests } = await service(executing(schema));
        const env = { MOP_CONFIG_DIR: await temporaryDirectory() };
        await asked([...args(endpoint), '--dry-run'], { env, stdin: '{ hello }' });
        expect(requests).toEqual([]);
      },
    ));

  it('is not requested with a credential over plain http from another machine', async () => {
    const document = await file('{ hello }');
    const lines = ['-H', 'Authorization: canary'];
    for (const args of [
      ['validate', document, '--schema', 'http://h.example/graphql', ...lines],
      ['schema', 'http://h.example/graphql', ...lines],
      ['diff', 'http://h.example/graphql', document, ...lines],
    ]) {
      const result = await gql(...args);
      expectFailure(result, 2, 'looks like a credential');
      expect(result.stderr).not.toContain('canary');
    }
  });
});

it('a directory in place of the cached file only disables the cache', async () => {
  const { endpoint } = await service(executing(executableSchema()));
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'cache'));
  const args = ['gql', 'validate', await file('{ hello }'), '--schema', endpoint];
  const env = { MOP_CONFIG_DIR: directory };
  await mop(args, { env });
  const [name = ''] = await readdir(join(directory, 'cache'));
  const other = await temporaryDirectory();
  await mkdir(join(other, 'cache', name), { recursive: true });
  const result = await mop(args, { env: { MOP_CONFIG_DIR: other } });
  expect([result.code, result.stderr]).toEqual([0, expect.stringContaining('not cached')]);
  expect(await readdir(join(other, 'cache'))).toEqual([name]);
});
