import { type CaptureReader, onlyEntry } from './capture-reader.ts';
import { assertObject } from './decoding.ts';

/** Reads a request body that was passed without headers. */
export const JSON_BODY: CaptureReader = {
  format: 'json',
  isFormat: ({ head }) => /^[{["]/.test(head),
  read: (capture) =>
    onlyEntry(() => {
      const body = capture.textAs('json');
      assertObject(body, 'the text', 'json');
      return { format: 'json', method: undefined, url: undefined, headers: [], body, notes: [] };
    }),
};
