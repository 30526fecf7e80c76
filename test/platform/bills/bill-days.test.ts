import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { billDays, bookedBills, isWorthAsking } from '../../../src/platform/bills/bill-days.ts';
import type { BillDescriptor } from '../../../src/platform/bills/descriptor.ts';
import { DEFAULT_SCHEDULE } from '../../../src/platform/bills/fetch-options.ts';
import { LEDGER_NAME } from '../../../src/platform/bills/ledger.ts';
import { readLedger } from '../../../src/platform/bills/read-ledger.ts';
import { NOW, temporaryDirectory } from '../../support/cli.ts';
import { CONTENT } from '../../support/platform.ts';
import { MD5, noBillLine, placeBill, storedLine, writeLedger } from './support.ts';

const OWNER = { profile: 'default', environment: 'production' };

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

const booked = async (now = NOW) =>
  bookedBills(directory, await readLedger(directory), OWNER, ['all'], DEFAULT_SCHEDULE, now);

function descriptor(value = MD5): BillDescriptor {
  const downloadUrl = new URL('https://files.example/bill');
  return { downloadUrl, authorization: undefined, digest: { type: 'MD5', value }, seqId: 's-2' };
}

describe('bookedBills', () => {
  const unaccounted = async (now = NOW) =>
    (await booked(now)).filter(({ entry }) => !entry).map(({ date }) => date);

  it('are the whole window, none accounted for, without a ledger', async () => {
    const dates = await unaccounted();
    expect([dates[0], dates.at(-1), dates.length]).toEqual(['2026-08-20', '2026-11-19', 92]);
  });

  it('may be too old from the 90th day on', async () => {
    const old = (await booked()).filter((bill) => bill.mayBeTooOld).map(({ date }) => date);
    expect(old).toEqual(['2026-08-20', '2026-08-21', '2026-08-22']);
  });

  it('say whether a bill can be there', async () => {
    const nine = Date.parse('2026-11-20T09:59:59+08:00');
    expect((await booked(nine)).slice(-2).map(({ ready }) => ready)).toEqual([true, false]);
  });

  it('count what is stored as long as its file is there, and days without trades', async () => {
    writeLedger(directory, [storedLine({ date: '2026-11-19' }), noBillLine('2026-11-13')]);
    expect(await unaccounted()).toContain('2026-11-19');
    expect(await unaccounted()).not.toContain('2026-11-13');
    placeBill(directory, 'bill_2026-11-19_all.csv');
    expect(await unaccounted()).not.toContain('2026-11-19');
  });

  it.each([{ profile: 'other' }, { environment: 'test' }, { type: 'paid' as const }])(
    'do not take the entry of %j for ours',
    async (other) => {
      writeLedger(directory, [storedLine({ date: '2026-11-19', ...other })]);
      placeBill(directory, 'bill_2026-11-19_all.csv');
      expect(await unaccounted()).toContain('2026-11-19');
    },
  );
});

it('misses a bill whose file was overwritten with another one', async () => {
  writeLedger(directory, [
    storedLine({ date: '2026-11-18', file: 'bill.csv', hash_value: '0'.repeat(32) }),
    storedLine({ date: '2026-11-19', file: 'bill.csv' }),
  ]);
  placeBill(directory, 'bill.csv');
  const { days } = await billDays(directory, await booked());
  expect(days.slice(-2).map(({ state }) => state)).toEqual(['missing', 'verified']);
});

it('leaves nothing open of a day without trades, or too early', async () => {
  writeLedger(directory, [noBillLine('2026-11-18')]);
  const early = Date.parse('2026-11-20T09:00:00+08:00');
  const closed = (await booked(early))
    .filter((bill) => !isWorthAsking(bill))
    .map(({ date }) => date);
  expect(closed).toEqual(['2026-11-18', '2026-11-19']);
});

it('counts what the platform says today for more than the ledger', async () => {
  writeLedger(directory, [storedLine({ hash_value: '0'.repeat(32) })]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const bills = (await booked()).slice(-1);
  const stateBy = async (ask?: () => Promise<BillDescriptor>) =>
    (await billDays(directory, bills, { ask })).days[0]?.state;
  expect(await stateBy()).toBe('changed');
  expect(await stateBy(async () => descriptor())).toBe('verified');
  expect(await stateBy(async () => descriptor('1'.repeat(32)))).toBe('changed');
  const noBill = () => Promise.reject(new MopError('no-bill', 'none'));
  expect(await stateBy(noBill)).toBe('changed');
});

it('asks four at a time, and no more after a refusal', async () => {
  let [running, most, asked] = [0, 0, 0];
  const failure = new MopError('auth', 'refused');
  const ask = async (): Promise<BillDescriptor> => {
    if (++asked === 10) throw failure;
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return descriptor();
  };
  const { days, failures } = await billDays(directory, await booked(), { ask });
  expect(failures).toMatchObject([{ error: failure }]);
  expect(days).toHaveLength(92);
  expect({ running, most }).toEqual({ running: 0, most: 4 });
  expect(asked).toBeLessThan(14);
});

it('goes on after a bill that the platform has trouble with', async () => {
  let asked = 0;
  const ask = async (): Promise<BillDescriptor> => {
    asked++;
    throw new MopError('api', 'the platform answered 1001');
  };
  const { days, failures } = await billDays(directory, (await booked()).slice(-3), { ask });
  expect([asked, failures.length]).toEqual([3, 3]);
  expect(days.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
});

it('takes a bill that is there for stored, whatever a later line says', async () => {
  writeLedger(directory, [storedLine(), noBillLine('2026-11-19')]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const { days } = await billDays(directory, (await booked()).slice(-1));
  expect(days[0]?.state).toBe('verified');
});

it('misses a bill that was stored and is lost, whatever else was said of it', async () => {
  for (const lines of [
    [noBillLine('2026-11-19'), storedLine()],
    [storedLine(), noBillLine('2026-11-19')],
  ]) {
    writeLedger(directory, lines);
    const { days } = await billDays(directory, (await booked()).slice(-1));
    expect(days[0]?.state).toBe('missing');
  }
});

it('compares with the digest of the ledger when that of the platform is unknown', async () => {
  writeLedger(directory, [storedLine({ verified: false })]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const ask = async () => ({ ...descriptor(), digest: { type: 'XXH64', value: 'a1b2' } });
  const bills = (await booked()).slice(-1);
  const { days, failures, unvouched } = await billDays(directory, bills, { ask });
  expect([days[0]?.state, failures, unvouched]).toEqual(['verified', [], 1]);
  const known = await billDays(directory, bills, { ask: async () => descriptor() });
  expect(known.unvouched).toBe(0);
});

it('lets a compressed bill be compressed again', async () => {
  writeLedger(directory, [storedLine({ file: 'a.csv.gz', bytes: 1 })]);
  placeBill(directory, 'a.csv.gz', gzipSync(CONTENT));
  const { days } = await billDays(directory, (await booked()).slice(-1));
  expect(days[0]?.state).toBe('verified');
});

it('takes a bill that was compressed afterwards for changed', async () => {
  writeLedger(directory, [storedLine()]);
  placeBill(directory, 'bill_2026-11-19_all.csv', gzipSync(CONTENT));
  const { days } = await billDays(directory, (await booked()).slice(-1));
  expect(days[0]?.state).toBe('changed');
});

it('fails where the ledger cannot be read', async () => {
  await mkdir(join(directory, LEDGER_NAME));
  await expect(booked()).rejects.toMatchObject({ code: 'io' });
});
