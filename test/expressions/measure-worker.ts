/** A thread that receives expressions, measures them, and answers with the slow ones as text. */
import { parentPort, workerData } from 'node:worker_threads';
import { times } from '../trials/scale.ts';
import { type Growth, growthOf } from './measure.ts';
import { type Attack, attacksOn } from './pattern.ts';
import type { Expression } from './read-expressions.ts';

const KB = 1024;

const LARGE = times(1024, 4096) * KB;

interface Tried extends Growth {
  readonly attack: Attack;
}

/** The first attack on an expression that does not take linear time. */
function slowAttack(pattern: RegExp): Tried | undefined {
  let slowest: Tried | undefined;
  for (const attack of attacksOn(pattern)) {
    const tried = { attack, ...growthOf(pattern, attack, [KB, 16 * KB]) };
    if (!tried.isLinear) return tried;
    if (tried.ms > (slowest?.ms ?? 0)) slowest = tried;
  }
  if (!slowest) return undefined;
  // A large text for each attack would take too long.
  const { attack } = slowest;
  const large = { attack, ...growthOf(pattern, attack, [LARGE / 16, LARGE]) };
  return large.isLinear ? undefined : large;
}

/** The slow expressions with the text that makes them slow. */
const slow = (workerData as readonly Expression[]).flatMap(({ file, line, pattern }) => {
  const found = slowAttack(pattern);
  return found ? [`${file}:${line} ${pattern} with ${JSON.stringify(found)}`] : [];
});

parentPort?.postMessage(slow);
