import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownTurn } from '../../src/server/turns.ts';

test('callers continue one by one, with turns for other work between them', async () => {
  const events: string[] = [];
  const callers = ['a', 'b', 'c'].map((name) => ownTurn().then(() => events.push(name)));
  const isDone = Promise.all(callers).then(() => true);
  while (!(await Promise.race([isDone, nextTurn(false)]))) events.push('-');
  expect(events.join('')).toMatch(/^-?a-{4,}b-{4,}c$/);
});
