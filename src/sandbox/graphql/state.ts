import { EventEmitter, on } from 'node:events';
import { GraphQLError } from 'graphql';
import type { BillSchedule } from '../../protocol/bill-calendar.ts';
import { LEVELS, type Level } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import type { DetectionResult, DetectionService } from '../detection/service.ts';
import { CAR_TYPES } from '../fares.ts';
import type { Clock } from '../operation.ts';

export interface StateOptions {
  readonly schedule: BillSchedule;
  /** Orders per day. */
  readonly rows: number;
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

/** Shared by the resolvers of one operation. A type, because handlers require an index signature. */
export type Context = {
  /** The clock of the sandbox for this request, with the fault `skew`. */
  readonly now: Clock;
  /** The language of rule names and explanations. */
  readonly language: Language;
  readonly disconnected: AbortSignal;
  readonly failed: (error: unknown) => void;
};

export function inputError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** @throws {GraphQLError} when the argument `name` is not in that range, both ends included. */
export function checkRange(name: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throw inputError(`${name} is not in ${least} to ${most}`);
}

/** @throws {GraphQLError} when the argument `name` is empty or has more characters than `most`. */
export function checkText(name: string, text: string, most: number): void {
  if (text.trim() === '') throw inputError(`${name} is empty`);
  // Compare code units first: counting code points is slower.
  if (text.length > most && [...text].length > most) {
    throw inputError(`${name} has more than ${most} characters`);
  }
}

/** The error for the client; the message of a bug goes to the log only. */
export function publicError(error: unknown, { disconnected, failed }: Context): GraphQLError {
  const isLocated = error instanceof GraphQLError && error.originalError !== undefined;
  const origin = isLocated ? error.originalError : error;
  if (error instanceof GraphQLError && origin instanceof GraphQLError) return error;
  if (!disconnected.aborted) failed(origin);
  return new GraphQLError('the sandbox failed', { extensions: { code: 'INTERNAL_SERVER_ERROR' } });
}

interface Channel<T> {
  publish(value: T): void;
  /** Every value from the first `next` on; ends when `signal` is aborted. */
  listen(signal: AbortSignal): AsyncGenerator<T>;
}

function channel<T>(): Channel<T> {
  const emitter = new EventEmitter<{ value: [T] }>().setMaxListeners(0);
  return {
    publish(value) {
      emitter.emit('value', value);
    },
    async *listen(signal) {
      try {
        for await (const [value] of on(emitter, 'value', { signal })) yield value;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

/**
 * The events of a subscription, until `produce` ends by its signal. A plain generator would notice
 * a disconnected client only after its next event.
 */
export function eventStream<T>(
  produce: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const ending = new AbortController();
  const events = produce(ending.signal);
  const end = events.return.bind(events);
  events.return = (value) => {
    ending.abort();
    return end(value);
  };
  return events;
}
