import { RARE, type Variant } from '../mistake.ts';
import type { Place } from '../print-style.ts';
import { type Row, table } from '../steps.ts';
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
  luaText,
  type Print,
  phpFloatText,
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

export const NUMBER_PRINTERS: readonly (readonly [how: string, cost: number, print: Print])[] = [
  ['as JavaScript prints them', 2, (text) => String(Number(text))],
  ['as Python prints them', 2, pythonText],
  ['as Java prints a Double', 2, javaDoubleText],
  ['as Go prints a float64 with %v', 2, goText],
  ['as PHP prints them', 2, phpText],
  ['as Python prints a float', 2, (text) => pythonFloatText(Number(text))],
  ['with 14 significant digits, as Lua prints them', 2, luaText],
  [
    'with 17 significant digits, as old PHP prints JSON',
    RARE,
    (text) => phpFloatText(Number(text), 17, 'e'),
  ],
  ['with 6 significant digits, as C prints them with %g', RARE, (text) => general(text, 6)],
  ['with 6 decimals', 2, decimals(6)],
  ['with 2 decimals', 2, decimals(2)],
  ['with 1 decimal', RARE, decimals(1)],
  ['without decimals, cut off', 2, (text) => String(Math.trunc(Number(text)))],
  ['without decimals, rounded', RARE, (text) => String(Math.round(Number(text)))],
  ['as a 32-bit float', RARE, (text) => String(Math.fround(Number(text)))],
  ['as a plain decimal (BigDecimal.toPlainString)', 2, plainText],
  ['as a plain decimal without trailing zeros', RARE, (text) => withoutZeros(plainText(text))],
  ['as Java prints a BigDecimal', RARE, bigDecimalText],
  ['with thousands separators', 2, groupedText],
  [
    'with thousands separators and 2 decimals (number_format of PHP)',
    RARE,
    (text) => groupedText(Number(text).toFixed(2)),
  ],
  ['with a comma for the decimal point', 2, (text) => plainText(text).replace('.', ',')],
  [
    'with 2 decimals and a comma for the decimal point',
    RARE,
    (text) => Number(text).toFixed(2).replace('.', ','),
  ],
  [
    'with 2 decimals, a comma for the decimal point and points between thousands',
    RARE,
    (text) => swappedMarks(groupedText(Number(text).toFixed(2))),
  ],
  [
    'with a comma for the decimal point and points between thousands',
    RARE,
    (text) => swappedMarks(groupedText(text)),
  ],
  ['in double quotes', 2, (text) => `"${text}"`],
  ['in single quotes', RARE, (text) => `'${text}'`],
  ['with 3 decimals', RARE, decimals(3)],
  ['with 4 decimals', RARE, decimals(4)],
  ['with 5 decimals', RARE, decimals(5)],
  ['with 7 decimals', RARE, decimals(7)],
  ['with 8 decimals', RARE, decimals(8)],
  ['rounded up', RARE, (text) => String(Math.ceil(Number(text)))],
  ['rounded down', RARE, (text) => String(Math.floor(Number(text)))],
  ['with 15 significant digits', RARE, (text) => general(text, 15)],
  ['with 16 significant digits', RARE, (text) => general(text, 16)],
  ['as a 32-bit float in its shortest form', RARE, shortestFloatText],
  ['with 6 decimals and an exponent (%e of C)', RARE, exponentText(6)],
  ['with 20 decimals and an exponent (float_to_list of Erlang)', RARE, exponentText(20)],
  ['as 64-bit integers that overflowed a double', RARE, integers((text) => BigInt(Number(text)))],
  ['as 32-bit integers that overflowed', RARE, integers((text) => BigInt.asIntN(32, BigInt(text)))],
  ['as hundredths', RARE, (text) => withoutZeros(scaled(text, 2))],
  ['divided by 100', RARE, (text) => withoutZeros(scaled(text, -2))],
  ['as thousandths', RARE, (text) => withoutZeros(scaled(text, 3))],
  ['divided by 1000', RARE, (text) => withoutZeros(scaled(text, -3))],
  ['with a point after them', RARE, (text) => (text.includes('.') ? text : `${text}.`)],
  ['with "n" after them (BigInt)', RARE, integers((text) => `${text}n`)],
  ['with "L" after them', RARE, integers((text) => `${text}L`)],
  ['with "+" in front', RARE, (text) => (text.startsWith('-') ? text : `+${text}`)],
  [
    'with a space in front (Str of VBA)',
    RARE,
    (text) => (text.startsWith('-') ? text : ` ${text}`),
  ],
  ['with "¥" in front', RARE, (text) => `¥${text}`],
  ['in percent', RARE, (text) => `${withoutZeros(scaled(text, 2))}%`],
  ['without the zero before the point', RARE, (text) => text.replace(/^(-?)0+(?=\.)/, '$1')],
  ['divided by 100, with 2 decimals', RARE, (text) => (Number(text) / 100).toFixed(2)],
  ['with all digits of the double (new BigDecimal(double) of Java)', RARE, exactDoubleText],
  [
    'as Java prints a BigDecimal without trailing zeros',
    RARE,
    (text) => bigDecimalText(strippedText(text)),
  ],
  ['as .NET prints a double', 2, (text) => dotNetText(text, 17)],
  ['as .NET Framework prints a double', RARE, (text) => dotNetText(text, 15)],
  ['as Ruby prints a BigDecimal', RARE, rubyBigDecimalText],
  ['with 2 decimals and an exponent (spreadsheets)', RARE, spreadsheetText(2)],
  ['with 5 decimals and an exponent (spreadsheets)', RARE, spreadsheetText(5)],
  ['as hex', RARE, integers((text) => BigInt(text).toString(16))],
  ['as Optional[…]', RARE, (text) => `Optional[${text}]`],
  ['as Some(…)', RARE, (text) => `Some(${text})`],
];

const BOOLEAN_WORDS: readonly (readonly [yes: string, no: string, cost: number])[] = [
  ['True', 'False', 2],
  ['1', '0', 2],
  ['1', '', 2],
  ['true', '', 2],
  ['TRUE', 'FALSE', RARE],
  ['yes', 'no', RARE],
  ['Y', 'N', RARE],
  ['y', 'n', RARE],
  ['T', 'F', RARE],
  ['t', 'f', RARE],
  ['on', 'off', RARE],
  ['-1', '0', RARE],
  ['True', '', RARE],
  ['"true"', '"false"', RARE],
  ['是', '否', RARE],
  ['Wahr', 'Falsch', RARE],
  ['Bool(true)', 'Bool(false)', RARE],
  ['Optional(true)', 'Optional(false)', RARE],
  ['Optional[true]', 'Optional[false]', RARE],
  ['Some(true)', 'Some(false)', RARE],
];

/** Programs print numbers differently in their own fields and in the JSON of a library. */
const PLACES: readonly (readonly [where: string, added: number, places: readonly Place[]])[] = [
  ['', 0, ['field', 'nested']],
  [' outside nested JSON', 1, ['field']],
  [' inside nested JSON', 1, ['nested']],
];

/** Programs have a type of its own for integers. */
const NUMBER_KINDS: readonly (readonly [which: string, added: number, test: Test])[] = [
  ['', 0, () => true],
  [', except integers', 1, (text) => !isIntegerText(text)],
  [', only integers', 1, isIntegerText],
];

type Test = (text: string) => boolean;

export const NUMBER_REFORMATTED: readonly Variant[] = PLACES.flatMap(([where, added, places]) =>
  table(
    'number-reformatted',
    'number',
    `numbers${where} were signed`,
    NUMBER_PRINTERS.flatMap(([how, cost, print]) =>
      NUMBER_KINDS.map(
        ([which, more, isKind]): Row<'number'> => [
          how + which,
          cost + Math.max(added, more),
          (text, place) => (places.includes(place) && isKind(text) ? print(text) : text),
        ],
      ),
    ),
  ),
);

export const BOOLEAN_REFORMATTED: readonly Variant[] = PLACES.flatMap(([where, added, places]) =>
  table(
    'boolean-reformatted',
    'boolean',
    `booleans${where} were signed as`,
    BOOLEAN_WORDS.map(
      ([yes, no, cost]): Row<'boolean'> => [
        `${yes} and ${no === '' ? 'empty text' : no}`,
        cost + added,
        (value, place) => (places.includes(place) ? (value ? yes : no) : String(value)),
      ],
    ),
  ),
);
