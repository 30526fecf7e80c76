import { type BillSchedule, billWindow, daysOf, today } from '../../protocol/bill-calendar.ts';
import type { Bill } from '../bill-content.ts';
import { isWithoutTrades } from '../bill-operation.ts';
import type { Context } from './resolver-context.ts';
import { type PageArguments, type RideConnection, ridePage, ridesOf } from './rides.ts';

/** A bill, with the fields that the schema has. */
export interface BillNode {
  readonly __typename: 'Bill';
  readonly id: string;
  readonly date: string;
  readonly type: string;
  count(): Promise<number>;
  total(): Promise<string>;
  cities(): Promise<readonly string[]>;
  hourlyAverage(): Promise<readonly (string | null)[] | null>;
  rides(page: PageArguments, context: Context): Promise<RideConnection>;
}

/** What takes the whole bill; amounts in yuan with two decimals. */
interface Summary {
  readonly count: number;
  readonly total: string;
  readonly cities: readonly string[];
  readonly hourlyAverage: readonly (string | null)[] | null;
}

/** More than a window of bills of each type. */
const MAX_SUMMARIES = 512;

/** The days for which the platform has bills now, as `YYYY-MM-DD` in order (D1 4.1). */
export function daysWithBills(schedule: BillSchedule, now: number): string[] {
  const currentDay = today(schedule, now);
  return daysOf(billWindow(schedule, now)).filter((date) => !isWithoutTrades(date, currentDay));
}

/**
 * Makes bills as the resolvers give them. Their sums take a pass over the day, so they are kept.
 *
 * @param rows Orders per day.
 * @param closing Ends the passes under way.
 */
export function billNodes(rows: number, closing: AbortSignal): (bill: Bill) => BillNode {
  const summaries = new Map<string, Promise<Summary>>();
  return (bill) => {
    const type = bill.type.toUpperCase();
    const id = `${bill.date}:${type}`;
    const summary = (): Promise<Summary> => {
      const kept = summaries.get(id);
      if (kept) return kept;
      if (summaries.size >= MAX_SUMMARIES) summaries.clear();
      const made = summarize(bill, rows, closing);
      summaries.set(id, made);
      return made;
    };
    return {
      __typename: 'Bill',
      id,
      date: bill.date,
      type,
      count: async () => (await summary()).count,
      total: async () => (await summary()).total,
      cities: async () => (await summary()).cities,
      hourlyAverage: async () => (await summary()).hourlyAverage,
      rides: (page, { gone }) => ridePage(bill, rows, page, gone),
    };
  };
}

async function summarize(bill: Bill, rows: number, closing: AbortSignal): Promise<Summary> {
  const hours = Array.from({ length: 24 }, () => ({ count: 0, cents: 0 }));
  const cities = new Set<string>();
  let count = 0;
  let paidCents = 0;
  for await (const ride of ridesOf(bill, rows, closing)) {
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
