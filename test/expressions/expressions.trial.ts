/** Measures each regular expression of the sources on texts of 1 and 4 MB. */
import { expect, it } from 'vitest';
import { BOUNDED } from './bounded.ts';
import { growthOf } from './measure.ts';
import { attacksOn, isUnbounded } from './pattern.ts';
import { readExpressions } from './read-expressions.ts';

const KB = 1024;

/** The attacks on each expression that are tried. */
const TRIED = 40;

/** The slowest attacks on each expression, repeated with large texts. */
const LARGE = 3;

it('the expressions in the sources take linear time up to 4 MB', () => {
  const known = Object.values(BOUNDED).flat().map(String);
  const slow = readExpressions()
    .expressions.filter(({ pattern }) => isUnbounded(pattern) && !known.includes(String(pattern)))
    .flatMap(({ file, line, pattern }) => {
      const attacks = attacksOn(pattern).filter(({ end }) => end === '\u0001');
      const tried = attacks.slice(0, TRIED).map((attack) => {
        return { attack, ...growthOf(pattern, attack, [KB, 16 * KB]) };
      });
      const found =
        tried.find(({ isLinear }) => !isLinear) ??
        // Quadratic time has the factor 4. The caches of the processor alone may reach 2.
        (slowest &&
          growthOf(pattern, slowest.attack, [KB * KB, 4 * KB * KB]).factor > 3.4 &&
          slowest);
      return found ? [`${file}:${line} ${pattern} with ${JSON.stringify(found)}`] : [];
    });
  expect(slow).toEqual([]);
});
