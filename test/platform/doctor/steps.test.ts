import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { networkFailure, step } from '../../../src/platform/doctor/network.ts';

const HOST = new URL('https://platform.example');

describe('a step', () => {
  const options = (given: { timeoutSeconds?: number; signal?: AbortSignal } = {}) => ({
    timeoutSeconds: 60,
    signal: new AbortController().signal,
    ...given,
  });

  /** A step that never ends, and the signal that it received. */
  const endless = (given: Parameters<typeof options>[0]) => {
    const seen: { signal?: AbortSignal } = {};
    const ended = step(HOST, options(given), (signal) => {
      seen.signal = signal;
      return new Promise<never>(() => {});
    });
    return { ended, seen };
  };

  it('returns its result', async () => {
    expect(await step(HOST, options(), async () => 'there')).toBe('there');
  });

  it('ends with the reason of the signal', async () => {
    const controller = new AbortController();
    const { ended, seen } = endless({ signal: controller.signal });
    const reason = new MopError('interrupted', 'interrupted');
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
    expect(seen.signal?.aborted).toBe(true);
  });

  it('ends with a signal that was aborted before', async () => {
    const reason = new MopError('interrupted', 'interrupted');
    await expect(endless({ signal: AbortSignal.abort(reason) }).ended).rejects.toBe(reason);
  });

  it.each([0.001, 0.0015])('ends after %d s', async (timeoutSeconds) => {
    const { ended, seen } = endless({ timeoutSeconds });
    await expect(ended).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining(`within ${timeoutSeconds} s (time-out)`),
    });
    expect(seen.signal?.aborted).toBe(true);
  });

  it('turns a network error into a failure', async () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    await expect(step(HOST, options(), () => Promise.reject(refused))).rejects.toMatchObject({
      code: 'network',
      message: 'platform.example refused the connection',
    });
  });
});

describe('networkFailure', () => {
  const shutOut = new MopError('network', 'refused', {
    hint: 'is it running?',
    cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
    sent: false,
  });

  it('contains the hint of the test environment only in that environment', () => {
    expect(networkFailure(shutOut, { testEnvironment: false })).toBe(shutOut);
    expect(networkFailure(shutOut, { testEnvironment: true })).toMatchObject({
      message: 'refused',
      details: { hint: expect.stringContaining('listed IP addresses'), sent: false },
    });
    const dns = new MopError('network', 'not found');
    expect(networkFailure(dns, { testEnvironment: true })).toBe(dns);
  });
});
