import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { DEFAULT_SCHEDULE } from '../../../src/platform/bill/absent-bill.ts';
import { billDays, bookedBills, isOpen } from '../../../src/platform/bill/bill-days.ts';
import type { BillDescriptor } from '../../../src/platform/bill/descriptor.ts';
import { readLedger } from '../../../src/platform/bill/ledger.ts';
import { missingBills } from '../../../src/platform/bill/selection.ts';
import { NOW, temporaryDirectory } from '../../support/cli.ts';
import { MD5, noBillLine, placeBill, storedLine, writeLedger } from './support.ts';

const OWNER = { profile: 'default', environment: 'production' };

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

const booked = (now = NOW) => bookedBills(directory, OWNER, ['all'], DEFAULT_SCHEDULE, now);

function descriptor(value = MD5): BillDescriptor {
  const downloadUrl = new URL('https://files.example/bill');
  return { downloadUrl, authorization: undefined, digest: { type: 'MD5', value }, seqId: 's-2' };
}

it('misses the bills that a fetch of what is missing would ask for', async () => {
  writeLedger(directory, [
    storedLine({ date: '2026-11-15' }),
    storedLine({ date: '2026-11-16' }),
    storedLine({ date: '2026-11-17', profile: 'other' }),
    noBillLine('2026-11-18'),
  ]);
  placeBill(directory, 'bill_2026-11-15_all.csv');
  placeBill(directory, 'bill_2026-11-17_all.csv');
  const early = Date.parse('2026-11-20T09:00:00+08:00');
  for (const now of [NOW, early]) {
    const days = await billDays(directory, await booked(now));
    const missing = days.filter(({ state }) => state === 'missing');
    expect(missing.map(({ date, type }) => ({ date, type }))).toEqual(
      missingBills(directory, await readLedger(directory), OWNER, ['all'], DEFAULT_SCHEDULE, now),
    );
  }
});

it('takes a day whose file was overwritten with another bill for changed', async () => {
  writeLedger(directory, [
    storedLine({ date: '2026-11-18', file: 'bill.csv', hash_value: '0'.repeat(32) }),
    storedLine({ date: '2026-11-19', file: 'bill.csv' }),
  ]);
  placeBill(directory, 'bill.csv');
  const days = await billDays(directory, await booked());
  expect(days.slice(-2).map(({ state }) => state)).toEqual(['changed', 'verified']);
});

it('leaves nothing open of a day without trades, or too early', async () => {
  writeLedger(directory, [noBillLine('2026-11-18')]);
  const early = Date.parse('2026-11-20T09:00:00+08:00');
  const closed = (await booked(early)).filter((bill) => !isOpen(bill)).map(({ date }) => date);
  expect(closed).toEqual(['2026-11-18', '2026-11-19']);
});

it('counts what the platform says today for more than the ledger', async () => {
  writeLedger(directory, [storedLine({ hash_value: '0'.repeat(32) })]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const bills = (await booked()).slice(-1);
  const stateBy = async (ask?: () => Promise<BillDescriptor>) =>
    (await billDays(directory, bills, { ask }))[0]?.state;
  expect(await stateBy()).toBe('changed');
  expect(await stateBy(async () => descriptor())).toBe('verified');
  expect(await stateBy(async () => descriptor('1'.repeat(32)))).toBe('changed');
  const noBill = () => Promise.reject(new MopError('no-bill', 'none'));
  expect(await stateBy(noBill)).toBe('changed');
});

it('asks four at a time, and throws a failure once no call is under way', async () => {
  let [running, most, asked] = [0, 0, 0];
  const failure = new MopError('auth', 'refused');
  const ask = async (): Promise<BillDescriptor> => {
    if (++asked === 10) throw failure;
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return descriptor();
  };
  await expect(billDays(directory, await booked(), { ask })).rejects.toBe(failure);
  expect({ running, most }).toEqual({ running: 0, most: 4 });
  expect(asked).toBeLessThan(14);
});

it('fails where the ledger cannot be read', async () => {
  const file = placeBill(directory, 'file');
  await expect(
    bookedBills(join(file, 'x'), OWNER, ['all'], DEFAULT_SCHEDULE, NOW),
  ).rejects.toMatchObject({ code: 'io' });
});
