import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type WebSocket from 'ws';
import { LatestReply, SocketReader } from '../../src/http/socket-reader.ts';

/** A socket whose pongs are written only by `flush`. */
class FakeSocket extends EventEmitter {
  isPaused = true;
  readonly pongs: string[] = [];
  flush = (): void => {};
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  pong(data: Buffer, _: undefined, written: () => void): void {
    this.pongs.push(String(data));
    this.flush = written;
  }
}

function readerOf(signal?: AbortSignal) {
  const socket = new FakeSocket();
  const reader = new SocketReader(socket as unknown as WebSocket);
  return { socket, reader, messages: reader.messages(signal) };
}

describe('SocketReader', () => {
  it.each(['message', 'ping', 'pong'])(
    'pauses for a turn of the event loop after a %s',
    async (frame) => {
      const { socket, messages } = readerOf();
      const next = messages.next();
      await nextTurn();
      expect(socket.isPaused).toBe(false);
      socket.emit(frame, Buffer.from('a'));
      expect(socket.isPaused).toBe(true);
      await nextTurn();
      await nextTurn();
      expect(socket.isPaused).toBe(false);
      socket.emit('close');
      await next;
    },
  );

  it('pauses while unread messages exceed 64 KiB, even if they are empty', async () => {
    const { socket, reader, messages } = readerOf();
    for (let count = 0; count < 1000; count++) socket.emit('message', Buffer.alloc(0));
    await nextTurn();
    await nextTurn();
    expect([socket.isPaused, reader.isBehind]).toEqual([true, true]);
    for (let count = 0; count < 1000; count++) await messages.next();
    const next = messages.next();
    await nextTurn();
    expect([socket.isPaused, reader.isBehind]).toEqual([false, false]);
    socket.emit('close');
    expect((await next).done).toBe(true);
  });

  it('answers a flood of pings with one pong, and then the latest', () => {
    const { socket } = readerOf();
    for (let count = 0; count < 1000; count++) socket.emit('ping', Buffer.from(String(count)));
    expect(socket.pongs).toEqual(['0']);
    socket.flush();
    socket.flush();
    expect(socket.pongs).toEqual(['0', '999']);
  });

  it('yields the messages before an error, and stores none after the end', async () => {
    const { socket, reader, messages } = readerOf();
    socket.emit('message', Buffer.from('a'));
    socket.emit('error', new Error('broken'));
    expect(await messages.next()).toEqual({ done: false, value: 'a' });
    await expect(messages.next()).rejects.toThrow('broken');
    socket.emit('message', Buffer.alloc(1_000_000));
    expect(reader.isBehind).toBe(false);
  });

  it('ends at once with the reason of the signal, although messages wait', async () => {
    const controller = new AbortController();
    const { socket, messages } = readerOf(controller.signal);
    for (const text of ['a', 'b']) socket.emit('message', Buffer.from(text));
    await messages.next();
    controller.abort(new Error('interrupted'));
    await expect(messages.next()).rejects.toThrow('interrupted');
  });
});

it('LatestReply sends each reply when the last one is written', () => {
  const sent: number[] = [];
  const replies = new LatestReply<number>((reply, written) => {
    sent.push(reply);
    written();
  });
  for (const reply of [1, 2, 3]) replies.send(reply);
  expect(sent).toEqual([1, 2, 3]);
});
