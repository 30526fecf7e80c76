import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BILL, call, callHeaders, content, start } from './support.ts';

test('a descriptor has a digest, a link below the address and an authorization', async () => {
  const sandbox = await start();
  const { code, data } = await call(sandbox);
  expect(code).toBe(0);
  expect(Object.keys(data)).toEqual(['hash_type', 'hash_value', 'download_url', 'authorization']);
  expect(data.hash_type).toBe('MD5');
  const original = await content(sandbox);
  expect(data.hash_value).toBe(createHash('md5').update(original).digest('hex'));
  expect(data.download_url).toMatch(`${sandbox.url}/download/bill?`);
  expect(data.authorization).toMatch(/^[\w-]{43}$/);
});

test('both modes return the same bill', async () => {
  const sandbox = await start();
  const { data } = await callHeaders(sandbox);
  expect(data).toMatchObject({ hash_value: (await call(sandbox)).data.hash_value });
});

test.each([
  [{ bill_date: undefined }, 'bill_date is missing'],
  [{ bill_date: null, billDate: '' }, 'bill_date is missing, but billDate was sent'],
  [{ bill_date: 20261119 }, 'bill_date is a number, not a string'],
  [{ bill_date: '2'.repeat(33) }, 'bill_date has more than 32 characters'],
  [{ bill_date: '2026-11-31' }, 'bill_date is not a date written as YYYY-MM-DD'],
  [{ bill_date: '2026-11-1' }, 'bill_date is not a date written as YYYY-MM-DD'],
  [{ bill_date: ' 2026-11-19' }, 'bill_date is not a date written as YYYY-MM-DD'],
  [{ bill_type: undefined }, 'bill_type is missing'],
  [{ bill_type: 3 }, 'bill_type is not 0, 1 or 2'],
  [{ bill_type: 'all' }, 'bill_type is a string, not an int'],
  [{ bill_type: false }, 'bill_type is a boolean, not an int'],
  [{ bill_type: '' }, 'bill_type is a string, not an int'],
  [{ tar_type: undefined }, 'tar_type is missing'],
  [{ tar_type: 2 }, 'tar_type is not 0 or 1'],
])('%j is 1001', async (change, message) => {
  expect(await call(await start(), { ...BILL, ...change })).toEqual({
    code: 1001,
    message,
    data: {},
  });
});

describe('the window', () => {
  const dated = async (bill_date: string, options = {}) =>
    call(await start(options), { ...BILL, bill_date });

  test.each(['2026-08-19', '2026-11-21', '0001-01-01', '9999-12-31'])(
    '%s is outside: 1052',
    async (date) => {
      expect(await dated(date)).toEqual({
        code: 1052,
        message: 'bill_date is not in 2026-08-20 to 2026-11-20',
        data: {},
      });
    },
  );

  test.each(['2026-08-20', '2026-11-19', '2026-11-13'])('%s has a bill', async (date) => {
    expect((await dated(date)).data).toHaveProperty('download_url');
  });

  test.each([
    ['2026-11-20', 'is not over'],
    ['2026-10-13', 'had no trades'],
    ['2026-09-13', 'had no trades'],
  ])('%s %s: success without a link', async (date) => {
    expect(await dated(date)).toEqual({ code: 0, message: 'Success', data: {} });
  });

  test('follows the time zone', async () => {
    // There it is the evening of the 19th.
    const options = { timeZone: 'America/New_York' };
    expect((await dated('2026-11-19', options)).data).toEqual({});
    expect((await dated('2026-11-20', options)).code).toBe(1052);
    expect((await dated('2026-08-19', options)).code).toBe(0);
  });
});
