import { type Bill, billContent } from '../bill-content.ts';
import { checkRange, inputError } from './resolver-context.ts';

/** A line of a bill, with the fields of the schema. */
export type Ride = ReturnType<typeof rideOf>;

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

/**
 * The rides of a bill in its order, read as its content is made.
 *
 * @param rows Orders of the day, of both kinds together.
 * @throws `gone.reason` when nobody waits for them any more.
 */
export async function* ridesOf(bill: Bill, rows: number, gone: AbortSignal): AsyncGenerator<Ride> {
  const decoder = new TextDecoder();
  let rest = '';
  let columns: readonly string[] | undefined;
  for await (const chunk of billContent(bill, rows)) {
    gone.throwIfAborted();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // No value has a comma in it.
      const values = line.split(',');
      if (columns) yield rideOf(values, columns, bill.date);
      else columns = values;
    }
  }
}

/**
 * A page of the rides that the filter lets through (GraphQL cursor connections specification).
 *
 * @throws {GraphQLError} for a bad argument.
 */
export async function ridePage(
  bill: Bill,
  rows: number,
  { first, after, filter }: PageArguments,
  gone: AbortSignal,
) {
  checkRange('first', first, 1, MAX_PAGE);
  const previous = after == null ? '' : readCursor(after, bill.date);
  const nodes: Ride[] = [];
  let hasPreviousPage = false;
  let hasNextPage = false;
  for await (const ride of ridesOf(bill, rows, gone)) {
    if (!matches(ride, filter ?? {})) continue;
    if (ride.id <= previous) {
      hasPreviousPage = true;
    } else if (nodes.length < first) {
      nodes.push(ride);
    } else {
      hasNextPage = true;
      break;
    }
  }
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }));
  const [startCursor, endCursor] = [edges.at(0)?.cursor, edges.at(-1)?.cursor];
  return { edges, nodes, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } };
}

/**
 * The rides with these ids, null for each unknown one.
 *
 * @param days The days that have bills.
 * @throws {GraphQLError} for more than 100 ids.
 */
export async function findRides(
  ids: readonly string[],
  days: readonly string[],
  rows: number,
  gone: AbortSignal,
): Promise<(Ride | null)[]> {
  if (ids.length > MAX_PAGE) throw inputError(`ids has more than ${MAX_PAGE} ids`);
  const found = new Map<string, Ride>();
  for (const date of new Set(ids.map(dateOfId))) {
    if (date === undefined || !days.includes(date)) continue;
    const missing = new Set(ids.filter((id) => dateOfId(id) === date));
    for await (const ride of ridesOf({ date, type: 'all' }, rows, gone)) {
      if (missing.delete(ride.id)) found.set(ride.id, ride);
      if (missing.size === 0) break;
    }
  }
  return ids.map((id) => found.get(id) ?? null);
}

/** The day of the bill with this ride; undefined when `id` is not the id of a ride. */
function dateOfId(id: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)\d{9}$/.exec(id) ?? [];
  return year && `${year}-${month}-${day}`;
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

/** The id of the ride after which a page begins. */
function readCursor(cursor: string, date: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (dateOfId(id) === date) return id;
  throw inputError(`after is no cursor of the bill of ${date}`);
}
