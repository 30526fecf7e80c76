import {
  type BillSchedule,
  billWindow,
  daysOf,
  readyAt,
  today,
} from '../../protocol/bill-calendar.ts';
import { resultCache } from '../../server/cache.ts';
import type { Bill } from '../bill-content.ts';
import { isWithoutTrades } from '../bill-operation.ts';
import { type PageArguments, type Ride, type RideReader, ridePage } from './rides.ts';
import type { Context } from './state.ts';

export type BillNode = ReturnType<ReturnType<typeof billNodes>>;

/** The days with available bills, as `YYYY-MM-DD` in order (D1 4.1). */
export function daysWithBills(schedule: BillSchedule, now: number): string[] {
  const currentDay = today(schedule, now);
  const window = billWindow(schedule, now);
  const isReady = now >= readyAt(window.last, schedule);
  return daysOf(window).filter(
    (date) => !isWithoutTrades(date, currentDay) && (isReady || date !== window.last),
  );
}

/** Creates the bills of the resolvers and caches their sums: each takes a pass over the day. */
export function billNodes(read: RideReader, closing: AbortSignal) {
  const summaries = resultCache<ReturnType<typeof summarize>>();
  return (bill: Bill) => {
    const type = bill.type.toUpperCase();
    const id = `${bill.date}:${type}`;
    const summary = () => summaries(id, () => summarize(read(bill, closing)));
    return {
      __typename: 'Bill',
      id,
      date: bill.date,
      type,
      count: async () => (await summary()).count,
      total: async () => (await summary()).total,
      cities: async () => (await summary()).cities,
      hourlyAverage: async () => (await summary()).hourlyAverage,
      rides: (page: PageArguments, { disconnected }: Context) =>
        ridePage(read, bill, page, disconnected),
    };
  };
}

/** Amounts are in yuan with two decimals. */
async function summarize(rides: AsyncIterable<Ride>) {
  const hours = Array.from({ length: 24 }, () => ({ count: 0, cents: 0 }));
  const cities = new Set<string>();
  let count = 0;
  let paidCents = 0;
  for await (const ride of rides) {
    count++;
    paidCents += centsOf(ride.paid);
    cities.add(ride.city);
    const hour = hours[ride.hour];
    if (!hour) continue;
    hour.count++;
    hour.cents += centsOf(ride.amount);
  }
  const averages = hours.map((hour) =>
    hour.count > 0 ? money(Math.round(hour.cents / hour.count)) : null,
  );
  return {
    count,
    total: money(paidCents),
    cities: [...cities].sort(),
    hourlyAverage: count > 0 ? averages : null,
  };
}

function centsOf(yuan: string): number {
  return Number(yuan.replace('.', ''));
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}
