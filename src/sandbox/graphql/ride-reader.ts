import { type Bill, billContent, type LineRange } from '../bill-content.ts';

/** A line of a bill, with the fields of the schema. */
export type Ride = ReturnType<typeof rideOf>;

/**
 * The rides of a bill in order, read while its content is generated.
 *
 * @param disconnected Aborted when the client disconnects; the reader then throws its reason.
 * @param range Lines of the day; by default the whole day.
 */
export type RideReader = (
  bill: Bill,
  disconnected: AbortSignal,
  range?: LineRange,
) => AsyncGenerator<Ride>;

/**
 * Reads rides from any line on, in constant time.
 *
 * @param rows The number of lines per day in the bill of the type `all`.
 */
export function rideReader(rows: number): RideReader {
  return (bill, disconnected, range) =>
    ridesIn(billContent(bill, rows, range), bill.date, disconnected);
}

/** @throws `disconnected.reason` once it is aborted. */
async function* ridesIn(
  content: AsyncIterable<Buffer>,
  date: string,
  disconnected: AbortSignal,
): AsyncGenerator<Ride> {
  const decoder = new TextDecoder();
  let rest = '';
  let columns: readonly string[] | undefined;
  for await (const chunk of content) {
    disconnected.throwIfAborted();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // No value contains a comma.
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
    /** The hour of the start, from 0 to 23. */
    hour: hourOf(startedAt),
  };
}

/** The second of the day of a time such as `2026-11-19 08:30:00`. */
function secondOfDay(time: string): number {
  return hourOf(time) * 3600 + Number(time.slice(14, 16)) * 60 + Number(time.slice(17));
}

function hourOf(time: string): number {
  return Number(time.slice(11, 13));
}
