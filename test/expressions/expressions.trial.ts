/** Measures each regular expression of the sources on texts of up to 4 MB. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { BOUNDED } from './bounded.ts';
import program from './measure-worker.ts?bundled';
import { isUnbounded } from './pattern.ts';
import { readExpressions } from './read-expressions.ts';

it('the expressions in the sources take linear time up to 4 MB', async () => {
  const known = Object.values(BOUNDED).flat().map(String);
  const expressions = readExpressions().expressions.filter(
    ({ pattern }) => isUnbounded(pattern) && !known.includes(String(pattern)),
  );
  // V8 stops optimising expressions in a thread that holds the code of many tests. Unoptimised ones
  // overflow the stack.
  const thread = new Worker(program, { eval: true, workerData: expressions });
  const [slow] = await once(thread, 'message');
  expect(slow).toEqual([]);
});
