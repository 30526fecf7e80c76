import { expect, it } from 'vitest';
import { fetchRun } from '../../../src/platform/bills/fetch-run.ts';

it.each([
  { inFlight: 1, kib: 512, isAlone: true },
  { inFlight: 4, kib: 512, isAlone: false },
  { inFlight: 16, kib: 128, isAlone: false },
  { inFlight: 64, kib: 32, isAlone: false },
  { inFlight: 10_000, kib: 16, isAlone: false },
])('gives $inFlight downloads buffers of $kib KiB', ({ inFlight, kib, isAlone }) => {
  expect(fetchRun(inFlight)).toMatchObject({ chunkBytes: kib * 1024, isAlone });
});
