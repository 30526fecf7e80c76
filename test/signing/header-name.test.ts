import { describe, expect, it } from 'vitest';
import { SIGN_HEADERS } from '../../src/protocol/operations.ts';
import { capitalizedName, documentedName } from '../../src/signing/header-name.ts';

describe('documentedName', () => {
  it.each(Object.values(SIGN_HEADERS))('is %s in any case', (name) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase(), capitalizedName(name)]) {
      expect(documentedName(spelled)).toBe(name);
    }
  });

  it.each([
    ['x-tms-trace-id', 'X-TMS-Trace-Id'],
    ['X-TMS-TRACE-ID', 'X-TMS-Trace-Id'],
    ['x-tms-sign-version', 'X-TMS-Sign-Version'],
    ['x-tms-2fa', 'X-TMS-2fa'],
    ['x-tms-', 'X-TMS-'],
  ])('of %s, which is not documented, is %s', (name, expected) => {
    expect(documentedName(name)).toBe(expected);
  });
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
