import { expect, it } from 'vitest';
import { parseReadings } from '../../src/protocol/readings.ts';
import { usageError } from '../signing/helpers.ts';

it('parses names and values; the last value of a name is used', () => {
  expect(parseReadings()).toEqual({});
  expect(parseReadings(['header-names=as-sent', 'header-names=documented'])).toEqual({
    'header-names': 'documented',
  });
});

const NAMES =
  'known readings: nested-json, null-in-header, nonce, types, ready-time, window, modes, replay, header-names';
const EXPLAINED = 'mop help readings explains them';
const HEADER_NAMES = 'header-names is one of documented, as-sent; see mop help readings';

it.each([
  ['header-name=as-sent', `unknown reading "header-name"; ${NAMES}`, EXPLAINED],
  ['', `unknown reading ""; ${NAMES}`, EXPLAINED],
  ['constructor=1', `unknown reading "constructor"; ${NAMES}`, EXPLAINED],
  ['header-names', 'the reading header-names has no value', HEADER_NAMES],
  ['header-names=', 'the reading header-names has the unknown value ""', HEADER_NAMES],
  ['header-names=any', 'the reading header-names has the unknown value "any"', HEADER_NAMES],
  [
    'ready-time=24:00',
    'the reading ready-time has the unknown value "24:00"',
    'ready-time is one of 00:00, HH:MM; see mop help readings',
  ],
])('rejects %j and lists the choices', (text, message, hint) => {
  const refused = expect(() => parseReadings([text]));
  refused.toThrow(usageError(message));
  refused.toThrow(expect.objectContaining({ details: expect.objectContaining({ hint }) }));
});

it('accepts a time of day for ready-time', () => {
  expect(parseReadings(['ready-time=10:30'])).toEqual({ 'ready-time': '10:30' });
});
