import { MAX_TEXT_LENGTH } from '../../protocol/detection.ts';
import type { FormFile } from '../../server/form.ts';
import { type Context, checkText } from './resolver-context.ts';
import type { Booking, BookingInput, Detection, State } from './state.ts';

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
