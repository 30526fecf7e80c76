/** A thread that receives expressions, measures them, and answers with the slow ones as text. */
import { parentPort, workerData } from 'node:worker_threads';
import { times } from '../trials/scale.ts';
import { growthOf, slowestOf } from './measure.ts';
import { attacksOn } from './pattern.ts';
import type { Expression } from './read-expressions.ts';

const KB = 1024;

const LARGE = times(1024, 4096) * KB;

/** The attacks on each expression that are compared; `expressions.test.ts` proves each for 16 KB. */
const TRIED = 16;

/** The slow expressions with the text that makes them slow. */
const slow = (workerData as readonly Expression[]).flatMap(({ file, line, pattern }) => {
  const attack = slowestOf(pattern, attacksOn(pattern).slice(0, TRIED), 16 * KB);
  const found = attack && { attack, ...growthOf(pattern, attack, [LARGE / 16, LARGE]) };
  if (!found || found.isLinear) return [];
  return [`${file}:${line} ${pattern} with ${JSON.stringify(found)}`];
});

parentPort?.postMessage(slow);
