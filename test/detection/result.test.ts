import { describe, expect, it } from 'vitest';
import { readDetection } from '../../src/detection/result.ts';
import { parseJson } from '../../src/json/parse.ts';
import { printJson } from '../../src/json/print.ts';
import { detection, hit } from './support.ts';

describe('readDetection', () => {
  it.each([null, 'fine', 7, [], {}])('accepts %j as an analysis', (ai_analysis) => {
    const { aiAnalysis } = detection({ ai_analysis });
    expect(aiAnalysis && JSON.parse(printJson(aiAnalysis))).toEqual(ai_analysis);
  });

  it('reads all fields of D2 and the additional ones of the sandbox', () => {
    expect(detection()).toMatchObject({
      overallRisk: 'high',
      riskScore: 72,
      safeRewrite: 'I can help, and so can others.',
      results: [
        {
          ruleId: 'dependency.only-me',
          ruleName: 'Claims to be all that the person needs',
          level: 'high',
          matchedText: 'You only need me',
          why: 'It draws a person away from people who can help.',
          span: { start: 0, end: 16 },
        },
      ],
    });
  });

  it('requires only level, score and results', () => {
    const text =
      '{"overall_risk":"low","risk_score":1.50e1,"results":[{"rule_name":"a","level":"b"}]}';
    const found = readDetection(parseJson(text));
    expect(found).toMatchObject({ overallRisk: 'low', riskScore: 15 });
    expect(found.results).toEqual([
      {
        ruleName: 'a',
        level: 'b',
        ruleId: undefined,
        category: undefined,
        why: undefined,
        matchedText: undefined,
        span: undefined,
        unknownFields: [],
      },
    ]);
    expect([found.safeRewrite, found.aiAnalysis]).toEqual([undefined, undefined]);
    expect(printJson(found.json)).toBe(text);
  });

  it.each([
    [{ overall_risk: undefined }, 'overall_risk is missing'],
    [{ overall_risk: null }, 'overall_risk is null'],
    [{ overall_risk: 3 }, 'overall_risk is not a string but'],
    [{ risk_score: undefined }, 'risk_score is missing'],
    [{ risk_score: null }, 'risk_score is null'],
    [{ risk_score: '72' }, 'risk_score is not a number but'],
    [{ results: undefined }, 'results is missing'],
    [{ results: {} }, 'results is not an array but'],
    [{ results: ['rule'] }, 'results[0] is not an object'],
    [{ results: [hit(), hit({ level: undefined })] }, 'results[1].level is missing'],
    [{ results: [hit({ rule_name: 7 })] }, 'results[0].rule_name is not a string but'],
    [{ safe_rewrite: 7 }, 'safe_rewrite is not a string but'],
  ])('refuses %j', (other, message) => {
    expect(() => detection(other)).toThrow(
      expect.objectContaining({ code: 'api', message: expect.stringContaining(message) }),
    );
  });

  it.each([
    ['"overall_risk":"none","overall_risk":"high","risk_score":0', 'overall_risk occurs more than'],
    ['"overall_risk":"none","risk_score":0,"ai_analysis":1,"ai_analysis":2', 'ai_analysis occurs'],
    ['"overall_risk":"none","risk_score":1e999', 'risk_score is not finite'],
  ])('refuses %s', (fields, message) => {
    const json = parseJson(`{${fields},"results":[]}`);
    expect(() => readDetection(json)).toThrow(message);
  });

  it.each([
    { start: 4, end: 2 },
    { start: -1, end: 2 },
    { start: 1.5, end: 2 },
    { start: '0', end: '2' },
    { start: 0 },
  ])('ignores the place %j', (place) => {
    const [found] = detection({ results: [{ rule_name: 'a', level: 'b', ...place }] }).results;
    expect(found?.span).toBeUndefined();
    // It is printed with the unknown fields.
    expect(found?.unknownFields.map(({ name }) => name)).toEqual(Object.keys(place));
  });
});
