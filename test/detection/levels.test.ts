import { describe, expect, it } from 'vitest';
import { DEFAULT_LEVELS, levelsFault, parseLevels } from '../../src/detection/levels.ts';
import { LEVELS } from '../../src/protocol/detection.ts';

describe('levels', () => {
  it.each([
    ['none', 0],
    ['High', 3],
    [' CRITICAL\n', 4],
    ['severe', 5],
    ['', 5],
  ])('%j is at %d', (text, rank) => {
    expect(DEFAULT_LEVELS.rank(text)).toBe(rank);
    expect(DEFAULT_LEVELS.find(text)).toBe(LEVELS[rank]);
    expect(DEFAULT_LEVELS.severity(text)).toBe(LEVELS[rank]);
  });

  it.each([
    ['ok<bad', ['none', 'critical']],
    ['Safe < low<high', ['none', 'medium', 'critical']],
    ['a<b<c<d', ['none', 'low', 'high', 'critical']],
    [
      '0<1<2<3<4<5<6<7<8<9',
      'none none low low medium medium high high critical critical'.split(' '),
    ],
  ])('of %s are as severe as %j', (order, severities) => {
    const levels = parseLevels(order);
    expect(levels.names.map((name) => levels.severity(name))).toEqual(severities);
    expect(levels.severity('unknown')).toBeUndefined();
  });

  it.each([
    ['safe<low<high', undefined],
    ['安全<风险', undefined],
    ['', 'a level is empty; an order is for example safe<low<high'],
    ['a<<b', 'a level is empty'],
    ['a<b<', 'a level is empty'],
    ['safe', 'it has only one level'],
    ['safe,low,high', 'it has only one level'],
    ['a<b< A', 'the level "a" appears twice'],
  ])('%j: %s', (order, fault) => {
    const found = levelsFault(order);
    expect(found === undefined).toBe(fault === undefined);
    expect(found ?? '').toContain(fault ?? '');
  });
});
