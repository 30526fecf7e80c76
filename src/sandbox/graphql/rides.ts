import { type Bill, type BillRow, billRows, type LineRange } from '../bill-content.ts';
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
  return async function* (bill, disconnected, range) {
    for await (const batch of billRows(bill, rows, range)) {
      disconnected.throwIfAborted();
      for (const row of batch) yield rideOf(row, bill.date);
    }
  };
}

function rideOf(row: BillRow, date: string) {
  const { started_at: startedAt, amount, discount, paid_amount: paid, refund_amount: refund } = row;
  return {
    __typename: row.status === 'REFUNDED' ? 'RefundedRide' : 'PaidRide',
    id: row.order_id,
    date,
    city: row.city,
    carType: row.car_type,
    distanceKm: Number(row.distance_km),
    minutes: Math.floor((secondOfDay(row.paid_at) - secondOfDay(startedAt)) / 60),
    amount,
    discount: discount === '0.00' ? null : discount,
    paid,
    payChannel: row.pay_channel,
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
