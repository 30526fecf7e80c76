import type { BillSchedule } from '../../protocol/bill-calendar.ts';
import { LEVELS, type Level } from '../../protocol/detection.ts';
import type { DetectionResult, DetectionService } from '../detection/service.ts';
import { CAR_TYPES } from '../fares.ts';
import { channel } from './events.ts';
import { checkRange, checkText, inputError } from './resolver-context.ts';

export interface StoreOptions {
  /** When bills appear. */
  readonly schedule: BillSchedule;
  /** Orders per day. */
  readonly rows: number;
  /** Aborted when the sandbox ends. */
  readonly closing: AbortSignal;
  readonly service: () => Promise<DetectionService>;
}

/** What the resolvers of a sandbox work on; the maps are by id, the oldest first. */
export type Store = ReturnType<typeof createStore>;

/** A detection, with the fields that the schema has. */
export interface Detection {
  readonly __typename: 'Detection';
  readonly id: string;
  readonly text: string;
  readonly level: string;
  readonly score: number;
  readonly hits: readonly { rule: string; level: string; matchedText: string }[];
  readonly safeRewrite: string;
}

export interface BookingInput {
  readonly city: string;
  readonly carType: string;
  readonly passengers: number;
  readonly stops: readonly string[];
}

/** A booking, with the fields that the schema has. */
export interface Booking extends BookingInput {
  readonly __typename: 'Booking';
  readonly id: string;
  readonly step: string;
}

const MAX_REMEMBERED = 1000;
const MAX_PASSENGERS = 6;
const MAX_STOPS = 10;
const MAX_NAME_LENGTH = 100;

export function createStore(options: StoreOptions) {
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

    /** Remembers a result and tells who listens. */
    addDetection(result: DetectionResult): Detection {
      const detection = detectionOf(result, `detection-${++serial}`);
      remember(detections, detection);
      detected.publish(detection);
      return detection;
    },

    /** Remembers a booking and tells who listens. @throws {GraphQLError} for a bad one. */
    book(ride: BookingInput): Booking {
      checkBooking(ride);
      const id = `booking-${++serial}`;
      const booking: Booking = { ...ride, __typename: 'Booking', id, step: 'REQUESTED' };
      remember(bookings, booking);
      booked.publish(booking);
      return booking;
    },
  };
}

/** @throws {GraphQLError} for a ride that nobody can book. */
export function checkBooking({ city, carType, passengers, stops }: BookingInput): void {
  const names = CAR_TYPES.map(({ name }) => name);
  checkText('city', city, MAX_NAME_LENGTH);
  if (!names.includes(carType)) throw inputError(`carType is none of ${names.join(', ')}`);
  checkRange('passengers', passengers, 1, MAX_PASSENGERS);
  if (stops.length > MAX_STOPS) throw inputError(`stops has more than ${MAX_STOPS} names`);
  for (const stop of stops) checkText('a stop', stop, MAX_NAME_LENGTH);
}

/** Whether a detection is as grave as a level of the schema. */
export function isAtLeast({ level }: Detection, least: string): boolean {
  const rank = (name: string): number => LEVELS.indexOf(name.toLowerCase() as Level);
  return rank(level) >= rank(least);
}

function remember<T extends { readonly id: string }>(items: Map<string, T>, item: T): void {
  items.set(item.id, item);
  const [oldest] = items.keys();
  if (oldest !== undefined && items.size > MAX_REMEMBERED) items.delete(oldest);
}

function detectionOf(result: DetectionResult, id: string): Detection {
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
