import { wait } from '../wait.ts';
import { eventStream } from './events.ts';
import { checkRange } from './resolver-context.ts';
import { type Booking, checkBooking, type Detection, isAtLeast, type State } from './state.ts';

const MAX_PAUSE_MS = 10_000;
/** The defaults of `BookingInput`. */
const USUAL_RIDE = { carType: '经济型', passengers: 1, stops: [] };
const STEPS = ['REQUESTED', 'ACCEPTED', 'ARRIVED', 'RIDING', 'ENDED'];

/**
 * The fields of `Subscription`. Each event is an object with the value under the name of the field.
 * Each field throws a GraphQLError for an invalid argument.
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
