/**
 * Measures every attack on each regular expression of the sources; `expressions.test.ts` tries the
 * first ones. The slowest attack is repeated with a text of 1 MB, or of 4 MB in a long run.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { measuredExpressions } from './bounded.ts';
import program from './measure-worker.ts?bundled';

it('the expressions in the sources take linear time for large texts', async () => {
  // V8 stops optimising expressions in a thread that holds the code of many tests. Unoptimised ones
  // overflow the stack.
  const thread = new Worker(program, { eval: true, workerData: measuredExpressions() });
  const [slow] = await once(thread, 'message');
  expect(slow).toEqual([]);
});
