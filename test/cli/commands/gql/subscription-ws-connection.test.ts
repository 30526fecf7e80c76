import { describe, expect, it } from 'vitest';
import { CA, certificate, closedPort, proxyServer } from '../../../http/support.ts';
import type { CliWorld } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import type { Handler } from '../../../support/server.ts';
import { expectFailure, file } from '../../support.ts';
import { DONE, event, replying, sockets } from './socket-service.ts';
import { answer, gqlAt, service } from './support.ts';

const SUBSCRIPTION = 'subscription { count }';

describe('a WebSocket', () => {
  it('is opened with headers and the query of its URL', async () => {
    const { endpoint, connected } = await sockets(replying(DONE));
    const lines = ['-H', 'Authorization: Bearer x', '-H', 'X-Trace: 1', '-H', 'User-Agent: me'];
    const { code } = await gqlAt(`${endpoint}?tenant=a%20b`)([SUBSCRIPTION, ...lines]);
    const { headers, url } = await connected;
    expect([code, url]).toEqual([0, '/graphql?tenant=a%20b']);
    expect(headers).toMatchObject({
      authorization: 'Bearer x',
      'x-trace': '1',
      'user-agent': 'me',
    });
  });

  it('sends all headers of one name', async () => {
    const { gql, connected } = await sockets(replying(DONE));
    await gql([SUBSCRIPTION, '-H', 'X-Trace: 1', '-H', 'X-Trace: 2']);
    expect((await connected).headers['x-trace']).toBe('1, 2');
  });

  it.each<[name: string, given: () => Promise<{ argument: string; world?: CliWorld }>]>([
    ['JSON', async () => ({ argument: '{"token":"t","n":1.0}' })],
    ['@FILE', async () => ({ argument: `@${await file('{"token":"t","n":1.0}')}` })],
    ['-', async () => ({ argument: '-', world: { stdin: '{"token":"t","n":1.0}' } })],
  ])('is initialised with --connection-params %s', async (_, given) => {
    const { gql, connected } = await sockets(replying(DONE));
    const { argument, world = {} } = await given();
    expect((await gql([SUBSCRIPTION, '--connection-params', argument], world)).code).toBe(0);
    const { texts } = await connected;
    expect(texts[0]).toBe('{"type":"connection_init","payload":{"token":"t","n":1.0}}');
  });

  it.each([
    ['{"token":', 'the parameters are not JSON'],
    ['[1]', 'not a JSON object'],
    ['@/does/not/exist', 'there is no such file'],
  ])('is not opened with invalid --connection-params: %s', async (argument, message) => {
    const { gql, connections } = await sockets({});
    expectFailure(await gql([SUBSCRIPTION, '--connection-params', argument]), 2, message);
    expect(connections).toEqual([]);
  });

  it('does not send a credential over plain ws to another machine', async () => {
    const proxy = await proxyServer(503);
    const args = [SUBSCRIPTION, '--proxy', `http://${proxy.host}`, '--connection-params'];
    for (const params of ['{"token":"canary"}', '{"x":"Bearer canary"}']) {
      const result = await gqlAt('ws://h.example/graphql')([...args, params]);
      expectFailure(result, 2, 'looks like a credential');
      expect(result.stderr).not.toContain('canary');
    }
    expect(proxy.received).toEqual([]);
  });

  it('does not send a nested credential over plain ws to another machine', async () => {
    const proxy = await proxyServer(503);
    const result = await gqlAt('ws://h.example/graphql')([
      SUBSCRIPTION,
      '--proxy',
      `http://${proxy.host}`,
      '--connection-params',
      '{"headers":{"Authorization":"Bearer canary"}}',
    ]);
    expect([result.code, proxy.received]).toEqual([2, []]);
  });

  it('does not show credentials in its trace', async () => {
    const { gql, endpoint } = await sockets(replying(event({ echo: 'canary-1 canary-2' }), DONE));
    const args = [SUBSCRIPTION, '--verbose', '-H', 'Authorization: Bearer canary-1'];
    const params = ['--connection-params', '{"token":"canary-2","x":1}'];
    const env = { MOP_GQL_URL: `${endpoint}?key=canary-3` };
    const { code, stderr } = await gql([...args, ...params], { env });
    expect(code).toBe(0);
    expect(stderr).not.toContain('canary');
    expect(stderr).toContain('"type":"connection_init"');
    expect(stderr).toContain('"type":"subscribe"');
    expect(stderr).toContain('"type":"next"');
  });

  it('does not show nested credentials in its trace', async () => {
    const { gql } = await sockets(replying(DONE));
    const params = '{"headers":{"Authorization":"Bearer canary"}}';
    const { stderr } = await gql([SUBSCRIPTION, '--verbose', '--connection-params', params]);
    expect(stderr).not.toContain('canary');
  });

  it('that is refused by HTTP is reported with its status, and not retried', () =>
    checkRows<[name: string, handler: Handler, code: number, message: string]>(
      [
        ['HTTP 401', answer('who?', 401, 'text/plain'), 5, 'HTTP 401 (text/plain)'],
        ['HTTP 403', answer('<html>', 403, 'text/html'), 5, 'HTTP 403'],
        ['HTTP 404', answer('', 404), 5, 'HTTP 404'],
        ['GraphQL errors', answer('{"errors":[{"message":"not here"}]}', 400), 5, 'not here'],
        ['HTTP 200', answer('<html>', 200, 'text/html'), 5, 'HTTP 200 (text/html)'],
        [
          'HTTP 301',
          (_, response) => response.writeHead(301, { Location: '/x?canary' }).end(),
          5,
          '/x?<redacted>',
        ],
        ['HTTP 503', answer('busy', 503), 6, 'HTTP 503'],
        ['a broken connection', (_, response) => response.destroy(), 6, ''],
      ],
      async ([_, handler, code, message]) => {
        const { endpoint, requests } = await service(handler);
        const gql = gqlAt(endpoint.replace('http', 'ws'));
        const result = await gql([SUBSCRIPTION]);
        expect([result.code, result.stdout]).toEqual([code, '']);
        expect(result.stderr).toMatch(/^mop: .+\nhint: .+\n$/);
        expect(result.stderr).toContain(message);
        expect(result.stderr).not.toContain('canary');
        expect([requests.length, result.waits]).toEqual([1, []]);
      },
    ));

  it('with another subprotocol is not used', async () => {
    for (const protocol of [false, 'graphql-ws'] as const) {
      const { gql } = await sockets({}, { protocol });
      expectFailure(await gql([SUBSCRIPTION]), 5, 'is not usable', 'graphql-transport-ws');
    }
  });

  it('is not retried when the connection is refused', async () => {
    const port = await closedPort();
    const result = await gqlAt(`ws://127.0.0.1:${port}/graphql`)([SUBSCRIPTION]);
    expectFailure(result, 6, `127.0.0.1:${port} refused the connection`);
    expect(result.waits).toEqual([]);
  });

  it('is not opened when the DNS lookup fails', async () => {
    const result = await gqlAt(`wss://${'x'.repeat(64)}.invalid/graphql`)([SUBSCRIPTION]);
    expectFailure(result, 6, 'cannot find the host');
  });

  it('is opened over trusted TLS only', async () => {
    const script = replying(event({ a: 1 }), DONE);
    const { gql, connections } = await sockets(script, { tls: certificate('good') });
    expectFailure(await gql([SUBSCRIPTION]), 6, 'the certificate authority is not trusted');
    expect(connections).toEqual([]);
    const args = ['--ca-file', await file(CA), '-H', 'Authorization: Bearer x'];
    expect((await gql([SUBSCRIPTION, ...args])).stdout).toBe('{"data":{"a":1}}\n');
    expect(connections).toHaveLength(1);
    const other = await sockets(script, { tls: certificate('wrong-host') });
    expectFailure(
      await other.gql([SUBSCRIPTION, ...args]),
      6,
      'the certificate is for another host',
    );
    expect(other.connections).toEqual([]);
  });

  it('is opened through a proxy', async () => {
    const { gql, endpoint } = await sockets(replying(event({ a: 1 }), DONE));
    const proxy = await proxyServer();
    const world = { env: { HTTP_PROXY: `http://${proxy.host}` } };
    expect((await gql([SUBSCRIPTION], world)).stdout).toBe('{"data":{"a":1}}\n');
    expect(proxy.received).toEqual([`CONNECT ${new URL(endpoint).host}`]);
    const dead = `http://127.0.0.1:${await closedPort()}`;
    expectFailure(await gql([SUBSCRIPTION, '--proxy', dead]), 6, 'the proxy 127.0.0.1:');
  });

  it.each([
    ['schema'],
    ['{ a }', '--transport', 'sse'],
    ['{ a }', '--transport', 'ws'],
    ['subscription { a }'],
  ])('to wss:// shows a proxy only its host: %s', async (...args) => {
    const proxy = await proxyServer(403);
    const more = ['-H', 'Authorization: Bearer canary', '--retries', '0'];
    const world = { env: { HTTPS_PROXY: `http://${proxy.host}` } };
    await gqlAt('wss://h.example/graphql?key=canary')([...args, ...more], world);
    expect(proxy.received).toEqual(['CONNECT h.example:443']);
    expect(proxy.rawHeaders.flat().join()).not.toContain('canary');
  });

  it('reports a refusal of the proxy as a failure of the network', async () => {
    const { gql } = await sockets({});
    const { host } = await proxyServer(403);
    const result = await gql([SUBSCRIPTION, '--proxy', `http://${host}`]);
    expectFailure(result, 6, `the proxy ${host} failed`);
  });
});
