import { mistake, RARE } from '../mistake.ts';
import type { Place } from '../print-style.ts';
import { type Rows, rowsOf, tableOf } from '../steps.ts';
import * as print from './number-text.ts';

/** Numbers and booleans as another language prints them (contract section 3, "Value text"). */

export const NUMBER_PRINTERS: Rows<print.Print> = {
  2: {
    'as JavaScript prints them': (text) => String(Number(text)),
    'as Python prints them': print.pythonText,
    'as Java prints a Double': print.javaDoubleText,
    'as Go prints a float64 with %v': print.goText,
    'as PHP prints them': print.phpText,
    'as json_encode of PHP prints them': print.phpJsonText,
    'as Python prints a float': print.pythonFloatText,
    'with 14 significant digits, as Lua prints them': print.general(14),
    'with 6 decimals': print.decimals(6),
    'with 2 decimals': print.decimals(2),
    'without decimals, cut off': (text) => String(Math.trunc(Number(text))),
    'as a plain decimal (BigDecimal.toPlainString)': print.plainText,
    'with thousands separators': print.groupedText,
    'with a comma for the decimal point': (text) => print.plainText(text).replace('.', ','),
    'in double quotes': (text) => `"${text}"`,
    'as .NET prints a double': print.dotNetText(),
  },
  [RARE]: {
    'with 17 significant digits, as old PHP prints JSON': print.oldPhpJsonText,
    'with 6 significant digits, as C prints them with %g': print.general(6),
    'with 1 decimal': print.decimals(1),
    'without decimals, rounded': (text) => String(Math.round(Number(text))),
    'as a 32-bit float': (text) => String(Math.fround(Number(text))),
    'as a plain decimal without trailing zeros': (text) =>
      print.withoutZeros(print.plainText(text)),
    'as Java prints a BigDecimal': print.bigDecimalText,
    'with thousands separators and 2 decimals (number_format of PHP)': (text) =>
      print.groupedText(Number(text).toFixed(2)),
    'with 2 decimals and a comma for the decimal point': (text) =>
      Number(text).toFixed(2).replace('.', ','),
    'with 2 decimals, a comma for the decimal point and points between thousands': (text) =>
      print.swappedMarks(print.groupedText(Number(text).toFixed(2))),
    'with a comma for the decimal point and points between thousands': (text) =>
      print.swappedMarks(print.groupedText(text)),
    'in single quotes': (text) => `'${text}'`,
    'with 3 decimals': print.decimals(3),
    'with 4 decimals': print.decimals(4),
    'with 5 decimals': print.decimals(5),
    'with 7 decimals': print.decimals(7),
    'with 8 decimals': print.decimals(8),
    'rounded up': (text) => String(Math.ceil(Number(text))),
    'rounded down': (text) => String(Math.floor(Number(text))),
    'with 15 significant digits': print.general(15),
    'with 16 significant digits': print.general(16),
    'as a 32-bit float in its shortest form': print.shortestFloatText,
    'with 6 decimals and an exponent (%e of C)': print.exponentText(6),
    'with 20 decimals and an exponent (float_to_list of Erlang)': print.exponentText(20),
    'as 64-bit integers that overflowed a double': print.integers((text) => BigInt(Number(text))),
    'as 32-bit integers that overflowed': print.integers((text) => BigInt.asIntN(32, BigInt(text))),
    'as hundredths': (text) => print.scaled(text, 2),
    'divided by 100': (text) => print.scaled(text, -2),
    'as thousandths': (text) => print.scaled(text, 3),
    'divided by 1000': (text) => print.scaled(text, -3),
    'with a point after them': (text) => (text.includes('.') ? text : `${text}.`),
    'with "n" after them (BigInt)': print.integers((text) => `${text}n`),
    'with "L" after them': print.integers((text) => `${text}L`),
    'with "+" in front': (text) => (text.startsWith('-') ? text : `+${text}`),
    'with a space in front (Str of VBA)': (text) => (text.startsWith('-') ? text : ` ${text}`),
    'with "¥" in front': (text) => `¥${text}`,
    'in percent': (text) => `${print.scaled(text, 2)}%`,
    'without the zero before the point': (text) => text.replace(/^(-?)0+(?=\.)/, '$1'),
    'divided by 100, with 2 decimals': (text) => (Number(text) / 100).toFixed(2),
    'with all digits of the double (new BigDecimal(double) of Java)': print.exactDoubleText,
    'as Java prints a BigDecimal without trailing zeros': (text) =>
      print.bigDecimalText(print.strippedText(text)),
    'as .NET Framework prints a double': print.dotNetText(15),
    'as Ruby prints a BigDecimal': print.rubyBigDecimalText,
    'with 2 decimals and an exponent (spreadsheets)': print.spreadsheetText(2),
    'with 5 decimals and an exponent (spreadsheets)': print.spreadsheetText(5),
    'as hex': print.integers((text) => BigInt(text).toString(16)),
    'with 17 significant digits, as Swift prints JSON': print.general(17),
    'as empty text if they are 0 (JavaScript)': (text) => (Number(text) === 0 ? '' : text),
    'as Optional[…] of Java': (text) => `Optional[${text}]`,
    'as Optional(…) of Swift': (text) => `Optional(${text})`,
    'as Some(…) of Scala or Rust': (text) => `Some(${text})`,
    'as Number(…) of Rust': (text) => `Number(${text})`,
    'as %s of Go prints them (%!s(float64=1))': (text) => `%!s(float64=${print.goText(text)})`,
    'as %s of Go prints them (%!s(int=1))': goVerbS('int'),
    'as %s of Go prints them (%!s(int64=1))': goVerbS('int64'),
  },
};

const BOOLEAN_WORDS: readonly (readonly [cost: number, yes: string, no: string])[] = [
  [2, 'True', 'False'],
  [2, '1', '0'],
  [2, '1', ''],
  [2, 'true', ''],
  [RARE, 'TRUE', 'FALSE'],
  [RARE, 'yes', 'no'],
  [RARE, 'Y', 'N'],
  [RARE, 'y', 'n'],
  [RARE, 'T', 'F'],
  [RARE, 't', 'f'],
  [RARE, 'on', 'off'],
  [RARE, '-1', '0'],
  [RARE, 'True', ''],
  [RARE, '"true"', '"false"'],
  [RARE, '是', '否'],
  [RARE, 'Wahr', 'Falsch'],
  [RARE, 'Bool(true)', 'Bool(false)'],
  [RARE, 'Optional(true)', 'Optional(false)'],
  [RARE, 'Optional[true]', 'Optional[false]'],
  [RARE, 'Some(true)', 'Some(false)'],
  [RARE, '%!s(bool=true)', '%!s(bool=false)'],
];

/** Programs print numbers differently in their own fields and in the JSON of a library. */
const PLACES: readonly (readonly [where: string, added: number, places: readonly Place[]])[] = [
  ['', 0, ['field', 'nested']],
  [' outside nested JSON', 1, ['field']],
  [' inside nested JSON', 1, ['nested']],
];

type NumberKind = readonly [which: string, added: number, test: typeof print.isIntegerText];

/** Integers and other numbers often have different types. */
const NUMBER_KINDS: readonly NumberKind[] = [
  ['', 0, () => true],
  [', except integers', 1, (text) => !print.isIntegerText(text)],
  [', only integers', 1, print.isIntegerText],
];

export const numberReformatted = mistake(
  'number-reformatted',
  PLACES.flatMap(([where, added, places]) =>
    NUMBER_KINDS.map(([which, more, isKind]) =>
      tableOf(
        'number',
        `numbers${where} were signed`,
        rowsOf(NUMBER_PRINTERS).map(([how, cost, printed]) => [
          how + which,
          cost + Math.max(added, more),
          (text, place) => (places.includes(place) && isKind(text) ? printed(text) : text),
        ]),
      ),
    ),
  ),
);

export const booleanReformatted = mistake(
  'boolean-reformatted',
  PLACES.map(([where, added, places]) =>
    tableOf(
      'boolean',
      `booleans${where} were signed as`,
      BOOLEAN_WORDS.map(([cost, yes, no]) => [
        `${yes} and ${no || 'empty text'}`,
        cost + added,
        (value, place) => (places.includes(place) ? (value ? yes : no) : String(value)),
      ]),
    ),
  ),
);

/** `%s` of Go for an integer of this type; other numbers are float64. */
function goVerbS(type: 'int' | 'int64'): print.Print {
  return (text) =>
    print.isIntegerText(text) ? `%!s(${type}=${text})` : `%!s(float64=${print.goText(text)})`;
}
