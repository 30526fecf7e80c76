import { createServer } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import {
  CA,
  type CertificateName,
  certificate,
  closedPort,
  silentServer,
  socketServer,
} from '../../../http/support.ts';
import { checkRows, checkTogether } from '../../../support/rows.ts';
import { listen, serve } from '../../../support/server.ts';
import { expectFailure, file } from '../../support.ts';
import { answer, gqlAt, service, warmUp, withResolvers } from './support.ts';

beforeAll(warmUp);

describe('a connection', () => {
  it('an answer that is not HTTP is a broken connection', async () => {
    const host = await socketServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const result = await gqlAt(`http://${host}/graphql`)(['{ a }', '--retries', '0']);
    expectFailure(result, 6, `the connection to ${host} broke`);
  });

  it('a refused connection is retried', async () => {
    const port = await closedPort();
    const result = await gqlAt(`http://127.0.0.1:${port}/graphql`)(['{ a }']);
    expectFailure(result, 6, `127.0.0.1:${port} refused the connection`);
    expect(result.waits).toHaveLength(4);
  });

  it('a failed DNS lookup is retried', async () => {
    // Too long for a name: no resolver is asked.
    const host = `${'x'.repeat(64)}.invalid`;
    const result = await gqlAt(`https://${host}/graphql`)(['{ a }', '--retries', '1']);
    expectFailure(result, 6, `cannot find the host ${host} (DNS`);
    expect(result.waits).toHaveLength(1);
  });

  it('an invalid certificate is reported with its reason', () =>
    checkRows<[CertificateName, trusted: boolean, why: string]>(
      [
        ['good', false, 'the certificate authority is not trusted'],
        ['self-signed', true, 'the certificate is self-signed'],
        ['wrong-host', true, 'the certificate is for another host'],
        ['expired', true, 'the certificate has expired'],
      ],
      async ([name, trusted, why]) => {
        const server = await serve(answer({ data: {} }), certificate(name));
        const trust = trusted ? ['--ca-file', await file(CA)] : [];
        const args = ['{ a }', '--retries', '0', '-H', 'Authorization: Bearer x', ...trust];
        const result = await gqlAt(`${server.url}/graphql`)(args);
        expectFailure(result, 6, why);
        expect(server.requests).toEqual([]);
      },
    ));

  it('a trusted certificate allows a credential', async () => {
    const server = await serve(answer({ data: {} }), certificate('good'));
    const args = ['{ a }', '--ca-file', await file(CA), '-H', 'Authorization: Bearer x'];
    expect((await gqlAt(`${server.url}/graphql`)(args)).code).toBe(0);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer x');
  });
});

it('--timeout and --max-time limit a request', () =>
  checkTogether({
    'a server that keeps silent': async () => {
      const host = await silentServer();
      const args = ['{ a }', '--timeout', '0.05', '--retries', '1'];
      const result = await gqlAt(`http://${host}/graphql`)(args);
      expectFailure(result, 6, 'within 0.05 s (time-out)', 'timeout');
      expect(result.waits).toHaveLength(1);
    },
    'a mutation, which is not retried': async () => {
      const args = ['mutation { a }', '--timeout', '0.05'];
      const result = await gqlAt(`http://${await silentServer()}/graphql`)(args);
      expectFailure(result, 6, 'time-out');
      expect(result.waits).toEqual([]);
    },
    'a server that stops in the middle of its answer': async () => {
      const { gql } = await service((_, response) => void response.write('{"data":'));
      const result = await gql(['{ a }', '--timeout', '0.5', '--retries', '0']);
      expectFailure(result, 6, 'stopped sending for 0.5 s (time-out)');
    },
    '--max-time, which closes the connection': async () => {
      const { promise: left, resolve } = withResolvers();
      const host = await socketServer((socket) => {
        socket.on('close', () => resolve()).resume();
      });
      const result = await gqlAt(`http://${host}/graphql`)(['{ a }', '--max-time', '0.5']);
      expectFailure(result, 6, 'not done within 0.5 s (--max-time)');
      await left;
    },
  }));

it('a signal ends a request', async () => {
  const { promise: left, resolve } = withResolvers();
  const { promise: asked, resolve: ask } = withResolvers();
  const server = createServer((request) => {
    request.socket.on('close', () => resolve());
    ask();
  });
  const endpoint = `http://127.0.0.1:${await listen(server)}/graphql`;
  const controller = new AbortController();
  const running = gqlAt(endpoint)(['{ a }'], { signal: controller.signal });
  await asked;
  controller.abort(new MopError('interrupted', 'interrupted'));
  expect(await running).toMatchObject({ code: 130, stdout: '', stderr: 'mop: interrupted\n' });
  await left;
});
