import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import {
  checked,
  failed,
  ok,
  reportable,
  skipped,
  warning,
  worstOf,
} from '../../../src/platform/doctor/finding.ts';

describe('worstOf', () => {
  const failure = failed(new MopError('network', 'broken', { hint: 'mend it' }));

  it('has the worst state with its hint, and every relevant detail', () => {
    const all = [skipped('s'), ok('o'), warning('w', 'fix w'), failure] as const;
    expect(worstOf(all)).toEqual({ ...failure, detail: 'o; w; broken' });
    expect(worstOf([ok('o'), warning('w', 'fix w')])).toEqual(warning('o; w', 'fix w'));
    expect(worstOf([skipped('s'), ok('o')])).toEqual(ok('o'));
    expect(worstOf([skipped('s'), skipped('t')])).toEqual(skipped('s; t'));
  });

  it('contains each detail once', () => {
    expect(worstOf([skipped('s'), skipped('s')])).toEqual(skipped('s'));
    expect(worstOf([failure, failure])).toEqual(failure);
  });
});

describe('reportable', () => {
  it('returns an error that a check can report', () => {
    const error = new MopError('config', 'missing');
    expect(reportable(error)).toBe(error);
  });

  it.each([
    new MopError('interrupted', 'stop'),
    new MopError('terminated', 'stop'),
    new TypeError('a bug'),
  ])('throws an error that ends the examination: %s', (error) => {
    expect(() => reportable(error)).toThrow(error);
  });
});

describe('checked', () => {
  it('returns the value of the check', async () => {
    expect(await checked(() => ({ finding: ok('o'), value: 1 }))).toEqual({
      finding: ok('o'),
      value: 1,
    });
  });

  it.each([
    () => {
      throw new MopError('config', 'missing', { hint: 'set it' });
    },
    () => Promise.reject(new MopError('config', 'missing', { hint: 'set it' })),
  ])('turns a failure into a finding', async (look) => {
    expect(await checked(look)).toMatchObject({
      finding: { state: 'failed', detail: 'missing', fix: 'set it', error: { code: 'config' } },
    });
  });

  it('throws an error that ends the examination', async () => {
    const bug = new TypeError('a bug');
    await expect(checked(() => Promise.reject(bug))).rejects.toBe(bug);
  });
});
