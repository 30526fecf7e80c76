import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closedPort, socketServer } from '../http/support.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { type Answer, CONTENT, pointAt, scriptedPlatform } from '../support/platform.ts';
import { serve } from '../support/server.ts';
import {
  ENDS,
  expectFailure,
  expectFault,
  expectStored,
  faultyPlatform,
  fetchInto,
  head,
  joined,
  raw,
} from './support.ts';

const BROKE = /^the connection to 127\.0\.0\.1:\d+ broke: ./;
const NOT_HTTP = /broke: its answer is not HTTP\/1\.1$/;
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n';

describe('a refused connection', () => {
  const expected = { code: 6, message: /^127\.0\.0\.1:\d+ refused the connection$/ };

  it('is reported for the platform', async () => {
    const env = pointAt(`http://127.0.0.1:${await closedPort()}`);
    await expectFailure({ env }, { ...expected, attempts: 5, gets: 0 });
  });

  it('is reported for the file server', async () => {
    const download_url = `http://127.0.0.1:${await closedPort()}/file`;
    const platform = await scriptedPlatform({ descriptor: { download_url } });
    await expectFailure(platform, { ...expected, attempts: 5, gets: 0 });
  });
});

describe('a server that closes each connection', () => {
  const endings: [string, (socket: Socket) => unknown][] = [
    ['by a reset', (socket) => socket.resetAndDestroy()],
    ['by an end', (socket) => socket.destroy()],
  ];

  it.each(endings)('%s fails the call', async (_, close) => {
    const env = pointAt(`http://${await socketServer(close)}`);
    await expectFailure({ env }, { code: 6, message: BROKE, attempts: 5, gets: 0 });
  });

  it.each(endings)('%s fails the download', async (_, close) => {
    const download_url = `http://${await socketServer(close)}/file`;
    const platform = await scriptedPlatform({ descriptor: { download_url } });
    await expectFailure(platform, { code: 6, message: BROKE, attempts: 5, gets: 0 });
  });
});

describe.each(ENDS)('a connection that breaks at the %s', (end) => {
  const places: [string, Parameters<typeof raw>[0]][] = [
    ['before any byte', () => []],
    ['inside the status line', () => ['HTTP/1.1 2']],
    ['inside the headers', () => ['HTTP/1.1 200 OK\r\nContent-Type: appl']],
    ['right after the headers', (good) => [head(`Content-Length: ${good.length}`)]],
    [
      'inside the body',
      (good) => [head(`Content-Length: ${good.length}`), good.subarray(0, good.length / 2)],
    ],
    [
      'one byte before the end',
      (good) => [head(`Content-Length: ${good.length}`), good.subarray(1)],
    ],
    ['inside a chunk', (good) => [head('Transfer-Encoding: chunked'), 'ffff\r\n', good]],
  ];

  it.each(places)('fails: %s, by a reset', async (_, bytes) => {
    await expectFault(end, raw(bytes, 'reset'), { code: 6, message: BROKE });
  });

  it.each(places)('fails: %s, by an end', async (_, bytes) => {
    await expectFault(end, raw(bytes), { code: 6, message: BROKE });
  });

  it('once is retried with success', async () => {
    const fault: Answer = (response, number, _request, good) =>
      number === 0 ? response.socket?.resetAndDestroy() : response.end(good);
    await expectStored(await faultyPlatform(end, fault), [], { attempts: 2 });
  });
});

describe.each(ENDS)('an answer that is not HTTP at the %s', (end) => {
  it.each<[string, string, RegExp]>([
    ['HTTP/0.9', '<html>hello</html>', NOT_HTTP],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', NOT_HTTP],
    ['bytes', '\0\u0001\u0002', NOT_HTTP],
    ['lines without a carriage return', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', NOT_HTTP],
    ['a status that is not a number', 'HTTP/1.1 OK\r\n\r\n', NOT_HTTP],
    ['a NUL in the name of a header', 'HTTP/1.1 200 OK\r\nX-\0: x\r\n\r\n', NOT_HTTP],
    ['a header line of 64 KiB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}`, BROKE],
    ['64 KiB of headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(8192)}\r\n`, BROKE],
    ['an upgrade', `${SWITCHING}Connection: Upgrade\r\n\r\n`, BROKE],
    // An unrequested interim response, which RFC 9110 15.2 says to skip.
    ['HTTP 100', 'HTTP/1.1 100 Continue\r\n\r\n', BROKE],
  ])('is a broken connection: %s', async (_, bytes, message) => {
    await expectFault(
      end,
      raw(() => [bytes]),
      { code: 6, message },
    );
  });

  // undici fails an assertion for these.
  it.each([
    ['status 000', 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n'],
    ['an upgrade without Connection: Upgrade', `${SWITCHING}\r\n`],
  ])('is a broken connection: %s', async (_, bytes) => {
    await expectFault(
      end,
      raw(() => [bytes]),
      { code: 6, message: NOT_HTTP },
    );
  });

  it('does not include 1,000 interim responses before the answer', async () => {
    const flood = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1000);
    const fault = raw((good) => [flood, head(`Content-Length: ${good.length}`), good]);
    await expectStored(await faultyPlatform(end, fault));
  });
});

describe('a response without a request', () => {
  const evil = 'order_id,amount\n666,0.01\n';
  const stray = joined(head(`Content-Length: ${evil.length}`), evil);

  it.each([
    ['a response', stray],
    ['garbage', Buffer.from('garbage')],
    ['the start of a response', stray.subarray(0, 20)],
  ])('is not stored as the file: %s after the descriptor', async (_, bytes) => {
    const fault: Answer = (response, _number, _request, good) => {
      const { socket } = response;
      // Sends both in one segment, and keeps the connection open.
      socket?.cork();
      response.end(good);
      socket?.write(bytes);
      socket?.uncork();
    };
    // Without a digest, only its position shows that the second response is not the bill.
    const descriptor = { hash_value: undefined };
    const platform = await faultyPlatform('descriptor', fault, { descriptor });
    await expectStored(platform, ['--tar', 'gzip'], { verified: false });
  });

  it('is not used as the next descriptor on an idle connection', async () => {
    let idle: Socket | undefined | null;
    const files = await serve((_, response) => {
      idle?.write(stray, () => response.end(CONTENT));
    });
    const platform = await scriptedPlatform({
      descriptor: { download_url: `${files.url}/file` },
      call: (response, _number, _request, good) => {
        idle = response.socket;
        response.end(good);
      },
    });
    const args = ['--type', 'paid', '--type', 'refund', '--concurrency', '1', '--tar', 'stream'];
    const { code, stdout } = await fetchInto(await temporaryDirectory(), args, platform);
    expect([code, JSON.parse(stdout).summary.downloaded]).toEqual([0, 2]);
    expect(files.requests).toHaveLength(2);
  });
});
