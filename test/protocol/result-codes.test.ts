import { describe, expect, it } from 'vitest';
import {
  ALREADY_ISSUED,
  API_KEY_INVALID,
  AUTHENTICATION_ERROR,
  findResultCode,
  ILLEGAL_OPERATION,
  PARAMETER_ERROR,
  RESULT_CODES,
  SERVICE_ERROR,
  SUCCESS,
  TIME_RANGE_INVALID,
  TIMESTAMP_INVALID,
} from '../../src/protocol/result-codes.ts';

/** Section 7 of the interface document, verbatim. */
const TABLE = `
| 0 | Success | - |
| -1 | Service error | Retry the call |
| 1001 | Parameter error | Check parameters, retry |
| 1002 | Authentication error | Check parameters, retry |
| 1003 | api_key invalid | Check parameters, retry |
| 1004 | Mobile number invalid | Check parameters, retry |
| 1005 | ID card number invalid | Check parameters, retry |
| 1006 | Gender invalid | Check parameters, retry |
| 1007 | Plate number invalid | Check parameters, retry |
| 1008 | Registration date invalid | Check parameters, retry |
| 1009 | Issue date invalid | Check parameters, retry |
| 1010 | Usage nature invalid | Check parameters, retry |
| 1011 | Vehicle type invalid | Check parameters, retry |
| 1012 | First-issue date invalid | Check parameters, retry |
| 1013 | Validity start date invalid | Check parameters, retry |
| 1014 | Validity end date invalid | Check parameters, retry |
| 1015 | Goods price invalid | Check parameters, retry |
| 1016 | Order fee invalid | Check parameters, retry |
| 1050 | Page number invalid | Check parameters, retry |
| 1051 | Page size invalid | Check parameters, retry |
| 1052 | Time range invalid | Check parameters, retry |
| 1053 | Fused vehicle model invalid | Check parameters, retry |
| 1054 | Vehicle information service abnormal | Check parameters, retry |
| 1055 | Timestamp invalid | Check parameters, retry |
| 1056 | Number of fused vehicle model entries invalid | Check parameters, retry |
| 2000 | Illegal operation | Check parameters, retry |
| 2001 | Batch does not exist | Check parameters, retry |
| 2002 | Batch not started | Check parameters, retry |
| 2003 | Batch already ended | Check parameters, retry |
| 2004 | Coupon-claim record does not exist | Check parameters, retry |
| 2005 | User's coupon count reached the cap | Applies to the coupon-claim operation |
| 2006 | Batch has no stock | Applies to the coupon-claim operation |
| 2301 | Savings-card validity exceeds the ceiling | The card cannot be issued to this user at the current time |
| 2302 | No savings-card stock | Purchase by top-up, retry |
| 2303 | Already issued successfully | No retry needed |
`;

const rows = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [code, meaning = '', action = ''] = line.slice(2, -2).split(' | ');
    return { code: Number(code), meaning, action };
  });

describe('RESULT_CODES', () => {
  it('is the table of the document, in its order', () => {
    expect(RESULT_CODES.map(({ code, meaning, action }) => ({ code, meaning, action }))).toEqual(
      rows,
    );
  });

  it.each(RESULT_CODES)('derives retry "$retry" for $code from "$action"', (row) => {
    const expected = {
      'Retry the call': 'as-is',
      'Check parameters, retry': 'after-fix',
      'Purchase by top-up, retry': 'after-fix',
    }[row.action];
    expect(row.retry).toBe(expected ?? 'no');
  });
});

describe('findResultCode', () => {
  it.each(rows)('finds $code', (row) => {
    expect(findResultCode(row.code)).toMatchObject(row);
  });

  it.each([1, -2, 999, 1017, 2304, Number.NaN])('is undefined for %d', (code) => {
    expect(findResultCode(code)).toBeUndefined();
  });
});

describe('named codes', () => {
  it.each([
    [SUCCESS, 'Success'],
    [SERVICE_ERROR, 'Service error'],
    [PARAMETER_ERROR, 'Parameter error'],
    [AUTHENTICATION_ERROR, 'Authentication error'],
    [API_KEY_INVALID, 'api_key invalid'],
    [TIME_RANGE_INVALID, 'Time range invalid'],
    [TIMESTAMP_INVALID, 'Timestamp invalid'],
    [ILLEGAL_OPERATION, 'Illegal operation'],
    [ALREADY_ISSUED, 'Already issued successfully'],
  ])('%d means "%s"', (named, meaning) => {
    expect(rows.find(({ code }) => code === named)?.meaning).toBe(meaning);
  });
});
