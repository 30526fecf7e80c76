import { expect, it } from 'vitest';
import { parseReadings } from '../../src/protocol/readings.ts';
import { usageError } from '../signing/helpers.ts';

it('reads names and values, the last of one name', () => {
  expect(parseReadings()).toEqual({});
  expect(parseReadings(['header-names=as-sent', 'header-names=documented'])).toEqual({
    'header-names': 'documented',
  });
});

it.each([
  ['header-name=as-sent', 'unknown reading "header-name"'],
  ['', 'unknown reading ""'],
  ['constructor=1', 'unknown reading "constructor"'],
  ['header-names', 'the reading header-names has no value'],
  ['header-names=', 'the reading header-names has the unknown value ""'],
  ['header-names=any', 'the reading header-names has the unknown value "any"'],
])('%j is refused, with a list of what there is', (text, message) => {
  const refused = expect(() => parseReadings([text]));
  refused.toThrow(usageError(message));
  refused.toThrow(
    expect.objectContaining({
      details: expect.objectContaining({
        hint: 'readings are header-names=documented|as-sent',
      }),
    }),
  );
});
