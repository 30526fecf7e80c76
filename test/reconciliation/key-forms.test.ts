import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KEY_FORMS, lostDigits, roundDigits } from '../../src/reconciliation/key-forms.ts';
import { checkRows } from '../support/rows.ts';

/** The form of a key under the first form with this difference. */
function formOf(difference: string, key: string): string | undefined {
  return KEY_FORMS.find((form) => form.difference.includes(difference))?.apply(key);
}

const FORMS: readonly (readonly [difference: string, key: string, form: string])[] = [
  ['case', 'aBÉ', 'abé'],
  ['zeros', '007', '7'],
  ['zeros', '000', '0'],
  ['zeros', '0', '0'],
  ['zeros', '00A', 'A'],
  ['zeros', '100', '100'],
  ['full-width', 'ＡＢ１２', 'AB12'],
  ['full-width', 'A\u200b1\ufeff', 'A1'],
  ['full-width', '\u00a0A1\u3000', 'A1'],
  ['decimal', '5.0', '5'],
  ['decimal', '5,00', '5'],
  ['decimal', '5.10', '5.10'],
  ['decimal', 'A.0', 'A.0'],
  ['dates', '20261105', '2026-11-05'],
  ['dates', '2026/11/5', '2026-11-05'],
  ['dates', '2026.11.05', '2026-11-05'],
  ['dates', '2026年11月5日', '2026-11-05'],
  ['dates', '5.11.2026', '2026-11-05'],
  ['dates', '2026-11-05 00:00:00', '2026-11-05'],
  ['dates', '2026-11-05T00:00:00.000Z', '2026-11-05'],
  ['dates', '2026-11-05 08:00', '2026-11-05 08:00'],
  ['dates', '20261399', '20261399'],
];

it('removes a difference between keys', () =>
  checkRows(FORMS, ([difference, key, form]) => expect(formOf(difference, key)).toBe(form)));

it('does not change a form again', () =>
  fc.assert(
    fc.property(fc.constantFrom(...FORMS), fc.string(), ([, key], text) => {
      for (const { apply } of KEY_FORMS) {
        for (const each of [key, text]) expect(apply(apply(each))).toBe(apply(each));
      }
    }),
    { seed: 20261128, numRuns: 200 },
  ));

const LOST = [
  ['2.02611E+17', '202611000000000000', 6],
  ['2.02611e17', '202611000000000000', 6],
  ['2,02611E+17', '202611000000000000', 6],
  ['1E+15', '1000000000000000', 1],
  ['202611200000000000', '202611200000000000', 15],
  ['2.5E+1', '25', 2],
] as const;

const KEPT = ['', 'A1', '202611200000000001', '100', '1.5', '2.02611E-5', '1.25E+1', '1E+999'];

it('recognises numbers of which Excel has lost digits', () =>
  checkRows(LOST, ([key, rounded, digits]) =>
    expect(lostDigits(key)).toEqual({ rounded, digits }),
  ));

it('does not suspect other keys', () =>
  checkRows(KEPT, (key) => expect(lostDigits(key)).toBeUndefined()));

it('rounds digits like Excel', () =>
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      fc.integer({ min: 1, max: 15 }),
      (n, digits) => {
        const key = `${n}`;
        const rounded = BigInt(roundDigits(key, digits));
        const unit = 10n ** BigInt(Math.max(0, key.length - digits));
        expect(rounded % unit).toBe(0n);
        const distance = rounded > n ? rounded - n : n - rounded;
        expect(distance * 2n <= unit).toBe(true);
      },
    ),
    { seed: 20261128, numRuns: 200 },
  ));
