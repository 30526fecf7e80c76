import { billWindow, daysOf, lastDays } from '../../protocol/bill-calendar.ts';
import { MAX_TEXT_LENGTH } from '../../protocol/detection.ts';
import { BILL_TYPES, type BillType } from '../../protocol/operations.ts';
import { type BillNode, billNodes, daysWithBills } from './bills.ts';
import { type Context, checkRange, checkText, inputError } from './resolver-context.ts';
import { type Ride, rideReader } from './ride-reader.ts';
import { findRides } from './rides.ts';
import { type Booking, type Detection, isAtLeast, type State } from './state.ts';

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
