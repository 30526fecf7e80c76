import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { DEFAULT_TIME_ZONE, zoneOf } from '../../src/protocol/defaults.ts';

it("keeps the platform's time for every day since 1992", () => {
  const moments = fc.integer({ min: Date.UTC(1992, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(moments, (ms) => {
      const clock = (zone: string): string =>
        Temporal.Instant.fromEpochMilliseconds(ms)
          .toZonedDateTimeISO(zone)
          .toPlainDateTime()
          .toString();
      expect(clock(zoneOf(DEFAULT_TIME_ZONE))).toBe(clock(DEFAULT_TIME_ZONE));
    }),
    { seed: 8, numRuns: 300 },
  );
});

it.each(['Europe/Berlin', 'America/St_Johns', 'UTC'])('returns %s unchanged', (name) => {
  expect(zoneOf(name)).toBe(name);
});
