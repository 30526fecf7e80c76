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

  it('has the worst state, with what to do about it, and every detail that counts', () => {
    const all = [skipped('s'), ok('o'), warning('w', 'fix w'), failure] as const;
    expect(worstOf(all)).toEqual({ ...failure, detail: 'o; w; broken' });
    expect(worstOf([ok('o'), warning('w', 'fix w')])).toEqual(warning('o; w', 'fix w'));
    expect(worstOf([skipped('s'), ok('o')])).toEqual(ok('o'));
    expect(worstOf([skipped('s'), skipped('t')])).toEqual(skipped('s; t'));
  });

  it('says the same once', () => {
    expect(worstOf([skipped('s'), skipped('s')])).toEqual(skipped('s'));
    expect(worstOf([failure, failure])).toEqual(failure);
  });
});

describe('reportable', () => {
  it('lets pass what a check can report', () => {
    const error = new MopError('config', 'missing');
    expect(reportable(error)).toBe(error);
  });

  it.each([
    new MopError('interrupted', 'stop'),
    new MopError('terminated', 'stop'),
    new TypeError('a bug'),
  ])('throws on what ends everything: %s', (error) => {
    expect(() => reportable(error)).toThrow(error);
  });
});

describe('checked', () => {
  it('gives what was looked at', async () => {
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
  ])('makes a finding of a failure', async (look) => {
    expect(await checked(look)).toMatchObject({
      finding: { state: 'failed', detail: 'missing', fix: 'set it', error: { code: 'config' } },
    });
  });

  it('lets pass what ends everything', async () => {
    const bug = new TypeError('a bug');
    await expect(checked(() => Promise.reject(bug))).rejects.toBe(bug);
  });
});
