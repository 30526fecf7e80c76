import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayNumber } from '../../protocol/bill-calendar.ts';
import { type Bill, billContent, drawOrder, type OrderRange } from '../bill-content.ts';
import { resumedDraw, type SeededDraw, seededDraw } from '../random.ts';
import { resultCache } from '../result-cache.ts';

/** A line of a bill, with the fields of the schema. */
export type Ride = ReturnType<typeof rideOf>;

/**
 * The rides of a bill in its order, read as its content is made.
 *
 * @param gone Aborted when the client has left; the reader then throws its reason.
 * @param range Indexes of orders of the day; by default the whole day.
 */
export type RideReader = (
  bill: Bill,
  gone: AbortSignal,
  range?: Partial<Pick<OrderRange, 'from' | 'to'>>,
) => AsyncGenerator<Ride>;

/** The state of the draw is kept for one order in this many. */
const KEPT_EVERY = 256;

/** More than the days of a window. */
const MAX_DAYS = 128;

/**
 * Reads rides from any index in constant time. How many numbers an order draws depends on it, so the
 * state of the draw is kept every 256 orders; the first read of an index draws the orders before it.
 *
 * @param rows Orders per day, of both kinds together.
 */
export function rideReader(rows: number): RideReader {
  const days = resultCache<ReturnType<typeof drawFinder>>(MAX_DAYS);
  return async function* read(bill, gone, { from = 0, to = rows } = {}) {
    const drawAt = days(bill.date, () => drawFinder(bill.date, rows));
    const first = Math.min(from, rows);
    const draw = await drawAt(first, gone);
    const range = { from: first, to: Math.min(to, rows), draw };
    yield* ridesIn(billContent(bill, rows, range), bill.date, gone);
  };
}

/** Finds the draw with which an order of a day begins, by its index. */
function drawFinder(date: string, rows: number) {
  const kept = [seededDraw(dayNumber(date)).state()];
  const drawAfter = (place: number, count: number): SeededDraw => {
    const draw = resumedDraw(kept[place] ?? 0);
    const first = place * KEPT_EVERY;
    for (let index = first; index < first + count; index++) drawOrder(draw, index, rows);
    return draw;
  };
  return async (index: number, gone: AbortSignal): Promise<SeededDraw> => {
    const place = Math.floor(index / KEPT_EVERY);
    while (kept.length <= place) {
      gone.throwIfAborted();
      kept.push(drawAfter(kept.length - 1, KEPT_EVERY).state());
      // Concurrent searches share the states: each adds one before it yields.
      await nextTurn();
    }
    return drawAfter(place, index % KEPT_EVERY);
  };
}

/** @throws `gone.reason` once it is aborted. */
async function* ridesIn(
  content: AsyncIterable<Buffer>,
  date: string,
  gone: AbortSignal,
): AsyncGenerator<Ride> {
  const decoder = new TextDecoder();
  let rest = '';
  let columns: readonly string[] | undefined;
  for await (const chunk of content) {
    gone.throwIfAborted();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // No value has a comma in it.
      const values = line.split(',');
      if (columns) yield rideOf(values, columns, date);
      else columns = values;
    }
  }
}

/** Amounts are in yuan with two decimals. */
function rideOf(values: readonly string[], columns: readonly string[], date: string) {
  const value = (column: string): string => values[columns.indexOf(column)] ?? '';
  const startedAt = value('started_at');
  const [amount, discount] = [value('amount'), value('discount')];
  const [paid, refund] = [value('paid_amount'), value('refund_amount')];
  return {
    __typename: value('status') === 'REFUNDED' ? 'RefundedRide' : 'PaidRide',
    /** 17 digits that begin with the date, ascending from line to line. */
    id: value('order_id'),
    date,
    city: value('city'),
    carType: value('car_type'),
    distanceKm: Number(value('distance_km')),
    minutes: Math.floor((secondOfDay(value('paid_at')) - secondOfDay(startedAt)) / 60),
    amount,
    discount: discount === '0.00' ? null : discount,
    paid,
    payChannel: value('pay_channel'),
    price: amount,
    refund,
    whole: refund === paid,
    /** The hour of the day in which it began. */
    hour: hourOf(startedAt),
  };
}

/** Of a time such as `2026-11-19 08:30:00`. */
function secondOfDay(time: string): number {
  return hourOf(time) * 3600 + Number(time.slice(14, 16)) * 60 + Number(time.slice(17));
}

function hourOf(time: string): number {
  return Number(time.slice(11, 13));
}
