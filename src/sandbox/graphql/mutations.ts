import { MAX_TEXT_LENGTH } from '../../protocol/detection.ts';
import type { FormFile } from '../form.ts';
import { type Context, checkText } from './resolver-context.ts';
import type { Booking, BookingInput, Detection, Store } from './state.ts';

/** The fields of `Mutation`. Each throws a GraphQLError for an argument that it cannot take. */
export function mutations(store: Store) {
  return {
    async detect({ text }: { text: string }, context: Context): Promise<Detection> {
      checkText('text', text, MAX_TEXT_LENGTH);
      const service = await store.service();
      const { language, gone } = context;
      return store.addDetection(await service.detect(text, { now: context.now(), language, gone }));
    },

    bookRide: ({ input }: { input: BookingInput }): Booking => store.book(input),

    cancelBooking({ id }: { id: string }): Booking | null {
      const booking = store.bookings.get(id) ?? null;
      store.bookings.delete(id);
      return booking;
    },

    attach: ({ files }: { files: readonly FormFile[] }) =>
      files.map(({ file, bytes, md5 }) => ({ name: file, bytes, md5 })),
  };
}
