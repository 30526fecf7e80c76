import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readForm } from '../../src/server/form.ts';
import { BOUNDARY } from '../sandbox/support.ts';
import {
  expectServing,
  hasProc,
  openRaw,
  signedNow,
  startSandboxProcess,
  statusesIn,
} from './sandbox-process.ts';
import { times } from './scale.ts';

const sandbox = await startSandboxProcess();
afterAll(async () => {
  await expectServing(sandbox);
  await sandbox.end();
});

const MIB = 1024 ** 2;
const BODY_MIB = times(20, 200);
/** More than a form or a message may have. */
const FLOOD_MIB = times(5, 200);
/** Enough concurrent bodies to exceed the memory limit if they were kept. */
const CONCURRENCY = times(12, 4);
/**
 * The memory that all floods of this file may add to the process. Measured: 100 MiB for floods of
 * 20 and of 200 MiB, mostly heap before garbage collection. With the search for mistakes in bodies
 * of 1 MiB, up to 200.
 */
const MAX_GROWTH_MIB = 220;

/** A body: `head`, then `mib` MiB of `fill`. */
function* flood(fill: string | Buffer, head = '', mib = FLOOD_MIB): Generator<Buffer> {
  const bytes = Buffer.from(fill);
  const chunk = Buffer.concat(Array(Math.ceil(65_536 / bytes.length)).fill(bytes));
  yield Buffer.from(head);
  for (let sent = 0; sent < mib * MIB; sent += chunk.length) yield chunk;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a body until the sandbox stops reading; the answer may arrive before its end. */
function send(
  path: string,
  headers: Readonly<Record<string, string | number>>,
  body: Iterable<Buffer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // A connection that was used before may be closed while the body is sent.
    const options = {
      method: 'POST',
      headers: { Connection: 'keep-alive', ...headers },
      agent: false,
    };
    const outgoing = request(sandbox.url + path, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', reject).on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, body: text });
        outgoing.destroy();
      });
    });
    outgoing.on('error', reject);
    pipeline(Readable.from(body), outgoing).catch(() => {});
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
const part = (disposition: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;

const UPGRADE = [
  'GET /graphql HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  'Sec-WebSocket-Extensions: permessage-deflate',
];

const TOO_LONG = {
  status: 200,
  body: '{"code":1001,"message":"the body has more than 1 MiB","data":{}}',
};

/** Checks that other requests are served during the attack, and that memory stays limited. */
async function expectBounded<T>(attack: Promise<T>): Promise<T> {
  await expectServing(sandbox);
  const outcome = await attack;
  expect(sandbox.ending()).toBeUndefined();
  if (hasProc) expect(sandbox.peakMemory() - warm).toBeLessThan(MAX_GROWTH_MIB);
  return outcome;
}

for (let round = 0; round < 20; round++) await expectServing(sandbox);
await send('/graphql', JSON_TYPE, [Buffer.from('{"query":"{ bill { id } }"}')]);
const warm = hasProc ? sandbox.peakMemory() : 0;

describe(`a body of ${BODY_MIB} MiB`, () => {
  const routes: readonly (readonly [string, object])[] = [
    ['/open/v1/trade/bill', TOO_LONG],
    ['/open/v1/none', TOO_LONG],
    ['/api/open/trade/bill', TOO_LONG],
    ['/api/detect', { status: 400, body: expect.stringContaining('"code":"text_too_long"') }],
    ['/graphql', { status: 413, body: '{"errors":[{"message":"the body has more than 1 MiB"}]}' }],
    ['/none', { status: 404 }],
    ['/console', { status: 405 }],
    ['/download/bill', { status: 403 }],
  ];
  it.each(routes)('for %s is not kept, with Content-Length or in chunks', async (path, answer) => {
    const announced = { ...JSON_TYPE, 'Content-Length': BODY_MIB * MIB };
    const answers = Array.from({ length: CONCURRENCY }, (_, index) =>
      send(path, index % 2 === 0 ? announced : JSON_TYPE, flood('x', '', BODY_MIB)),
    );
    for (const each of await expectBounded(Promise.all(answers))) {
      expect(each).toMatchObject(answer);
    }
  });

  it('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(BODY_MIB * MIB));
    for (const path of ['/open/v1/trade/bill', '/api/detect']) {
      const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
      const { body } = await expectBounded(send(path, headers, [bomb]));
      expect(body).toMatch(/the body is (?:compressed|not UTF-8)/);
    }
  });

  // The sandbox stops reading after 64 MiB; the client may then lose the answer.
  it('is answered if the client sends Connection: close and reads only after sending', async () => {
    const { socket, closed } = await openRaw(sandbox);
    const head = `POST /open/v1/trade/bill HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${20 * MIB}\r\n\r\n`;
    socket.pause();
    await pipeline(Readable.from(flood('x', head, 20)), socket, { end: false }).catch(() => {});
    socket.resume();
    expect(statusesIn(await closed)).toEqual([200]);
  });
});

describe(`a form of ${FLOOD_MIB} MiB`, () => {
  const REFUSED = /^{"code":1001,"message":"the form (has more than|ends before)/;
  const almost = `\r\n--${BOUNDARY.slice(0, -1)}`;
  const file = part('name="f"; filename="x"');
  const forms: readonly (readonly [string, string, string])[] = [
    ['of fields', part('name="a"'), ''],
    ['of files without content', part('name="a"; filename=""'), ''],
    ['of one text', 'x', part('name="a"')],
    ['of one file', 'x', file],
    ['of a file of near boundaries', almost, file],
    ['of a file of carriage returns', '\r', file],
    ['without a boundary', 'x', ''],
    ['of header lines of a part', 'X: y\r\n', `--${BOUNDARY}\r\n`],
    ['of a name', 'x', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="`],
  ];
  it.each(forms)('%s is not kept', async (_, fill, head) => {
    const { body } = await expectBounded(send('/api/open/user/sync', FORM_TYPE, flood(fill, head)));
    expect(body).toMatch(REFUSED);
  });

  // One form of this size is less than the memory limit.
  it('is not kept of concurrent clients', async () => {
    const answers = Array.from({ length: CONCURRENCY }, (_, index) => {
      const body = flood('x', index % 2 === 0 ? file : part('name="a"'), BODY_MIB);
      return send('/api/open/user/sync', FORM_TYPE, body);
    });
    for (const { body } of await expectBounded(Promise.all(answers))) {
      expect(body).toMatch(REFUSED);
    }
  });

  it.each(forms.slice(0, 4))('%s is not kept as an upload', async (_, fill, head) => {
    const { body } = await expectBounded(send('/graphql', FORM_TYPE, flood(fill, head)));
    expect(body).toMatch(/^{"errors":\[{"message":"the form (has more than|ends before)/);
  });

  it('with more data after its end is not kept', async () => {
    const whole = `${part('name="a"')}1\r\n--${BOUNDARY}--\r\n`;
    const answer = send('/api/open/user/sync', FORM_TYPE, flood('x', whole));
    expect((await expectBounded(answer)).body).toContain('the form has more than 3 MiB');
  });

  it('is refused with 413 at /graphql', async () => {
    const fields = flood(part('name="a"'));
    expect(await send('/graphql', FORM_TYPE, fields)).toMatchObject({ status: 413 });
  });
});

describe('a limited part of a refused form is read', () => {
  it.each([
    ['of a text', part('name="a"')],
    ['before its first boundary', ''],
  ])('%s', async (_, head) => {
    let chunks = 0;
    const body = (function* () {
      yield Buffer.from(head);
      for (; chunks < 256; chunks++) yield Buffer.alloc(MIB, 'x');
    })();
    const incoming = Object.assign(Readable.from(body), {
      headers: { 'content-type': FORM_TYPE['Content-Type'] },
    });
    await expect(readForm(incoming as never)).rejects.toThrow();
    expect(chunks).toBeLessThan(140);
  });
});

describe('frames of a WebSocket are not kept', () => {
  /** Masked with zeros, so the payload is readable. It may be shorter than announced. */
  const frame = (opcode: number, length: number, payload = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(14);
    head.writeUInt8(opcode, 0);
    head.writeUInt8(0xff, 1);
    head.writeBigUInt64BE(BigInt(length), 2);
    return Buffer.concat([head, payload]);
  };
  const [text, wholeText, more, end] = [0x01, 0x81, 0x00, 0x80];
  const piece = Buffer.alloc(65_536, 'x');

  const frames: readonly (readonly [string, Buffer, Buffer | string])[] = [
    ['a large one', frame(wholeText, FLOOD_MIB * MIB), 'x'],
    ['one of 2^52 bytes', frame(wholeText, 2 ** 52), 'x'],
    ['endless fragments', frame(text, 65_536, piece), frame(more, 65_536, piece)],
    ['endless empty fragments', frame(text, 0), frame(more, 0)],
    ['a continuation frame without a start', frame(end, 0), 'x'],
    ['a long ping', frame(0x89, 126), 'x'],
  ];
  it.each(frames)('%s', async (_, first, fill) => {
    const { socket, closed } = await openRaw(sandbox);
    socket.write(`${UPGRADE.join('\r\n')}\r\n\r\n`);
    socket.write(first);
    await expectBounded(pipeline(Readable.from(flood(fill)), socket).catch(() => {}));
    const received = await closed;
    expect(statusesIn(received)).toEqual([101]);
    // Compression would allow bombs.
    expect(received).not.toMatch(/^Sec-WebSocket-Extensions/im);
  });

  it('pings with unread pongs', async () => {
    const { socket, closed } = await openRaw(sandbox);
    socket.write(`${UPGRADE.join('\r\n')}\r\n\r\n`);
    socket.pause();
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
    await expectBounded(pipeline(Readable.from(flood(ping)), socket).catch(() => {}));
    socket.destroy();
    await closed;
  });
});

describe('the signature of a body of 1 MiB is checked, with', () => {
  const texts = [
    ['characters of four bytes', '🚕'.repeat(MIB / 4 - 1000)],
    ['escapes', '\u0001'.repeat(MIB / 6 - 200)],
    ['characters of a query', '&=%+ <>'.repeat(140_000)],
    ['a text', 'x'.repeat(MIB - 1000)],
  ] as const;
  // A short run has the texts whose search takes longest.
  it.each(texts.slice(0, times(2, texts.length)))('%s', async (_, text) => {
    const sendSigned = (secret?: string): Promise<Answer> => {
      const body = Buffer.from(signedNow({ text }, secret));
      return expectBounded(send('/open/v1/user/sync', JSON_TYPE, [body]));
    };
    const valid = await sendSigned();
    expect(JSON.parse(valid.body)).toEqual({ code: 0, message: 'Success', data: { text } });
    expect((await sendSigned('other')).body).toMatch(/^{"code":1002,/);
  });
});
