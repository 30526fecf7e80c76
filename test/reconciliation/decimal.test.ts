import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareDecimals,
  type Decimal,
  DecimalSum,
  formatDecimal,
  multiply,
  parseDecimal,
  subtract,
} from '../../src/reconciliation/decimal.ts';
import { isWithin } from '../../src/reconciliation/pair-rows.ts';
import { checkRows } from '../support/rows.ts';
import { aligned, decimalText, exactOf, sumOf, textOf } from './support.ts';

const fc200 = { seed: 20261123, numRuns: 200 };

const NUMBERS: readonly (readonly [text: string, digits: string])[] = [
  ['12', '12'],
  ['-12.50', '-12.50'],
  ['+0.5', '0.5'],
  [' 12 ', '12'],
  ['\t-1.0\u00a0', '-1.0'],
  ['007', '7'],
  ['007.10', '7.10'],
  ['0', '0'],
  ['-0', '0'],
  ['-0.00', '0.00'],
  ['-0000000000000000.00', '0.00'],
  ['999999999999999', '999999999999999'],
  ['9007199254740993', '9007199254740993'],
  ['-0.0000000000000000000001', '-0.0000000000000000000001'],
  ['9'.repeat(1000), '9'.repeat(1000)],
];

const OTHER_TEXTS = [
  '',
  ' ',
  '.',
  '-',
  '+',
  '-.',
  '5.',
  '.5',
  '-.5',
  '--5',
  '+-5',
  '5-',
  '1.2.3',
  '1e3',
  '1E3',
  '1,234.5',
  '1_000',
  '1 000',
  '- 5',
  '0x10',
  '¥5',
  'NaN',
  'Infinity',
  '٣',
  '１２',
  '12．5',
  '−5',
  '9'.repeat(1001),
];

it('reads decimal digits with a sign and a point, ignoring surrounding white space', () =>
  checkRows(NUMBERS, ([text, digits]) => {
    const number = parseDecimal(text);
    expect(number && formatDecimal(number)).toBe(digits);
  }));

it('does not read any other text as a number', () =>
  checkRows(OTHER_TEXTS, (text) => expect(parseDecimal(text)).toBeUndefined()));

it('keeps every digit', () => {
  fc.assert(
    fc.property(decimalText, (text) => {
      expect(formatDecimal(parsed(text))).toBe(textOf(exactOf(text)));
    }),
    fc200,
  );
});

it('compares and subtracts like integers of one scale', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const [left, right, scale] = aligned(exactOf(a), exactOf(b));
      const order = compareDecimals(parsed(a), parsed(b));
      expect(Math.sign(order)).toBe(left < right ? -1 : Number(left > right));
      const difference = formatDecimal(subtract(parsed(a), parsed(b)));
      expect(difference).toBe(textOf({ units: left - right, scale }));
    }),
    fc200,
  );
});

it('is within a tolerance up to and including that difference', () => {
  fc.assert(
    fc.property(pair, fc.constantFrom(-1n, 0n, 1n), ([a, b], more) => {
      const [left, right, scale] = aligned(exactOf(a), exactOf(b));
      const distance = left < right ? right - left : left - right;
      const amount = { units: distance + more, scale };
      fc.pre(amount.units >= 0n);
      const tolerance = { kind: 'amount', amount } as const;
      expect(isWithin(parsed(a), parsed(b), tolerance)).toBe(more >= 0n);
      expect(isWithin(parsed(b), parsed(a), tolerance)).toBe(more >= 0n);
    }),
    fc200,
  );
});

it('multiplies exactly, and keeps the decimals of the first number, at least two', () =>
  checkRows(
    [
      ['1234', '0.01', '12.34'],
      ['1200', '0.01', '12.00'],
      ['5000', '0.001', '5.00'],
      ['5001', '0.001', '5.001'],
      ['1.5000', '0.1', '0.1500'],
      ['-7', '100', '-700'],
    ],
    ([a = '', b = '', product]) => {
      expect(formatDecimal(multiply(parsed(a), parsed(b)))).toBe(product);
    },
  ));

it('adds up exactly, in any order', () => {
  fc.assert(
    fc.property(fc.array(decimalText, { maxLength: 30 }).chain(twoOrders), ([texts, others]) => {
      expect(total(texts)).toBe(sumOf(texts));
      expect(total(others)).toBe(sumOf(texts));
    }),
    fc200,
  );
});

it('adds up exactly when a sum exceeds the safe integers', () => {
  const texts = [...new Array(40).fill('999999999999999'), '-1', ...new Array(40).fill('-0.1')];
  expect(total(texts)).toBe(sumOf(texts));
  expect(total(texts.toReversed())).toBe(sumOf(texts));
});

/** Two numbers that are often equal, or differ in their last digit. */
const pair = fc.oneof(
  fc.tuple(decimalText, decimalText),
  decimalText.map((text) => [text, textOf(exactOf(text))] as const),
  decimalText.map((text) => [text, `${text}${text.includes('.') ? '0' : '.00'}`] as const),
  fc.tuple(decimalText, fc.constantFrom(-1n, 1n)).map(([text, more]) => {
    const { units, scale } = exactOf(text);
    return [text, textOf({ units: units + more, scale })] as const;
  }),
);

function parsed(text: string): Decimal {
  const number = parseDecimal(text);
  if (!number) throw new Error(`${text} is not read as a number`);
  return number;
}

function total(texts: readonly string[]): string {
  const sum = new DecimalSum();
  for (const text of texts) sum.add(parsed(text));
  return formatDecimal(sum.total);
}

function twoOrders(texts: string[]): fc.Arbitrary<readonly [string[], string[]]> {
  const { length } = texts;
  const others = fc.shuffledSubarray(texts, { minLength: length, maxLength: length });
  return fc.tuple(fc.constant(texts), others);
}
