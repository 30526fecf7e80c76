import { mistake, RARE } from '../mistake.ts';
import type { Place } from '../print-style.ts';
import { type Rows, rowsOf, tableOf } from '../steps.ts';
import {
  bigDecimalText,
  decimals,
  dotNetText,
  exactDoubleText,
  exponentText,
  general,
  goText,
  groupedText,
  integers,
  isIntegerText,
  javaDoubleText,
  oldPhpJsonText,
  type Print,
  phpJsonText,
  phpText,
  plainText,
  pythonFloatText,
  pythonText,
  rubyBigDecimalText,
  scaled,
  shortestFloatText,
  spreadsheetText,
  strippedText,
  swappedMarks,
  withoutZeros,
} from './number-text.ts';

/** Numbers and booleans as another language prints them (contract section 3, "Value text"). */

export const NUMBER_PRINTERS: Rows<Print> = {
  2: {
    'as JavaScript prints them': (text) => String(Number(text)),
    'as Python prints them': pythonText,
    'as Java prints a Double': javaDoubleText,
    'as Go prints a float64 with %v': goText,
    'as PHP prints them': phpText,
    'as json_encode of PHP prints them': phpJsonText,
    'as Python prints a float': pythonFloatText,
    'with 14 significant digits, as Lua prints them': general(14),
    'with 6 decimals': decimals(6),
    'with 2 decimals': decimals(2),
    'without decimals, cut off': (text) => String(Math.trunc(Number(text))),
    'as a plain decimal (BigDecimal.toPlainString)': plainText,
    'with thousands separators': groupedText,
    'with a comma for the decimal point': (text) => plainText(text).replace('.', ','),
    'in double quotes': (text) => `"${text}"`,
    'as .NET prints a double': dotNetText(),
  },
  [RARE]: {
    'with 17 significant digits, as old PHP prints JSON': oldPhpJsonText,
    'with 6 significant digits, as C prints them with %g': general(6),
    'with 1 decimal': decimals(1),
    'without decimals, rounded': (text) => String(Math.round(Number(text))),
    'as a 32-bit float': (text) => String(Math.fround(Number(text))),
    'as a plain decimal without trailing zeros': (text) => withoutZeros(plainText(text)),
    'as Java prints a BigDecimal': bigDecimalText,
    'with thousands separators and 2 decimals (number_format of PHP)': (text) =>
      groupedText(Number(text).toFixed(2)),
    'with 2 decimals and a comma for the decimal point': (text) =>
      Number(text).toFixed(2).replace('.', ','),
    'with 2 decimals, a comma for the decimal point and points between thousands': (text) =>
      swappedMarks(groupedText(Number(text).toFixed(2))),
    'with a comma for the decimal point and points between thousands': (text) =>
      swappedMarks(groupedText(text)),
    'in single quotes': (text) => `'${text}'`,
    'with 3 decimals': decimals(3),
    'with 4 decimals': decimals(4),
    'with 5 decimals': decimals(5),
    'with 7 decimals': decimals(7),
    'with 8 decimals': decimals(8),
    'rounded up': (text) => String(Math.ceil(Number(text))),
    'rounded down': (text) => String(Math.floor(Number(text))),
    'with 15 significant digits': general(15),
    'with 16 significant digits': general(16),
    'as a 32-bit float in its shortest form': shortestFloatText,
    'with 6 decimals and an exponent (%e of C)': exponentText(6),
    'with 20 decimals and an exponent (float_to_list of Erlang)': exponentText(20),
    'as 64-bit integers that overflowed a double': integers((text) => BigInt(Number(text))),
    'as 32-bit integers that overflowed': integers((text) => BigInt.asIntN(32, BigInt(text))),
    'as hundredths': (text) => scaled(text, 2),
    'divided by 100': (text) => scaled(text, -2),
    'as thousandths': (text) => scaled(text, 3),
    'divided by 1000': (text) => scaled(text, -3),
    'with a point after them': (text) => (text.includes('.') ? text : `${text}.`),
    'with "n" after them (BigInt)': integers((text) => `${text}n`),
    'with "L" after them': integers((text) => `${text}L`),
    'with "+" in front': (text) => (text.startsWith('-') ? text : `+${text}`),
    'with a space in front (Str of VBA)': (text) => (text.startsWith('-') ? text : ` ${text}`),
    'with "¥" in front': (text) => `¥${text}`,
    'in percent': (text) => `${scaled(text, 2)}%`,
    'without the zero before the point': (text) => text.replace(/^(-?)0+(?=\.)/, '$1'),
    'divided by 100, with 2 decimals': (text) => (Number(text) / 100).toFixed(2),
    'with all digits of the double (new BigDecimal(double) of Java)': exactDoubleText,
    'as Java prints a BigDecimal without trailing zeros': (text) =>
      bigDecimalText(strippedText(text)),
    'as .NET Framework prints a double': dotNetText(15),
    'as Ruby prints a BigDecimal': rubyBigDecimalText,
    'with 2 decimals and an exponent (spreadsheets)': spreadsheetText(2),
    'with 5 decimals and an exponent (spreadsheets)': spreadsheetText(5),
    'as hex': integers((text) => BigInt(text).toString(16)),
    'with 17 significant digits, as Swift prints JSON': general(17),
    'as empty text if they are 0 (JavaScript)': (text) => (Number(text) === 0 ? '' : text),
    'as Optional[…] of Java': (text) => `Optional[${text}]`,
    'as Optional(…) of Swift': (text) => `Optional(${text})`,
    'as Some(…) of Scala or Rust': (text) => `Some(${text})`,
    'as Number(…) of Rust': (text) => `Number(${text})`,
    'as %s of Go prints them (%!s(float64=1))': (text) => `%!s(float64=${goText(text)})`,
    'as %s of Go prints them (%!s(int=1))': goVerbS('int'),
    'as %s of Go prints them (%!s(int64=1))': goVerbS('int64'),
  },
};

/** The words for true and false. */
const BOOLEAN_WORDS: { readonly [cost: number]: readonly (readonly [yes: string, no: string])[] } =
  {
    2: [
      ...([
        ['True', 'False'],
        ['1', '0'],
        ['1', ''],
        ['true', ''],
      ] as const),
    ],
    [RARE]: [
      ...([
        ['TRUE', 'FALSE'],
        ['yes', 'no'],
        ['Y', 'N'],
        ['y', 'n'],
        ['T', 'F'],
      ] as const),
      ...([
        ['t', 'f'],
        ['on', 'off'],
        ['-1', '0'],
        ['True', ''],
        ['"true"', '"false"'],
      ] as const),
      ...([
        ['是', '否'],
        ['Wahr', 'Falsch'],
        ['Bool(true)', 'Bool(false)'],
      ] as const),
      ...([
        ['Optional(true)', 'Optional(false)'],
        ['Optional[true]', 'Optional[false]'],
      ] as const),
      ...([
        ['Some(true)', 'Some(false)'],
        ['%!s(bool=true)', '%!s(bool=false)'],
      ] as const),
    ],
  };

/** Programs print numbers differently in their own fields and in the JSON of a library. */
const PLACES: readonly (readonly [where: string, added: number, places: readonly Place[]])[] = [
  ['', 0, ['field', 'nested']],
  [' outside nested JSON', 1, ['field']],
  [' inside nested JSON', 1, ['nested']],
];

/** Programs have a type of its own for integers. */
const NUMBER_KINDS: readonly (readonly [
  which: string,
  added: number,
  test: typeof isIntegerText,
])[] = [
  ['', 0, () => true],
  [', except integers', 1, (text) => !isIntegerText(text)],
  [', only integers', 1, isIntegerText],
];

export const numberReformatted = mistake(
  'number-reformatted',
  PLACES.flatMap(([where, added, places]) =>
    NUMBER_KINDS.map(([which, more, isKind]) =>
      tableOf(
        'number',
        `numbers${where} were signed`,
        0,
        rowsOf(NUMBER_PRINTERS),
        ([how, cost, print]) => [
          how + which,
          (text, place) => (places.includes(place) && isKind(text) ? print(text) : text),
          { cost: cost + Math.max(added, more) },
        ],
      ),
    ),
  ),
);

export const booleanReformatted = mistake(
  'boolean-reformatted',
  PLACES.flatMap(([where, added, places]) =>
    Object.entries(BOOLEAN_WORDS).map(([cost, words]) =>
      tableOf(
        'boolean',
        `booleans${where} were signed as`,
        Number(cost) + added,
        words,
        ([yes, no]) => [
          `${yes} and ${no || 'empty text'}`,
          (value, place) => (places.includes(place) ? (value ? yes : no) : String(value)),
        ],
      ),
    ),
  ),
);

/** `%s` of Go for an integer of this type; other numbers are float64. */
function goVerbS(type: 'int' | 'int64'): Print {
  return (text) => (isIntegerText(text) ? `%!s(${type}=${text})` : `%!s(float64=${goText(text)})`);
}
