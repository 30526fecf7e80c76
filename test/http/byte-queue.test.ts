import { expect, it } from 'vitest';
import { ByteQueue } from '../../src/graphql/result-stream.ts';

it('ByteQueue returns the appended bytes, and they stay valid', () => {
  const queue = new ByteQueue();
  const taken: Buffer[] = [];
  const appended: number[] = [];
  for (let round = 0; round < 3000; round++) {
    const piece = Buffer.alloc(round % 50, round);
    queue.append(piece);
    appended.push(...piece);
    if (round % 7 === 0) taken.push(queue.take(Math.min(queue.length, round % 90)));
  }
  taken.push(queue.take());
  expect(queue.length).toBe(0);
  expect(Buffer.concat(taken).equals(Buffer.from(appended))).toBe(true);
});

it('ByteQueue finds bytes only among those that remain', () => {
  const queue = new ByteQueue();
  queue.append(Buffer.from('--a--b'));
  expect([queue.startsWith('--a'), queue.indexOf(Buffer.from('--'), 1)]).toEqual([true, 3]);
  queue.take(5);
  expect([queue.startsWith('b'), queue.startsWith('b-')]).toEqual([true, false]);
  expect(queue.indexOf(Buffer.from('--'))).toBe(-1);
});
