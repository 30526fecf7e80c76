/** Measures each regular expression of the sources on texts of up to 4 MB. */
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
      const large = tried
        .filter(({ isLinear }) => isLinear)
        .sort((a, b) => b.ms - a.ms)
        .slice(0, LARGE)
        .map(({ attack }) => ({ attack, ...growthOf(pattern, attack, [256 * KB, 4096 * KB]) }));
      const found = [...tried, ...large].find(({ isLinear }) => !isLinear);
      return found ? [`${file}:${line} ${pattern} with ${JSON.stringify(found)}`] : [];
    });
  expect(slow).toEqual([]);
});
