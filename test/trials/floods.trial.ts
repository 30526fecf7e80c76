/** Servers that send without an end neither fill the memory of a command nor delay a signal. Needs a build. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { type Ended, startMop } from '../support/process.ts';
import { listen } from '../support/server.ts';
import { isLong, times } from './scale.ts';

/** Writes a chunk repeatedly, as fast as the client reads. */
function flood(stream: Writable, chunk: Uint8Array): void {
  stream.on('error', () => {});
  const more = (): void => {
    while (!stream.destroyed) {
      if (!stream.write(chunk)) return void stream.once('drain', more);
    }
  };
  more();
}

interface Flood {
  readonly endpoint: string;
  /** Resolves when a client has connected. */
  readonly begun: Promise<unknown>;
}

async function floodOf(server: Server, event: 'request' | 'upgrade'): Promise<Flood> {
  const begun = once(server, event);
  const scheme = event === 'request' ? 'http' : 'ws';
  return { endpoint: `${scheme}://127.0.0.1:${await listen(server)}/graphql`, begun };
}

function serveHttp(type: string, start: string, piece: string): Promise<Flood> {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': type }).write(start);
    flood(response, chunk);
  });
  return floodOf(server, 'request');
}

const FIN = 0x80;
const TEXT = 1;
const PING = 9;
const PONG = 10;

function frame(opcode: number, content: string): Buffer {
  const { length } = content;
  const size = length < 126 ? [length] : [126, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(opcode, ...size), Buffer.from(content)]);
}

/** A server of raw frames. It reads only the handshake unless `isReading`. */
function serveFrames(start: Buffer, piece: Buffer, isReading: boolean): Promise<Flood> {
  const chunk = Buffer.concat(Array(Math.ceil(65_536 / piece.length)).fill(piece));
  const server = createServer();
  server.on('upgrade', ({ headers }, socket) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const fields = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    ];
    if (isReading) socket.resume();
    else socket.pause();
    socket.write(`${fields.join('\r\n')}\r\n\r\n`);
    socket.write(frame(FIN | TEXT, '{"type":"connection_ack"}'));
    socket.write(start);
    flood(socket, chunk);
  });
  return floodOf(server, 'upgrade');
}

/** The peak of the memory in MB, the end, and the seconds between the signal and the end. */
async function run(
  { endpoint, begun }: Flood,
  query: string,
  signal?: 'SIGHUP' | 'SIGINT' | 'SIGTERM',
): Promise<Ended & { readonly memory: number; readonly seconds: number }> {
  const directory = await temporaryDirectory();
  const hook = join(directory, 'memory.cjs');
  await writeFile(
    hook,
    // On Linux, maxRSS begins with the memory of the parent when it forked.
    `const { existsSync, readFileSync, writeSync } = require('node:fs');
     const status = '/proc/self/status';
     const peak = () =>
       existsSync(status)
         ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1]
         : process.resourceUsage().maxRSS;
     process.on('exit', () => writeSync(2, '\\nmemory ' + peak()));`,
  );
  const { child, ended } = startMop(
    ['gql', query, '--endpoint', endpoint, '--max-time', '120'],
    { MOP_CONFIG_DIR: directory },
    { node: ['--require', hook] },
  );
  let from = performance.now();
  if (signal) {
    await Promise.race([begun, ended]);
    await sleep(times(500, 4000));
    from = performance.now();
    child.kill(signal);
  }
  const end = await ended;
  const [, memory] = /\nmemory (\d+)$/.exec(end.stderr) ?? [];
  return { ...end, memory: Number(memory) / 1000, seconds: (performance.now() - from) / 1000 };
}

const SUBSCRIPTION = 'subscription { count }';
const SSE = 'text/event-stream';
const MULTIPART = 'multipart/mixed; boundary=-';

const ENDLESS: [subject: string, type: string, start: string, piece: string][] = [
  ['lines of data', SSE, '', 'data: x\n'],
  ['empty lines of data', SSE, '', 'data\n'],
  ['a line', SSE, 'data: ', 'x'],
  ['comments', SSE, '', ': x\n'],
  ['a preamble', MULTIPART, '', 'x'],
  ['the header of a part', MULTIPART, '---\r\nA: ', 'x'],
  ['a part', MULTIPART, '---\r\n\r\n', ' '],
];

// All bytes before a delimiter are kept in one way, so a short run sends one kind in each framing.
it.each(ENDLESS.filter(([subject]) => isLong || ['lines of data', 'a part'].includes(subject)))(
  'an endless stream ends at 64 MiB, with less than 300 MB: %s',
  async (_, type, start, piece) => {
    const query = type === SSE ? SUBSCRIPTION : '{ a @defer }';
    const { code, stderr, memory } = await run(await serveHttp(type, start, piece), query);
    expect([code, stderr]).toEqual([5, expect.stringContaining('more than 64 MiB')]);
    expect(memory).toBeLessThan(300);
  },
);

it('a message in endless fragments ends, with less than 300 MB', async () => {
  const frames = await serveFrames(frame(TEXT, 'a'), frame(0, 'a'), false);
  const { code, stderr, memory } = await run(frames, SUBSCRIPTION);
  expect([code, stderr]).toEqual([6, expect.stringContaining('too many fragments')]);
  expect(memory).toBeLessThan(300);
});

const NEXT = '{"type":"next","id":"1","payload":{"data":{"a":1}}}';

it.each<[subject: string, isReading: boolean, piece: Buffer, signal: 'SIGHUP' | 'SIGTERM']>([
  ['pings', true, frame(FIN | PING, 'x'.repeat(125)), 'SIGTERM'],
  ['unread pongs', false, frame(FIN | PING, 'x'.repeat(125)), 'SIGTERM'],
  ['empty pings', false, frame(FIN | PING, ''), 'SIGHUP'],
  ['pongs', false, frame(FIN | PONG, ''), 'SIGTERM'],
  ['pings of the protocol', true, frame(FIN | TEXT, '{"type":"ping"}'), 'SIGTERM'],
  ['unread pongs of the protocol', false, frame(FIN | TEXT, '{"type":"ping"}'), 'SIGTERM'],
  ['results', false, frame(FIN | TEXT, NEXT), 'SIGHUP'],
])(
  'a flood takes less than 150 MB, and a signal ends it in 2 s: %s',
  async (_, isReading, piece, signal) => {
    const frames = await serveFrames(Buffer.alloc(0), piece, isReading);
    const { code, memory, seconds } = await run(frames, SUBSCRIPTION, signal);
    expect(code).toBe(143);
    expect(memory).toBeLessThan(150);
    expect(seconds).toBeLessThan(2);
  },
);

it('a signal ends a flood of events in 2 s', async () => {
  const events = await serveHttp(SSE, '', ':\n\n');
  const { code, memory, seconds } = await run(events, SUBSCRIPTION, 'SIGINT');
  expect(code).toBe(130);
  expect(memory).toBeLessThan(200);
  expect(seconds).toBeLessThan(2);
});
