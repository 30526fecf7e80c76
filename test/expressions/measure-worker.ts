/** A thread that receives expressions, measures them, and answers with the slow ones as text. */
import { parentPort, workerData } from 'node:worker_threads';
import { times } from '../trials/scale.ts';
import { growthOf } from './measure.ts';
import { attacksOn } from './pattern.ts';
import type { Expression } from './read-expressions.ts';

const KB = 1024;

const LARGE = times(1024, 4096) * KB;

/** The attacks on each expression that are tried. The slowest one is repeated with a large text. */
const TRIED = 16;

/** The slow expressions with the text that makes them slow. */
const slow = (workerData as readonly Expression[]).flatMap(({ file, line, pattern }) => {
  const tried = attacksOn(pattern)
    .slice(0, TRIED)
    .map((attack) => ({ attack, ...growthOf(pattern, attack, [KB, 16 * KB]) }))
    .sort((a, b) => b.ms - a.ms);
  const large = tried
    .slice(0, 1)
    .map(({ attack }) => ({ attack, ...growthOf(pattern, attack, [LARGE / 16, LARGE]) }));
  const found = [...tried, ...large].find(({ isLinear }) => !isLinear);
  return found ? [`${file}:${line} ${pattern} with ${JSON.stringify(found)}`] : [];
});

parentPort?.postMessage(slow);
