import { describe, expect, it } from 'vitest';
import { type Gate, judge as judgeBy } from '../../src/detection/gate.ts';
import { DEFAULT_LEVELS, parseLevels } from '../../src/detection/levels.ts';
import type { Detection } from '../../src/detection/result.ts';
import { detection, hit } from './support.ts';

const judge = (found: Detection, gate: Partial<Gate>) =>
  judgeBy(found, { levels: DEFAULT_LEVELS, ...gate });

describe('judge', () => {
  const levels = ['none', 'low', 'medium', 'high', 'critical'] as const;
  const cases = levels.flatMap((failOn, gate) =>
    levels.map((level, risk) => ({ failOn, level, stops: risk >= gate })),
  );
  it.each(cases)('$level with --fail-on $failOn fails: $stops', ({ failOn, level, stops }) => {
    const { failure, warnings } = judge(detection({ overall_risk: level, results: [] }), {
      failOn,
    });
    expect([failure?.code, warnings]).toEqual([stops ? 'risk' : undefined, []]);
  });

  it.each([
    [0, 0, true],
    [0, 1, false],
    [49.5, 50, false],
    [50, 50, true],
    [120, 100, true],
    [0.69, 0.7, false],
    [0.7, 0.7, true],
    [-3, -2.5, false],
    [-2, -2.5, true],
    [1e9, 1e300, false],
  ])('a score of %d at --fail-score %d: %s', (risk_score, failScore, stops) => {
    const found = detection({ risk_score });
    const { failure, warnings } = judge(found, { failScore });
    expect([failure?.code, warnings]).toEqual([stops ? 'risk' : undefined, []]);
  });

  it('passes every text without a gate', () => {
    expect(judge(detection({ overall_risk: 'critical' }), {})).toEqual({
      failure: undefined,
      warnings: [],
    });
  });

  it.each(['severe', '', 'HIGH!'])('fails for the unknown level %j, and reports it', (level) => {
    for (const other of [
      { overall_risk: level, results: [] },
      { overall_risk: 'none', results: [hit({ level })] },
    ]) {
      const { failure, warnings } = judge(detection(other), { failOn: 'critical' });
      expect(failure?.code).toBe('risk');
      expect(warnings).toEqual([
        expect.stringContaining(`the level ${JSON.stringify(level)} does not`),
      ]);
      // Without --fail-on, only the score decides.
      const open = { failure: undefined, warnings: [] };
      expect(judge(detection({ ...other, risk_score: 3 }), { failScore: 50 })).toEqual(open);
      expect(judge(detection(other), {})).toEqual(open);
    }
  });

  it.each([
    ['safe', 'low', false],
    ['Low ', 'low', true],
    ['high', 'LOW', true],
    ['high', 'safe', true],
    // A level of the default order, but not of this one.
    ['none', 'high', true],
  ])('%j at --fail-on %s with another order: %s', (overall_risk, failOn, stops) => {
    const levels = parseLevels('safe<low<high');
    const { failure, warnings } = judge(detection({ overall_risk, results: [] }), {
      levels,
      failOn,
    });
    expect(failure?.code).toBe(stops ? 'risk' : undefined);
    expect(warnings).toHaveLength(overall_risk === 'none' ? 1 : 0);
    if (overall_risk === 'none') expect(warnings[0]).toContain('safe < low < high; --levels');
  });

  it.each(['high', 'critical'])(
    'fails for a rule of the level %s with a low overall risk',
    (level) => {
      const found = detection({ overall_risk: 'low', results: [hit({ level })] });
      const { failure } = judge(found, { failOn: 'high' });
      expect(failure?.message).toContain('(the rule "Claims to be all that the person needs")');
    },
  );

  it('reports the level, the score and every failed limit', () => {
    const { failure } = judge(detection(), { failOn: 'medium', failScore: 70 });
    expect(failure?.message).toBe(
      'the risk is high with a score of 72: stopped by --fail-on medium and --fail-score 70',
    );
    expect(failure?.details.hint).toBeTruthy();
    expect(failure?.retryable).toBe(false);
  });
});
