import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import type { BillDescriptor } from '../../../src/platform/bills/descriptor.ts';
import { LEDGER_NAME } from '../../../src/platform/bills/ledger.ts';
import { checkBills, expectedBills, needsPlatform } from '../../../src/platform/bills/state.ts';
import { DEFAULT_SCHEDULE } from '../../../src/protocol/bill-calendar.ts';
import { NOW, temporaryDirectory } from '../../support/cli.ts';
import { CONTENT } from '../../support/platform.ts';
import { entriesIn, MD5, noBillLine, placeBill, storedLine, writeLedger } from './support.ts';

const OWNER = { profile: 'default', environment: 'production' };

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

const expected = async (now = NOW) =>
  expectedBills(directory, await entriesIn(directory), OWNER, ['all'], DEFAULT_SCHEDULE, now);

function descriptor(value = MD5): BillDescriptor {
  const downloadUrl = new URL('https://files.example/bill');
  return { downloadUrl, authorization: undefined, digest: { type: 'MD5', value }, seqId: 's-2' };
}

describe('expectedBills', () => {
  const unrecorded = async (now = NOW) =>
    (await expected(now)).filter(({ entry }) => !entry).map(({ date }) => date);

  it('are the whole window, all missing, without a ledger', async () => {
    const dates = await unrecorded();
    expect([dates[0], dates.at(-1), dates.length]).toEqual(['2026-08-20', '2026-11-19', 92]);
  });

  it('may be too old from the 90th day', async () => {
    const old = (await expected()).filter((bill) => bill.mayBeTooOld).map(({ date }) => date);
    expect(old).toEqual(['2026-08-20', '2026-08-21', '2026-08-22']);
  });

  it('say whether a bill can be ready', async () => {
    const nine = Date.parse('2026-11-20T09:59:59+08:00');
    expect((await expected(nine)).slice(-2).map(({ ready }) => ready)).toEqual([true, false]);
  });

  it('count bills with an existing file, and days without trades', async () => {
    writeLedger(directory, [storedLine({ date: '2026-11-19' }), noBillLine('2026-11-13')]);
    expect(await unrecorded()).toContain('2026-11-19');
    expect(await unrecorded()).not.toContain('2026-11-13');
    placeBill(directory, 'bill_2026-11-19_all.csv');
    expect(await unrecorded()).not.toContain('2026-11-19');
  });

  it.each([{ profile: 'other' }, { environment: 'test' }, { type: 'paid' as const }])(
    'ignore the entry of %j',
    async (other) => {
      writeLedger(directory, [storedLine({ date: '2026-11-19', ...other })]);
      placeBill(directory, 'bill_2026-11-19_all.csv');
      expect(await unrecorded()).toContain('2026-11-19');
    },
  );

  it('ignore a file that another profile has overwritten', async () => {
    writeLedger(directory, [storedLine(), storedLine({ profile: 'other' })]);
    placeBill(directory, 'bill_2026-11-19_all.csv');
    expect(await unrecorded()).toContain('2026-11-19');
  });
});

it('reports a bill as missing when its file was overwritten', async () => {
  writeLedger(directory, [
    storedLine({ date: '2026-11-18', file: 'bill.csv', hash_value: '0'.repeat(32) }),
    storedLine({ date: '2026-11-19', file: 'bill.csv' }),
  ]);
  placeBill(directory, 'bill.csv');
  const { checked } = await checkBills(directory, await expected());
  expect(checked.slice(-2).map(({ state }) => state)).toEqual(['missing', 'verified']);
});

it('does not ask the platform about a day without trades, or a bill that is not ready', async () => {
  writeLedger(directory, [noBillLine('2026-11-18')]);
  const early = Date.parse('2026-11-20T09:00:00+08:00');
  const closed = (await expected(early))
    .filter((bill) => !needsPlatform(bill))
    .map(({ date }) => date);
  expect(closed).toEqual(['2026-11-18', '2026-11-19']);
});

it("prefers today's answer of the platform to the ledger", async () => {
  writeLedger(directory, [storedLine({ hash_value: '0'.repeat(32) })]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const bills = (await expected()).slice(-1);
  const stateBy = async (ask?: () => Promise<BillDescriptor>) =>
    (await checkBills(directory, bills, { ask })).checked[0]?.state;
  expect(await stateBy()).toBe('changed');
  expect(await stateBy(async () => descriptor())).toBe('verified');
  expect(await stateBy(async () => descriptor('1'.repeat(32)))).toBe('changed');
  const noBill = () => Promise.reject(new MopError('no-bill', 'none'));
  expect(await stateBy(noBill)).toBe('changed');
});

it('makes four concurrent calls, and stops after a refusal', async () => {
  let [running, most, asked] = [0, 0, 0];
  const failure = new MopError('auth', 'refused', { systematic: 'credentials' });
  const ask = async (): Promise<BillDescriptor> => {
    if (++asked === 10) throw failure;
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return descriptor();
  };
  const { checked, failures } = await checkBills(directory, await expected(), { ask });
  expect(failures).toMatchObject([{ error: failure }]);
  expect(checked).toHaveLength(92);
  expect({ running, most }).toEqual({ running: 0, most: 4 });
  expect(asked).toBeLessThan(14);
});

it('asks about the other bills after an answer of the platform with code 1001', async () => {
  let asked = 0;
  const ask = async (): Promise<BillDescriptor> => {
    asked++;
    throw new MopError('api', 'the platform answered 1001');
  };
  const { checked, failures } = await checkBills(directory, (await expected()).slice(-3), { ask });
  expect([asked, failures.length]).toEqual([3, 3]);
  expect(checked.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
});

it('verifies a stored bill although a later line reports no bill', async () => {
  writeLedger(directory, [storedLine(), noBillLine('2026-11-19')]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const { checked } = await checkBills(directory, (await expected()).slice(-1));
  expect(checked[0]?.state).toBe('verified');
});

it('reports a stored and lost bill as missing despite a later line', async () => {
  for (const lines of [
    [noBillLine('2026-11-19'), storedLine()],
    [storedLine(), noBillLine('2026-11-19')],
  ]) {
    writeLedger(directory, lines);
    const { checked } = await checkBills(directory, (await expected()).slice(-1));
    expect(checked[0]?.state).toBe('missing');
  }
});

it("compares with the digest of the ledger when the platform's digest is unknown", async () => {
  writeLedger(directory, [storedLine({ verified: false })]);
  placeBill(directory, 'bill_2026-11-19_all.csv');
  const ask = async () => ({ ...descriptor(), digest: { type: 'XXH64', value: 'a1b2' } });
  const bills = (await expected()).slice(-1);
  const { checked, failures } = await checkBills(directory, bills, { ask });
  expect([checked[0]?.state, failures]).toEqual(['unverified', []]);
  const known = await checkBills(directory, bills, { ask: async () => descriptor() });
  expect(known.checked[0]?.state).toBe('verified');
});

it('accepts a compressed bill that was compressed again', async () => {
  writeLedger(directory, [storedLine({ file: 'a.csv.gz', bytes: 1 })]);
  placeBill(directory, 'a.csv.gz', gzipSync(CONTENT));
  const { checked } = await checkBills(directory, (await expected()).slice(-1));
  expect(checked[0]?.state).toBe('verified');
});

it('finds a bill that was compressed to .gz afterwards', async () => {
  writeLedger(directory, [storedLine()]);
  placeBill(directory, 'bill_2026-11-19_all.csv.gz', gzipSync(CONTENT));
  const { checked } = await checkBills(directory, (await expected()).slice(-1));
  expect(checked[0]?.state).toBe('verified');
  placeBill(directory, 'bill_2026-11-19_all.csv.gz', gzipSync('other'));
  const changed = await checkBills(directory, (await expected()).slice(-1));
  expect(changed.checked[0]?.state).toBe('changed');
});

it('reports a bill as changed when it was compressed under the same name', async () => {
  writeLedger(directory, [storedLine()]);
  placeBill(directory, 'bill_2026-11-19_all.csv', gzipSync(CONTENT));
  const { checked } = await checkBills(directory, (await expected()).slice(-1));
  expect(checked[0]?.state).toBe('changed');
});

it('fails when the ledger cannot be read', async () => {
  await mkdir(join(directory, LEDGER_NAME));
  await expect(expected()).rejects.toMatchObject({ code: 'io' });
});
