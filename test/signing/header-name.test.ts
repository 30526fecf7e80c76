import { describe, expect, it } from 'vitest';
import { SIGN_HEADERS } from '../../src/protocol/operations.ts';
import { asDocumented, capitalizedName, spellingsOf } from '../../src/signing/header-name.ts';

describe('the documented spelling', () => {
  it.each(Object.values(SIGN_HEADERS))('is %s in any case', (name) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase(), capitalizedName(name)]) {
      expect(asDocumented(spelled)).toBe(name);
    }
  });

  it.each([
    ['x-tms-trace-id', 'X-TMS-Trace-Id'],
    ['X-Tms-Trace-ID', 'X-TMS-Trace-Id'],
    ['x-tms-sign-version', 'X-TMS-Sign-Version'],
    ['x-tms-2fa', 'X-TMS-2fa'],
    ['x-tms-', 'X-TMS-'],
    // The prefix shows that the case was kept.
    ['X-TMS-TRACE-ID', 'X-TMS-TRACE-ID'],
    ['X-TMS-trace', 'X-TMS-trace'],
  ])('extends to %s, which is not documented: %s', (name, expected) => {
    expect(asDocumented(name)).toBe(expected);
  });
});

it.each([
  [
    'documented',
    ['X-TMS-Request-Id', 'X-TMS-Request-ID', 'X-TMS-REQUEST-ID', 'x-tms-request-id'],
    'X-TMS-Nonce',
  ],
  ['as-sent', ['x-tms-request-id'], 'x-tms-nonce'],
] as const)('under the reading %s the spellings to try are %j', (reading, spelled, nonce) => {
  const spellings = spellingsOf(reading);
  expect(spellings.map((spell) => spell('x-tms-request-id'))).toEqual(spelled);
  expect(new Set(spellings.map((spell) => spell('x-tms-nonce')))).toEqual(new Set([nonce]));
});

it('without a reading, all spellings are tried, the documented ones first', () => {
  const all = spellingsOf(undefined).map((spell) => spell('x-tms-nonce'));
  expect(all.at(0)).toBe('X-TMS-Nonce');
  expect(all.at(-1)).toBe('x-tms-nonce');
});

/** By http.CanonicalHeaderKey of Go 1.19. */
describe('capitalizedName', () => {
  it.each([
    ['X-TMS-Api-Key', 'X-Tms-Api-Key'],
    ['x-tms-sign-ver', 'X-Tms-Sign-Ver'],
    ['X-TMS-TRACE-ID', 'X-Tms-Trace-Id'],
    ['x-tms-trace_id', 'X-Tms-Trace_id'],
    ['x-tms-2fa', 'X-Tms-2fa'],
    ['X-TMS-a1b', 'X-Tms-A1b'],
    ['x-tms-', 'X-Tms-'],
    ['X--tms', 'X--Tms'],
  ])('of %s is %s', (name, expected) => {
    expect(capitalizedName(name)).toBe(expected);
  });
});
