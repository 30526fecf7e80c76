import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../../src/platform/accounts/account.ts';
import {
  findAccount,
  listAccounts,
  unlinkAccount,
} from '../../../src/platform/accounts/find-account.ts';
import { linkAccount } from '../../../src/platform/accounts/link-account.ts';
import { MemoryAccountStore, sqliteStore } from './support.ts';

const MONDAY = Date.UTC(2026, 10, 16, 8);
const TUESDAY = Date.UTC(2026, 10, 17, 8);
const A = '13800000001';
const B = '13800000002';
const sinceMonday = (mobile: string) => ({ mobile, since: '2026-11-16T08:00:00.000Z' });
const sinceTuesday = (mobile: string) => ({ mobile, since: '2026-11-17T08:00:00.000Z' });

describe.each([
  ['a store in memory', async () => new MemoryAccountStore()],
  ['the SQLite store', sqliteStore],
])('accounts in %s', (_, open: () => Promise<AccountStore>) => {
  let store: AccountStore;
  beforeEach(async () => {
    store = await open();
  });

  const link = (user: string, openId: string, mobile?: string, options = {}) =>
    linkAccount(store, { user, openId, mobile }, { now: MONDAY, ...options });
  /** One line for each link: user, openId and mobile number. */
  const links = async () =>
    (await listAccounts(store)).map(({ user, openId, mobile }) => `${user} ${openId} ${mobile}`);

  describe('a link', () => {
    it('is found by user, openId and mobile number', async () => {
      const account = { user: 'ann', openId: 'o-1', mobile: A, mobiles: [sinceMonday(A)] };
      expect(await link('ann', 'o-1', A)).toEqual({ account, status: 'linked' });
      await link('bob', 'o-2', B);
      expect(await findAccount(store, { user: 'ann' })).toEqual(account);
      expect(await findAccount(store, { openId: 'o-1' })).toEqual(account);
      expect(await findAccount(store, { mobile: A })).toEqual(account);
    });

    it('needs no mobile number', async () => {
      const account = { user: 'ann', openId: 'o-1', mobile: null, mobiles: [] };
      expect(await link('ann', 'o-1')).toEqual({ account, status: 'linked' });
      await link('bob', 'o-2');
      expect(await links()).toEqual(['ann o-1 null', 'bob o-2 null']);
    });

    it('is unchanged when linked again with the same values', async () => {
      await link('ann', 'o-1', A);
      const again = await link('ann', 'o-1', A, { now: TUESDAY });
      expect(again.status).toBe('unchanged');
      expect(again.account.mobiles).toEqual([sinceMonday(A)]);
    });

    it('keeps a known mobile number when none is given', async () => {
      await link('ann', 'o-1', A);
      expect(await link('ann', 'o-1')).toMatchObject({
        account: { mobile: A },
        status: 'unchanged',
      });
      expect(await links()).toEqual([`ann o-1 ${A}`]);
    });

    it('updates the mobile number and keeps the history', async () => {
      await link('ann', 'o-1', A);
      const { account, status } = await link('ann', 'o-1', B, { now: TUESDAY });
      expect(status).toBe('mobile-changed');
      expect(account.mobiles).toEqual([sinceMonday(A), sinceTuesday(B)]);
      expect(await findAccount(store, { mobile: B })).toEqual(account);
      await expect(findAccount(store, { mobile: A })).rejects.toThrow(`mobile ${A} is not linked`);
      await link('ann', 'o-1', A, { now: TUESDAY });
      const { mobiles } = await findAccount(store, { user: 'ann' });
      expect(mobiles).toEqual([sinceMonday(A), sinceTuesday(B), sinceTuesday(A)]);
    });

    it('releases a former mobile number for other links', async () => {
      await link('ann', 'o-1', A);
      await link('ann', 'o-1', B);
      expect((await link('bob', 'o-2', A)).status).toBe('linked');
      expect(await links()).toEqual([`ann o-1 ${B}`, `bob o-2 ${A}`]);
    });

    it('keeps every character of its values', async () => {
      const user = `o'Neil "x" \\ % _ 用户 😀${'x'.repeat(5000)}`;
      await link(user, 'O-1');
      await link('ann', 'o-1');
      expect(await findAccount(store, { user })).toMatchObject({ openId: 'O-1' });
      expect(await findAccount(store, { openId: 'o-1' })).toMatchObject({ user: 'ann' });
    });
  });

  describe('a conflict', () => {
    beforeEach(async () => {
      await link('ann', 'o-1', A);
      await link('bob', 'o-2', B);
    });

    it.each([
      ['an openId of another user', ['cem', 'o-1'], 'openId o-1 is linked to user ann'],
      ['a user with another openId', ['ann', 'o-3'], 'user ann is linked to openId o-1'],
      [
        'a user with another openId and the same number',
        ['ann', 'o-3', A],
        'user ann is linked to openId o-1',
      ],
      ["another user's mobile number", ['cem', 'o-3', A], `mobile ${A} belongs to user ann`],
      [
        "another user's number for a known link",
        ['bob', 'o-2', A],
        `mobile ${A} belongs to user ann`,
      ],
      [
        'all at once',
        ['bob', 'o-1', B],
        'openId o-1 is linked to user ann, and user bob is linked to openId o-2',
      ],
    ] as const)(
      'is reported for %s, and nothing is written',
      async (_, [user, openId, mobile], message) => {
        await expect(link(user, openId, mobile)).rejects.toMatchObject({
          code: 'api',
          message,
          details: { hint: expect.stringContaining('move') },
        });
        expect(await links()).toEqual([`ann o-1 ${A}`, `bob o-2 ${B}`]);
      },
    );

    it('moves the openId with its history', async () => {
      const { account, status } = await link('cem', 'o-1', undefined, { move: true });
      expect(status).toBe('linked');
      expect(account).toEqual({ user: 'cem', openId: 'o-1', mobile: A, mobiles: [sinceMonday(A)] });
      expect(await links()).toEqual([`bob o-2 ${B}`, `cem o-1 ${A}`]);
    });

    it("removes the user's former link", async () => {
      await link('ann', 'o-3', A, { move: true, now: TUESDAY });
      expect(await links()).toEqual([`ann o-3 ${A}`, `bob o-2 ${B}`]);
      expect((await findAccount(store, { user: 'ann' })).mobiles).toEqual([sinceTuesday(A)]);
    });

    it('takes the mobile number away and leaves its history', async () => {
      const { status } = await link('bob', 'o-2', A, { move: true, now: TUESDAY });
      expect(status).toBe('mobile-changed');
      expect(await links()).toEqual(['ann o-1 null', `bob o-2 ${A}`]);
      expect((await findAccount(store, { user: 'ann' })).mobiles).toEqual([sinceMonday(A)]);
    });

    it('resolves all three conflicts at once', async () => {
      await link('cem', 'o-3', '13800000003');
      await link('bob', 'o-1', '13800000003', { move: true });
      expect(await links()).toEqual(['bob o-1 13800000003', 'cem o-3 null']);
    });

    it('changes nothing with --move when there is no conflict', async () => {
      expect((await link('ann', 'o-1', A, { move: true })).status).toBe('unchanged');
    });
  });

  describe('a dry run', () => {
    it('returns the result of a link without writing it', async () => {
      const preview = (user: string, mobile?: string, options = {}) =>
        linkAccount(store, { user, openId: 'o-1', mobile }, { dryRun: true, ...options });
      expect(await preview('ann')).toMatchObject({ status: 'linked' });
      expect(await links()).toEqual([]);
      await link('ann', 'o-1', A);
      expect(await preview('ann', B)).toMatchObject({ status: 'mobile-changed' });
      expect(await preview('ann', A)).toMatchObject({ status: 'unchanged' });
      await expect(preview('bob')).rejects.toMatchObject({ code: 'api' });
      expect(await preview('bob', B, { move: true })).toMatchObject({ status: 'linked' });
      expect(await links()).toEqual([`ann o-1 ${A}`]);
    });
  });

  describe('unlinking', () => {
    it('removes the link and returns it', async () => {
      await link('ann', 'o-1', A);
      await link('bob', 'o-2', B);
      expect(await unlinkAccount(store, { user: 'ann' })).toMatchObject({
        openId: 'o-1',
        mobile: A,
      });
      expect(await unlinkAccount(store, { openId: 'o-2' })).toMatchObject({ user: 'bob' });
      expect(await links()).toEqual([]);
    });

    it('leaves openId, user and mobile number free, and no history', async () => {
      await link('ann', 'o-1', A);
      await unlinkAccount(store, { user: 'ann' });
      await link('bob', 'o-1', B);
      await link('ann', 'o-2', A, { now: TUESDAY });
      expect((await findAccount(store, { user: 'bob' })).mobiles).toEqual([sinceMonday(B)]);
    });
  });

  it.each([[{ user: 'x' }], [{ openId: 'x' }], [{ mobile: '13899999999' }]])(
    'does not find %j',
    async (key) => {
      await link('ann', 'o-1', A);
      for (const act of [findAccount, unlinkAccount]) {
        await expect(act(store, key)).rejects.toMatchObject({
          code: 'failure',
          message: expect.stringContaining('is not linked'),
        });
      }
    },
  );

  it('are listed by user', async () => {
    for (const user of ['b', 'a', 'ä', 'B', '10', '9']) await link(user, `o-${user}`);
    expect((await listAccounts(store)).map(({ user }) => user)).toEqual([
      '10',
      '9',
      'B',
      'a',
      'b',
      'ä',
    ]);
  });

  it.each([
    '',
    ' ann',
    'ann ',
    '\u00a0ann',
    'an\nn',
    'an\u0000n',
    'an\u001b[2Jn',
    'an\u2028n',
    '\ud800',
  ])('refuses the user or openId %j', async (text) => {
    await expect(link(text, 'o-1')).rejects.toMatchObject({ code: 'usage' });
    await expect(link('ann', text)).rejects.toMatchObject({ code: 'usage' });
    await expect(findAccount(store, { user: text })).rejects.toMatchObject({ code: 'usage' });
    expect(await links()).toEqual([]);
  });

  it.each([
    '',
    '1380',
    '1'.repeat(21),
    '+123',
    '138 0000 0001',
    '+',
    '1+38000',
    '１３８００００',
    '138000\n',
  ])('refuses the mobile number %j', async (mobile) => {
    await expect(link('ann', 'o-1', mobile)).rejects.toMatchObject({ code: 'usage' });
    expect(await links()).toEqual([]);
  });

  it.each(['13800', '+1380', '1'.repeat(20), '+8613800000001'])(
    'accepts the mobile number %s',
    async (mobile) => {
      expect((await link('ann', 'o-1', mobile)).account.mobile).toBe(mobile);
    },
  );

  it('are linked one after the other when requested concurrently', async () => {
    const users = Array.from({ length: 20 }, (_, index) => `u${index}`);
    const results = await Promise.allSettled(users.map((user) => link(user, 'o-1')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await links()).toHaveLength(1);
  });

  it('are unchanged when the work fails after writing', async () => {
    await link('ann', 'o-1', A);
    const work = store.write(async (accounts) => {
      await accounts.remove('o-1');
      await accounts.put({ user: 'bob', openId: 'o-2', mobile: null, mobiles: [] });
      throw new Error('on the way');
    });
    await expect(work).rejects.toThrow('on the way');
    expect(await links()).toEqual([`ann o-1 ${A}`]);
  });
});
