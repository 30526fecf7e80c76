import { type CaptureReader, onlyEntry } from './capture-reader.ts';
import { assertObject } from './decoding.ts';

/** Reads a bare body of a request, unchanged. */
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
