import { describe, expect, it } from 'vitest';
import { judge } from '../../src/detection/gate.ts';
import { gravity, levelOf } from '../../src/detection/levels.ts';
import { LEVELS } from '../../src/protocol/detection.ts';
import { detection, hit } from './support.ts';

describe('levels', () => {
  it('are known in any case', () => {
    expect(['none', 'High', 'CRITICAL', 'severe', '', ' high'].map(levelOf)).toEqual([
      'none',
      'high',
      'critical',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('go from none to critical, and one that is not known is above all', () => {
    const order = [...LEVELS, 'severe'].map(gravity);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(order.length);
  });
});

describe('judge', () => {
  const levels = ['none', 'low', 'medium', 'high', 'critical'] as const;
  const cases = levels.flatMap((failOn, gate) =>
    levels.map((level, risk) => ({ failOn, level, stops: risk >= gate })),
  );
  it.each(cases)('$level at --fail-on $failOn: $stops', ({ failOn, level, stops }) => {
    const { failure, doubts } = judge(detection({ overall_risk: level, results: [] }), { failOn });
    expect([failure?.code, doubts]).toEqual([stops ? 'risk' : undefined, []]);
  });

  it.each([
    [0, 0, true],
    [0, 1, false],
    [49.5, 50, false],
    [50, 50, true],
    [120, 100, true],
  ])('a score of %d at --fail-score %d: %s', (risk_score, failScore, stops) => {
    const found = detection({ risk_score });
    const { failure, doubts } = judge(found, { failScore });
    expect([failure?.code, doubts]).toEqual([stops ? 'risk' : undefined, []]);
  });

  it('lets everything pass without a gate', () => {
    expect(judge(detection({ overall_risk: 'critical' }), {})).toEqual({
      failure: undefined,
      doubts: [],
    });
  });

  it.each(['severe', '', 'HIGH!'])('does not let the level %j pass, and says so', (level) => {
    for (const other of [
      { overall_risk: level, results: [] },
      { overall_risk: 'none', results: [hit({ level })] },
    ]) {
      const { failure, doubts } = judge(detection(other), { failOn: 'critical' });
      expect(failure?.code).toBe('risk');
      expect(doubts).toEqual([
        `the level ${JSON.stringify(level)} is not known, so it does not pass`,
      ]);
      expect(judge(detection({ ...other, risk_score: 3 }), { failScore: 50 })).toMatchObject({
        failure: { code: 'risk', message: expect.stringMatching(/50 \(a level is not known\)$/) },
        doubts,
      });
      expect(judge(detection(other), {})).toEqual({ failure: undefined, doubts: [] });
    }
  });

  it('stops at a rule that is graver than the overall risk', () => {
    const found = detection({ overall_risk: 'low', results: [hit({ level: 'critical' })] });
    const { failure } = judge(found, { failOn: 'high' });
    expect(failure?.message).toContain('(the rule "Claims to be all that the person needs")');
  });

  it('does not take a score below 0 for a good one', () => {
    const { failure, doubts } = judge(detection({ risk_score: -1 }), { failScore: 90 });
    expect(failure?.code).toBe('risk');
    expect(doubts).toEqual([expect.stringContaining('-1 is below 0')]);
  });

  it('names level, score and every gate that stops', () => {
    const { failure } = judge(detection(), { failOn: 'medium', failScore: 70 });
    expect(failure?.message).toBe(
      'the risk is high with a score of 72: stopped by --fail-on medium and --fail-score 70',
    );
    expect(failure?.details.hint).toBeTruthy();
    expect(failure?.retryable).toBe(false);
  });
});
