import {
  type BillSchedule,
  billWindow,
  daysOf,
  lastDays,
  readyAt,
  today,
} from '../../protocol/bill-calendar.ts';
import { MAX_TEXT_LENGTH } from '../../protocol/detection.ts';
import { BILL_TYPES, type BillType } from '../../protocol/operations.ts';
import { resultCache } from '../../server/cache.ts';
import type { FormFile } from '../../server/form.ts';
import type { Bill } from '../bill-content.ts';
import { isWithoutTrades } from '../bill-operation.ts';
import { wait } from '../exchange.ts';
import {
  findRides,
  type PageArguments,
  type Ride,
  type RideReader,
  ridePage,
  rideReader,
} from './rides.ts';
import {
  type Booking,
  type BookingInput,
  type Context,
  checkBooking,
  checkRange,
  checkText,
  type Detection,
  eventStream,
  inputError,
  isAtLeast,
  type State,
} from './state.ts';

const MAX_DAYS = 92;
const MAX_FOUND = 100;

/** The fields of `Query`. Each throws a GraphQLError for an invalid argument. */
export function queries({ schedule, rows, closing, detections, bookings }: State) {
  const read = rideReader(rows);
  const billNode = billNodes(read, closing);
  const daysAt = ({ now }: Context): string[] => daysWithBills(schedule, now());

  const findRide = async (id: string, context: Context): Promise<Ride | null> => {
    const [ride] = await findRides(read, [id], daysAt(context), context.disconnected);
    return ride ?? null;
  };

  return {
    bill(args: { date?: string | null; type: string }, context: Context): BillNode | null {
      const { first, last } = billWindow(schedule, context.now());
      const date = args.date ?? last;
      if (date < first || date > last) throw inputError(`date is not in ${first} to ${last}`);
      return daysAt(context).includes(date) ? billNode({ date, type: typeOf(args.type) }) : null;
    },

    bills({ last, type }: { last: number; type: string }, context: Context): BillNode[] {
      checkRange('last', last, 1, MAX_DAYS);
      const days = daysAt(context);
      return daysOf(lastDays(last, schedule, context.now()))
        .filter((date) => days.includes(date))
        .map((date) => billNode({ date, type: typeOf(type) }))
        .reverse();
    },

    ride: ({ id }: { id: string }, context: Context) => findRide(id, context),

    rides: ({ ids }: { ids: readonly string[] }, context: Context) =>
      findRides(read, ids, daysAt(context), context.disconnected),

    async node(
      { id }: { id: string },
      context: Context,
    ): Promise<BillNode | Detection | Booking | Ride | null> {
      const [, date = '', type = ''] = /^([\d-]+):(ALL|PAID|REFUND)$/.exec(id) ?? [];
      if (daysAt(context).includes(date)) return billNode({ date, type: typeOf(type) });
      return detections.get(id) ?? bookings.get(id) ?? findRide(id, context);
    },

    async search(
      { text, first }: { text: string; first: number },
      context: Context,
    ): Promise<(BillNode | Detection | Ride)[]> {
      checkText('text', text, MAX_TEXT_LENGTH);
      checkRange('first', first, 1, MAX_FOUND);
      const date = billWindow(schedule, context.now()).last;
      const types = date.includes(text) ? (Object.keys(BILL_TYPES) as BillType[]) : [];
      const found = [
        ...types.map((type) => billNode({ date, type })),
        ...[...detections.values()].filter((detection) => detection.text.includes(text)),
      ].slice(0, first);
      const rides: Ride[] = [];
      for await (const ride of read({ date, type: 'all' }, context.disconnected)) {
        if (found.length + rides.length === first) break;
        if (date.includes(text) || ride.city.includes(text)) rides.push(ride);
      }
      return [...found, ...rides];
    },

    detections: ({ atLeast }: { atLeast: string }): Detection[] =>
      [...detections.values()].filter((detection) => isAtLeast(detection, atLeast)).reverse(),
  };
}

function typeOf(type: string): BillType {
  return type.toLowerCase() as BillType;
}

/** The fields of `Mutation`. Each throws a GraphQLError for an invalid argument. */
export function mutations(state: State) {
  return {
    async detect({ text }: { text: string }, context: Context): Promise<Detection> {
      checkText('text', text, MAX_TEXT_LENGTH);
      const service = await state.service();
      const { language, disconnected } = context;
      return state.addDetection(
        await service.detect(text, { now: context.now(), language, disconnected }),
      );
    },

    bookRide: ({ input }: { input: BookingInput }): Booking => state.book(input),

    cancelBooking({ id }: { id: string }): Booking | null {
      const booking = state.bookings.get(id) ?? null;
      state.bookings.delete(id);
      return booking;
    },

    attach: ({ files }: { files: readonly FormFile[] }) =>
      files.map(({ file, bytes, md5 }) => ({ name: file, bytes, md5 })),
  };
}

const MAX_PAUSE_MS = 10_000;
/** The defaults of `BookingInput`. */
const USUAL_RIDE = { carType: '经济型', passengers: 1, stops: [] };
const STEPS = ['REQUESTED', 'ACCEPTED', 'ARRIVED', 'RIDING', 'ENDED'];

/**
 * The fields of `Subscription`. Each event is an object with the value under the name of the field.
 */
export function subscriptions(state: State) {
  const { booked, bookings, detected } = state;
  return {
    rideProgress({ city, everyMs }: { city: string; everyMs: number }) {
      const ride = { ...USUAL_RIDE, city };
      checkBooking(ride);
      checkRange('everyMs', everyMs, 0, MAX_PAUSE_MS);
      return eventStream(async function* (signal): AsyncGenerator<{ rideProgress: Booking }, void> {
        const booking = state.book(ride);
        try {
          for (const step of STEPS) {
            if (step !== booking.step) await wait(everyMs, signal);
            // The booking may have been cancelled in the meantime.
            if (signal.aborted || !bookings.has(booking.id)) return;
            const moved = { ...booking, step };
            bookings.set(booking.id, moved);
            yield { rideProgress: moved };
          }
        } finally {
          bookings.delete(booking.id);
        }
      });
    },

    rideBooked: ({ city }: { city?: string | null }) =>
      eventStream(async function* (signal): AsyncGenerator<{ rideBooked: Booking }, void> {
        for await (const rideBooked of booked.listen(signal)) {
          if (city == null || rideBooked.city === city) yield { rideBooked };
        }
      }),

    detected: ({ atLeast }: { atLeast: string }) =>
      eventStream(async function* (signal): AsyncGenerator<{ detected: Detection }, void> {
        for await (const detection of detected.listen(signal)) {
          if (isAtLeast(detection, atLeast)) yield { detected: detection };
        }
      }),
  };
}

type BillNode = ReturnType<ReturnType<typeof billNodes>>;

/** The days with available bills, as `YYYY-MM-DD` in order (D1 4.1). */
function daysWithBills(schedule: BillSchedule, now: number): string[] {
  const currentDay = today(schedule, now);
  const window = billWindow(schedule, now);
  const isReady = now >= readyAt(window.last, schedule);
  return daysOf(window).filter(
    (date) => !isWithoutTrades(date, currentDay) && (isReady || date !== window.last),
  );
}

/** Creates the bills of the resolvers and caches their sums: each takes a pass over the day. */
function billNodes(read: RideReader, closing: AbortSignal) {
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
