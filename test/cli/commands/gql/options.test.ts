import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { proxyServer } from '../../../http/support.ts';
import { mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { configuration, expectFailure } from '../../support.ts';
import { executing, files, gql, gqlAt, SDL, service } from './support.ts';

describe('options that exclude each other', () => {
  const PAGED =
    'query ($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';

  it('are refused, and nothing is sent', () =>
    checkRows<[args: string[], message: string]>(
      [
        [['mutation { a }', '--get'], '--get cannot send a mutation'],
        [['query Q { a } mutation M { a }', '--operation', 'M', '--get'], '--get'],
        [['{ a }', '--get', '--transport', 'ws'], '--get'],
        [['mutation { a }', '--get', '--transport', 'sse'], '--get'],
        [['subscription { a }', '--paginate'], '--paginate'],
        [[PAGED, '--paginate', '--transport', 'sse'], '--paginate'],
        [[PAGED, '--paginate', '--transport', 'ws'], '--paginate'],
        [['{ a }', '--count', '2'], '--count belongs to a subscription'],
        [['mutation { a }', '--count', '2'], '--count belongs to a subscription'],
        [['subscription { a }', '--count', '0'], '--count'],
        [['subscription { a }', '--count', 'x'], '--count'],
        [['{ a }', '--refresh'], '--refresh belongs to --schema'],
        [['{ a }', '--assume-valid-schema'], '--assume-valid-schema belongs to --schema'],
        [['{ a }', '--connection-params', '{}'], '--connection-params belongs to WebSockets'],
        [['{ a }', '--connection-params', '{}', '--transport', 'sse'], '--connection-params'],
        [['subscription { a }', '--connection-params', '{}'], '--connection-params'],
        [['{ a }', '--transport', 'http'], '--transport'],
        [['{ a }', '--transport', 'ws', '--dry-run'], '--dry-run'],
        [['{ a }', '--dry-run', '--paginate'], '--paginate'],
        [['{ a }', '--retries', '-1'], '--retries'],
        [['{ a }', '--timeout', '0'], '--timeout'],
        [['{ a }', '--vars', '{}'], "unknown option '--vars'"],
        [['{ a }', '--data', 'x.json'], "unknown option '--data'"],
        [['{ a }', '--endpoint'], '--endpoint needs a value'],
      ],
      async ([args, message]) => {
        const { gql, requests } = await service();
        const result = await gql(args);
        expectFailure(result, 2, message);
        expect([requests, result.waits]).toEqual([[], []]);
      },
    ));

  // A dry run must fail like the request itself.
  it('are refused by --dry-run too', async () => {
    const { gql } = await service();
    expect((await gql(['{ a }', '--connection-params', '{}', '--dry-run'])).code).toBe(2);
  });

  it('--dry-run with a WebSocket endpoint', async () => {
    const { endpoint, requests } = await service();
    const result = await gqlAt(endpoint.replace('http', 'ws'))(['{ a }', '--dry-run']);
    expectFailure(result, 2, '--dry-run');
    expect(requests).toEqual([]);
  });

  // Over a WebSocket, each of these options would be ignored.
  it.each<[args: string[], message: string]>([
    [[PAGED, '--paginate'], '--paginate'],
    [['{ a }', '--get'], '--get'],
  ])('%j with a WebSocket endpoint', async (args, message) => {
    const { endpoint, requests } = await service();
    expectFailure(await gqlAt(endpoint.replace('http', 'ws'))(args), 2, message);
    expect(requests).toEqual([]);
  });
});

describe('the endpoint', () => {
  it('comes from --endpoint, else MOP_GQL_URL, else the profile', async () => {
    const servers = await Promise.all(['flag', 'env', 'profile'].map(() => service()));
    const [flag = '', variable = '', stored = ''] = servers.map(({ endpoint }) => endpoint);
    const profiles = { default: {}, live: { gql_url: stored } };
    const { env } = await configuration({ current: 'live', profiles });
    const all = { ...env, MOP_GQL_URL: variable };
    const counts = () => servers.map(({ requests }) => requests.length);
    await mop(['gql', '{ a }', '--endpoint', flag], { env: all });
    expect(counts()).toEqual([1, 0, 0]);
    await mop(['gql', '{ a }'], { env: all });
    expect(counts()).toEqual([1, 1, 0]);
    await mop(['gql', '{ a }'], { env: { ...env, MOP_GQL_URL: '' } });
    expect(counts()).toEqual([1, 1, 1]);
    await mop(['gql', '{ a }', '--endpoint', flag, '-p', 'default'], { env });
    expect(counts()).toEqual([2, 1, 1]);
    expectFailure(await mop(['gql', '{ a }', '-p', 'default'], { env }), 3, 'gql_url is not set');
  });

  it('that is missing is a configuration error', async () => {
    const result = await mop(['gql', '{ a }']);
    expectFailure(result, 3, 'gql_url is not set', 'mop config set gql_url');
    for (const way of ['--endpoint URL', 'MOP_GQL_URL', '--env sandbox']) {
      expect(result.stderr).toContain(way);
    }
  });

  const FAULTS: readonly (readonly [url: string, message: string])[] = [
    ['h.example/graphql', 'it is not a URL'],
    ['', ''],
    ['localhost:4000/graphql', 'it is not an http, https, ws or wss address'],
    ['ftp://h.example/graphql', 'it is not an http, https, ws or wss address'],
    ['https://user:canary@h.example/graphql', 'it contains a user or password'],
    ['https://h.example/graphql#canary', 'it has a fragment'],
  ];

  it('that is invalid in --endpoint is a usage error', () =>
    checkRows(FAULTS, async ([url, message]) => {
      const result = await mop(['gql', '{ a }', '--endpoint', url]);
      expectFailure(result, 2, message);
      expect(result.stderr).not.toContain('canary');
    }));

  it('that is invalid in a variable or a profile is a configuration error', () =>
    checkRows(
      FAULTS.filter(([url]) => url !== ''),
      async ([url, message]) => {
        const { env } = await configuration({ profiles: { default: { gql_url: url } } });
        for (const world of [{ env: { MOP_GQL_URL: url } }, { env }]) {
          const result = await mop(['gql', '{ a }'], world);
          expectFailure(result, 3, message);
          expect(result.stderr).not.toContain('canary');
        }
      },
    ));

  it('may have any path, including /api/open', async () => {
    const { url, requests } = await service();
    await gqlAt(`${url}/api/open/graphql`)(['{ a }']);
    await gqlAt(url)(['{ a }']);
    expect(requests.map(({ path }) => path)).toEqual(['/api/open/graphql', '/']);
  });

  it('may be the sandbox', async () => {
    const result = await mop(['gql', '{ __typename }', '--env', 'sandbox']);
    expect([result.code, result.stdout]).toEqual([0, '{"data":{"__typename":"Query"}}\n']);
    const broken = await mop(['gql', '{ nothing }', '--env', 'sandbox']);
    expect(broken.code).toBe(14);
  });

  it('is reached through a proxy', async () => {
    const { endpoint, requests } = await service();
    const proxy = await proxyServer();
    const env = { MOP_GQL_URL: endpoint, HTTP_PROXY: `http://${proxy.host}` };
    expect((await mop(['gql', '{ a }'], { env })).code).toBe(0);
    expect((await mop(['gql', '{ a }', '--endpoint', endpoint], { env })).code).toBe(0);
    expect([proxy.received.length, requests.length]).toEqual([2, 2]);
  });

  it('needs no configuration and creates none', async () => {
    const { endpoint } = await service();
    const directory = await temporaryDirectory();
    const env = { MOP_CONFIG_DIR: join(directory, 'none') };
    expect((await mop(['gql', '{ a }', '--endpoint', endpoint], { env })).code).toBe(0);
    expect(await readdir(directory)).toEqual([]);
    const broken = await configuration('{ not JSON');
    expect((await mop(['gql', '{ a }', '--endpoint', endpoint], { env: broken.env })).code).toBe(0);
  });
});

describe('options before a subcommand', () => {
  it('apply to the subcommand', async () => {
    const [schema = '', data = '', document = ''] = await files({
      'schema.graphql': SDL,
      'data.json': '{"old":1.0}',
      'document.graphql': '{ old }',
    });
    const valid = await gql('--schema', schema, '--json', 'validate', document);
    expect([valid.code, JSON.parse(valid.stdout).valid]).toEqual([0, true]);
    const run = await gql('--schema', schema, '--raw', 'run', '{ old }', '--data', data);
    expect([run.code, run.stdout]).toEqual([0, '{"old":1.0}\n']);
    const named = ['--operation', 'A', '-F', 'i=1', '--schema', schema, 'run'];
    const query = 'query A($i: ID!) { ride(id: $i) { id } } query B { old }';
    expect((await gql(...named, query, '--data', data)).stdout).toBe('{"data":{"ride":null}}\n');
    const { endpoint, requests } = await service(executing(buildSchema(SDL)));
    const asked = await gql(
      '--endpoint',
      endpoint,
      '-H',
      'X-Trace: 1',
      'schema',
      '-H',
      'X-Trace: 2',
    );
    expect([asked.code, asked.stdout]).toEqual([0, SDL]);
    expect(requests[0]?.headers['x-trace']).toBe('1, 2');
  });

  it('that the subcommand does not have are refused', () =>
    checkRows(
      [
        [['--paginate', 'validate', 'x'], 'validate takes no --paginate'],
        [['--get', 'schema'], 'schema takes no --get'],
        [['--count', '1', 'diff', 'a', 'b'], 'diff takes no --count'],
        [['--transport', 'ws', 'run', '{ a }'], 'run takes no --transport'],
        [['--allow-partial', 'validate', 'x'], 'validate takes no --allow-partial'],
        [['-F', 'a=1', 'schema'], 'schema takes no --field'],
        [['--variables', '{}', 'diff', 'a', 'b'], 'diff takes no --variables'],
        [['--connection-params', '{}', 'schema'], 'schema takes no --connection-params'],
        [['--endpoint', 'http://h.example', 'diff', 'a', 'b'], 'diff takes no --endpoint'],
      ],
      async ([args, message]) => {
        expectFailure(await gql(...args), 2, message, 'mop gql');
      },
    ));
});
