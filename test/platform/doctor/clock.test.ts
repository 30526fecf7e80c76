import { describe, expect, it } from 'vitest';
import { examineClock, readReply } from '../../../src/platform/doctor/network.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

describe('readReply', () => {
  const reply = (date: string | undefined, asked = NOON, answered = NOON) =>
    readReply(
      { status: 404, header: (name) => (name === 'date' ? date : undefined) },
      asked,
      answered,
    );

  it('compares the Date with the middle of the exchange', () => {
    const date = new Date(NOON).toUTCString();
    expect(reply(date)).toEqual({ status: 404, milliseconds: 0, aheadSeconds: 0 });
    expect(reply(date, NOON + 20_000, NOON + 40_000)).toMatchObject({
      milliseconds: 20_000,
      aheadSeconds: 30,
    });
    expect(reply(date, NOON - 90_000, NOON - 90_000).aheadSeconds).toBe(-90);
  });

  it.each([undefined, '', 'soon'])('reports no skew for the Date %j', (date) => {
    expect(reply(date).aheadSeconds).toBeUndefined();
  });
});

describe('examineClock', () => {
  it.each([
    { aheadSeconds: 0, state: 'ok', detail: 'agrees' },
    { aheadSeconds: -1, state: 'ok', detail: 'agrees' },
    { aheadSeconds: 10, state: 'ok', detail: '10 s ahead of' },
    { aheadSeconds: -11, state: 'warning', detail: '11 s behind' },
    { aheadSeconds: 60, state: 'warning', detail: '60 s ahead of' },
    { aheadSeconds: 61, state: 'failed', detail: '61 s ahead of the platform, which accepts 60 s' },
    { aheadSeconds: -3600, state: 'failed', detail: '3600 s behind' },
    { aheadSeconds: undefined, state: 'skipped', detail: 'no Date' },
  ])('reports $aheadSeconds s as $state', ({ aheadSeconds, state, detail }) => {
    const finding = examineClock({ aheadSeconds });
    expect(finding).toMatchObject({ state, detail: expect.stringContaining(detail) });
    expect(finding.fix === undefined).toBe(state === 'ok' || state === 'skipped');
    // The platform would answer 1055.
    expect(finding.error?.code).toBe(state === 'failed' ? 'auth' : undefined);
  });
});
