import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareDecimals,
  type Decimal,
  DecimalSum,
  formatDecimal,
  isWithin,
  parseDecimal,
  subtract,
} from '../../src/reconciliation/decimal.ts';
import { decimalText, unitsOf } from './support.ts';

const parsed = (text: string): Decimal => parseDecimal(text) as Decimal;

it('reads plain decimals and nothing else', () => {
  const texts: Record<string, string | undefined> = {
    '12': '12',
    '-12.50': '-12.50',
    '+0.5': '0.5',
    ' 12.5\t': '12.5',
    '007.10': '7.10',
    '-0': '0',
    '-0.00': '0.00',
    '123456789012345678.9': '123456789012345678.9',
  };
  for (const [text, expected] of Object.entries(texts)) {
    expect(formatDecimal(parsed(text)), text).toBe(expected);
  }
  const others = ['', ' ', '.', '-', '5.', '.5', '1e3', '1,234.5', '0x10', '¥12', '1.2.3', '- 1'];
  for (const text of [...others, '٣', '１２', '1 2', 'NaN', '9'.repeat(1001)]) {
    expect(parseDecimal(text), text).toBeUndefined();
  }
});

it('computes exactly', () => {
  const sign = (value: bigint): number => Number(value > 0n) - Number(value < 0n);
  fc.assert(
    fc.property(decimalText, decimalText, decimalText, (a, b, c) => {
      const difference = unitsOf(a) - unitsOf(b);
      expect(unitsOf(formatDecimal(parsed(a)))).toBe(unitsOf(a));
      expect(Math.sign(compareDecimals(parsed(a), parsed(b)))).toBe(sign(difference));
      expect(unitsOf(formatDecimal(subtract(parsed(a), parsed(b))))).toBe(difference);
      const size = difference < 0n ? -difference : difference;
      expect(isWithin(parsed(a), parsed(b), parsed(c))).toBe(size <= unitsOf(c));
    }),
  );
});

it('adds up exactly, in any order and with any number of decimals', () => {
  const amount = fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
  fc.assert(
    fc.property(fc.array(fc.oneof(decimalText, amount)), (texts) => {
      const sum = new DecimalSum();
      for (const text of texts) sum.add(parsed(text));
      const digits = formatDecimal(sum.total);
      expect(unitsOf(digits)).toBe(texts.reduce((total, text) => total + unitsOf(text), 0n));
      const decimals = (text: string): number => text.split('.')[1]?.length ?? 0;
      expect(decimals(digits)).toBe(Math.max(0, ...texts.map(decimals)));
    }),
  );
});
