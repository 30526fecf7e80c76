import type { BillSchedule } from '../../protocol/bill-calendar.ts';
import { LEVELS, type Level } from '../../protocol/detection.ts';
import type { DetectionResult, DetectionService } from '../detection/service.ts';
import { CAR_TYPES } from '../fares.ts';
import { channel } from './events.ts';
import { checkRange, checkText, inputError } from './resolver-context.ts';

export interface StateOptions {
  /** The publication schedule of bills. */
  readonly schedule: BillSchedule;
  /** Orders per day. */
  readonly rows: number;
  /** Aborted when the sandbox ends. */
  readonly closing: AbortSignal;
  readonly service: () => Promise<DetectionService>;
}

/** The data of the resolvers of one sandbox; the maps are by id, oldest first. */
export type State = ReturnType<typeof createState>;

export type Detection = ReturnType<typeof detectionOf>;

export interface BookingInput {
  readonly city: string;
  readonly carType: string;
  readonly passengers: number;
  readonly stops: readonly string[];
}

export type Booking = ReturnType<typeof bookingOf>;

/** The number of detections, and of bookings, that are kept. */
export const MAX_REMEMBERED = 1000;
const MAX_PASSENGERS = 6;
const MAX_STOPS = 10;
const MAX_NAME_LENGTH = 100;

export function createState(options: StateOptions) {
  const detections = new Map<string, Detection>();
  const bookings = new Map<string, Booking>();
  const [detected, booked] = [channel<Detection>(), channel<Booking>()];
  let serial = 0;
  return {
    ...options,
    detections,
    detected,
    bookings,
    booked,

    /** Keeps a result and publishes it. */
    addDetection(result: DetectionResult): Detection {
      const detection = detectionOf(result, `detection-${++serial}`);
      remember(detections, detection);
      detected.publish(detection);
      return detection;
    },

    /** Keeps a booking and publishes it. @throws {GraphQLError} for a ride that cannot be booked. */
    book(ride: BookingInput): Booking {
      checkBooking(ride);
      const booking = bookingOf(ride, `booking-${++serial}`);
      remember(bookings, booking);
      booked.publish(booking);
      return booking;
    },
  };
}

/** @throws {GraphQLError} for a ride that cannot be booked. */
export function checkBooking({ city, carType, passengers, stops }: BookingInput): void {
  const names = CAR_TYPES.map(({ name }) => name);
  checkText('city', city, MAX_NAME_LENGTH);
  if (!names.includes(carType)) throw inputError(`carType is not one of ${names.join(', ')}`);
  checkRange('passengers', passengers, 1, MAX_PASSENGERS);
  if (stops.length > MAX_STOPS) throw inputError(`stops has more than ${MAX_STOPS} names`);
  for (const stop of stops) checkText('a stop', stop, MAX_NAME_LENGTH);
}

/** Whether a detection has at least a level of the schema. */
export function isAtLeast({ level }: Detection, least: string): boolean {
  const rank = (name: string): number => LEVELS.indexOf(name.toLowerCase() as Level);
  return rank(level) >= rank(least);
}

function remember<T extends { readonly id: string }>(items: Map<string, T>, item: T): void {
  items.set(item.id, item);
  const [oldest] = items.keys();
  if (oldest !== undefined && items.size > MAX_REMEMBERED) items.delete(oldest);
}

function bookingOf(ride: BookingInput, id: string) {
  return { ...ride, __typename: 'Booking', id, step: 'REQUESTED' };
}

function detectionOf(result: DetectionResult, id: string) {
  return {
    __typename: 'Detection',
    id,
    text: result.text,
    level: result.overall_risk.toUpperCase(),
    score: result.risk_score,
    hits: result.results.map((hit) => ({
      rule: hit.rule_name,
      level: hit.level.toUpperCase(),
      matchedText: hit.matched_text,
    })),
    safeRewrite: result.safe_rewrite,
  };
}
