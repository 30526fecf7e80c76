/** The changes to undici in patches/. Without the patch, each of these tests fails. */
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { get, networkFailure, socketServer, transport } from '../http/support.ts';
import { head, joined } from './support.ts';

/** More than undici's buffer for a body, but less than that plus the socket's buffer. */
const COMPLETE = Buffer.alloc(90_000, 'a');
const TRUNCATED = COMPLETE.subarray(0, -5);
const SIZE = COMPLETE.length.toString(16);

describe('a connection that ends while the reader of the body is slow', () => {
  /** Reads a body after its connection has ended. */
  async function readLate(framing: string, ...body: (string | Buffer)[]): Promise<Buffer> {
    const answer = joined(head('Connection: close', framing), ...body);
    const host = await socketServer((socket) => socket.once('data', () => socket.end(answer)));
    const response = await transport({ timeoutSeconds: 5 }).send(get(`http://${host}`));
    await setTimeout(300);
    return buffer(response.body);
  }

  it('completes a body without a length', async () => {
    expect(COMPLETE.equals(await readLate('X-Length: unknown', COMPLETE))).toBe(true);
  });

  it.each([
    ['of known length', `Content-Length: ${COMPLETE.length}`, TRUNCATED],
    ['inside a chunk', 'Transfer-Encoding: chunked', joined(`${SIZE}\r\n`, TRUNCATED)],
    ['before the last chunk', 'Transfer-Encoding: chunked', joined(`${SIZE}\r\n`, COMPLETE)],
  ])('is an error for a body %s', async (_, framing, body) => {
    expect((await networkFailure(readLate(framing, body))).message).toMatch(/broke/);
  });
});

it('a reset is an error, not the end of a body without a length', async () => {
  let connection: Socket | undefined;
  const host = await socketServer((socket) => {
    connection = socket;
    socket.once('data', () => socket.write(joined(head('Connection: close'), 'half')));
  });
  const { body } = await transport().send(get(`http://${host}`));
  const read = async (): Promise<void> => {
    // Node reports a reset that arrives with the last bytes as an end, so wait for those bytes.
    for await (const _ of body) connection?.resetAndDestroy();
  };
  expect((await networkFailure(read())).message).toMatch(/broke/);
});
