import { type Bill, billContent, type LineRange } from '../bill-content.ts';
import { checkRange, inputError } from './state.ts';

interface RideFilter {
  readonly city?: string | null;
  readonly carType?: string | null;
  readonly minDistanceKm?: number | null;
  readonly discounted?: boolean | null;
  readonly payChannels?: readonly string[] | null;
}

export interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: RideFilter | null;
}

const MAX_PAGE = 100;

/** A page of the rides that match the filter (GraphQL cursor connections specification). */
export async function ridePage(
  read: RideReader,
  bill: Bill,
  { first, after, filter }: PageArguments,
  disconnected: AbortSignal,
) {
  checkRange('first', first, 1, MAX_PAGE);
  const previous = after == null ? undefined : readCursor(after, bill.date);
  const from = previous === undefined ? 0 : orderIndex(previous);
  const nodes: Ride[] = [];
  let hasPreviousPage = false;
  let hasNextPage = false;
  // Start at the ride of the cursor: usually it is the last ride of the previous page.
  for await (const ride of read(bill, disconnected, { from })) {
    if (!matches(ride, filter ?? {})) continue;
    if (ride.id === previous) {
      hasPreviousPage = true;
    } else if (nodes.length < first) {
      nodes.push(ride);
    } else {
      hasNextPage = true;
      break;
    }
  }
  if (!hasPreviousPage && from > 0) {
    for await (const ride of read(bill, disconnected, { to: from })) {
      hasPreviousPage = matches(ride, filter ?? {});
      if (hasPreviousPage) break;
    }
  }
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }));
  const [startCursor, endCursor] = [edges.at(0)?.cursor, edges.at(-1)?.cursor];
  return { edges, nodes, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } };
}

/** The rides with these ids, null for each unknown one. `days` have bills. */
export async function findRides(
  read: RideReader,
  ids: readonly string[],
  days: readonly string[],
  disconnected: AbortSignal,
): Promise<(Ride | null)[]> {
  if (ids.length > MAX_PAGE) throw inputError(`ids has more than ${MAX_PAGE} ids`);
  const found: (Ride | null)[] = [];
  for (const id of ids) {
    const date = dateOfId(id);
    const isAvailable = date !== undefined && days.includes(date);
    found.push(isAvailable ? await findRide(read, id, date, disconnected) : null);
  }
  return found;
}

async function findRide(
  read: RideReader,
  id: string,
  date: string,
  disconnected: AbortSignal,
): Promise<Ride | null> {
  const from = orderIndex(id);
  const { value } = await read({ date, type: 'all' }, disconnected, { from, to: from + 1 }).next();
  return value ?? null;
}

/** The day of the bill with this ride; undefined when `id` is not the id of a ride. */
function dateOfId(id: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)\d{9}$/.exec(id) ?? [];
  return year && `${year}-${month}-${day}`;
}

function matches(ride: Ride, filter: RideFilter): boolean {
  const { city, carType, minDistanceKm, discounted, payChannels } = filter;
  return (
    (city == null || ride.city === city) &&
    (carType == null || ride.carType === carType) &&
    (minDistanceKm == null || ride.distanceKm >= minDistanceKm) &&
    (discounted == null || (ride.discount !== null) === discounted) &&
    (payChannels == null || payChannels.includes(ride.payChannel))
  );
}

function cursorOf({ id }: Ride): string {
  return Buffer.from(id).toString('base64url');
}

function orderIndex(id: string): number {
  return Number(id.slice(8));
}

function readCursor(cursor: string, date: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (dateOfId(id) === date) return id;
  throw inputError(`after is not a cursor of the bill of ${date}`);
}

/** A line of a bill, with the fields of the schema. */
export type Ride = ReturnType<typeof rideOf>;

/**
 * The rides of a bill in order, read while its content is generated; throws the reason of
 * `disconnected`.
 */
export type RideReader = (
  bill: Bill,
  disconnected: AbortSignal,
  range?: LineRange,
) => AsyncGenerator<Ride>;

/** Reads rides from any line on, in constant time. `rows` counts the lines of `all`. */
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
