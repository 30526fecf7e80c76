import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownTurn, queue } from '../../src/server/turns.ts';

test('callers continue one by one, with turns for other work between them', async () => {
  const events: string[] = [];
  const callers = ['a', 'b', 'c'].map((name) => ownTurn().then(() => events.push(name)));
  const isDone = Promise.all(callers).then(() => true);
  while (!(await Promise.race([isDone, nextTurn(false)]))) events.push('-');
  expect(events.join('')).toMatch(/^-?a-{4,}b-{4,}c$/);
});

test('a queue runs tasks up to its limit at once, also those that arrive late', async () => {
  const inTurn = queue(2);
  let running = 0;
  let most = 0;
  const start = (): Promise<void> =>
    inTurn(async () => {
      most = Math.max(most, ++running);
      await nextTurn();
      running--;
    });
  const early = [start(), start(), start(), start()];
  await early[0];
  await Promise.all([...early, start(), start()]);
  expect(most).toBe(2);
});
