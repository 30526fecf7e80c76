import { describe, expect, it } from 'vitest';
import { commonValues, freshFields } from '../../src/signing/request-fields.ts';
import { credentials, usageError } from './helpers.ts';

function timestampText(timestamp: number | string): string | undefined {
  return commonValues({ timestamp }, credentials, freshFields).timestamp.given;
}

describe('a given timestamp', () => {
  it.each([
    [0, '0'],
    [1795132800, '1795132800'],
    [1795132800123, '1795132800123'],
    ['1795132800', '1795132800'],
    ['9'.repeat(19), '9'.repeat(19)],
  ])('keeps %j', (timestamp, text) => {
    expect(timestampText(timestamp)).toBe(text);
  });

  it.each([
    -1,
    1.5,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' 1',
    '1\n',
    '1e9',
    '0x10',
    '１',
    'now',
    '2026-11-19',
    '9'.repeat(20),
    '0017',
  ])('refuses %j', (timestamp) => {
    expect(() => timestampText(timestamp)).toThrow(usageError('is not a whole number'));
  });
});

describe('freshFields', () => {
  it('generates a UUID v4 for each request', () => {
    expect(freshFields.seqId()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('generates nonces of 10 letters and digits', () => {
    expect(freshFields.nonce()).toMatch(/^[A-Za-z0-9]{10}$/);
  });

  it('generates each value once', () => {
    const many = <T>(generate: () => T) => new Set(Array.from({ length: 500 }, generate)).size;
    expect([many(() => freshFields.nonce()), many(() => freshFields.seqId())]).toEqual([500, 500]);
  });

  it('reads the clock in milliseconds', () => {
    const before = Date.now();
    const now = freshFields.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});
