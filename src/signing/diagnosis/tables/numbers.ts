import { mistake, RARE } from '../mistake.ts';
import type { Place, PrintStyle } from '../print-style.ts';
import { changeOf, framed, type Row, rowsOf, type TextChange, table, wrapped } from '../steps.ts';
import * as print from './number-text.ts';

// Numbers and booleans as another language prints them (contract section 3, "Value text").

const double =
  (printed: (value: number) => number | string): print.Print =>
  (text) =>
    String(printed(Number(text)));
const decimals = (cost: number, ...counts: readonly number[]): readonly Row<TextChange>[] =>
  counts.map((count) => [
    `with ${count} decimal${count === 1 ? '' : 's'}`,
    cost,
    double((value) => value.toFixed(count)),
  ]);
const digits = (cost: number, ...counts: readonly number[]): readonly Row<TextChange>[] =>
  counts.map((count) => [`with ${count} significant digits`, cost, print.general(count)]);
const scaled = (how: string, places: number): Row<TextChange> => [
  how,
  RARE,
  (text) => print.scaled(text, places),
];

export const NUMBER_PRINTERS: readonly Row<TextChange>[] = [
  ...rowsOf<TextChange>({
    2: {
      'as JavaScript prints them': double(String),
      'as Python prints them': print.pythonText,
      'as Java prints a Double': print.javaDoubleText,
      'as Go prints a float64 with %v': print.goText,
      'as PHP prints them': print.phpText,
      'as json_encode of PHP prints them': print.phpJsonText,
      'as Python prints a float': print.pythonFloatText,
      'with 14 significant digits, as Lua prints them': print.general(14),
      'without decimals, cut off': double(Math.trunc),
      'as a plain decimal (BigDecimal.toPlainString)': print.plainText,
      'with thousands separators': print.marked(',', '.'),
      'with a comma for the decimal point': print.marked('', ','),
      'as .NET prints a double': print.dotNetText(),
    },
    [RARE]: {
      'with 17 significant digits, as old PHP prints JSON': print.oldPhpJsonText,
      'with 17 significant digits, as Swift prints JSON': print.general(17),
      'without decimals, rounded': double(Math.round),
      'rounded up': double(Math.ceil),
      'rounded down': double(Math.floor),
      'as a 32-bit float': double(Math.fround),
      'as a 32-bit float in its shortest form': print.shortestFloatText,
      'as a plain decimal without trailing zeros': (text) =>
        print.withoutZeros(print.plainText(text)),
      'as Java prints a BigDecimal': print.bigDecimalText,
      'as Java prints a BigDecimal without trailing zeros': (text) =>
        print.bigDecimalText(print.strippedText(text)),
      'with thousands separators and 2 decimals (number_format of PHP)': print.marked(',', '.', 2),
      'with 2 decimals and a comma for the decimal point': print.marked('', ',', 2),
      'with 2 decimals, a comma for the decimal point and points between thousands': print.marked(
        ...(['.', ',', 2] as const),
      ),
      'with a comma for the decimal point and points between thousands': print.marked('.', ','),
      'with 6 decimals and an exponent (%e of C)': print.exponentText(6),
      'with 20 decimals and an exponent (float_to_list of Erlang)': print.exponentText(20),
      'as 64-bit integers that overflowed a double': print.integers((text) => BigInt(Number(text))),
      'as 32-bit integers that overflowed': print.integers((text) =>
        BigInt.asIntN(32, BigInt(text)),
      ),
      'with a point after them': (text) => (text.includes('.') ? text : `${text}.`),
      'with "n" after them (BigInt)': print.integers((text) => `${text}n`),
      'with "L" after them': print.integers((text) => `${text}L`),
      'with "+" in front': [/^(?!-)/, '+'],
      'with a space in front (Str of VBA)': [/^(?!-)/, ' '],
      'in percent': (text) => `${print.scaled(text, 2)}%`,
      'without the zero before the point': [/^(-?)0+(?=\.)/, '$1'],
      'divided by 100, with 2 decimals': double((value) => (value / 100).toFixed(2)),
      'with all digits of the double (new BigDecimal(double) of Java)': print.exactDoubleText,
      'as .NET Framework prints a double': print.dotNetText(15),
      'as Ruby prints a BigDecimal': print.rubyBigDecimalText,
      'as hex': print.integers((text) => BigInt(text).toString(16)),
      'as empty text if they are 0 (JavaScript)': (text) => (Number(text) === 0 ? '' : text),
      'as %s of Go prints them (%!s(float64=1))': (text) => `%!s(float64=${print.goText(text)})`,
      'as %s of Go prints them (%!s(int=1))': goVerbS('int'),
      'as %s of Go prints them (%!s(int64=1))': goVerbS('int64'),
    },
  }),
  ...[...decimals(2, 6, 2), ...decimals(RARE, 1, 3, 4, 5, 7, 8), ...digits(RARE, 6, 15, 16)],
  ...[scaled('as hundredths', 2), scaled('divided by 100', -2)],
  ...[scaled('as thousandths', 3), scaled('divided by 1000', -3)],
  ...[...framed(2, '"V"'), ...framed(RARE, "'V'", '¥V')],
  ...wrapped(RARE, 'Optional[V] of Java', 'Optional(V) of Swift', 'Some(V) of Scala or Rust'),
  ...wrapped(RARE, 'Number(V) of Rust', 'np.float64(V) of NumPy', "Decimal('V') of Python"),
];

const BOOLEAN_WORDS = [
  [2, 'True/False 1/0 1/ true/'],
  [RARE, 'TRUE/FALSE yes/no Y/N y/n T/F t/f on/off -1/0 True/ "true"/"false" 是/否 Wahr/Falsch'],
  [RARE, 'Bool(true)/Bool(false) Optional(true)/Optional(false) Optional[true]/Optional[false]'],
  [RARE, 'Some(true)/Some(false) %!s(bool=true)/%!s(bool=false)'],
] as const;

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
      table(
        'number',
        `numbers${where} were signed`,
        NUMBER_PRINTERS.map(([how, cost, change]) => {
          const printed = changeOf(change);
          const print: PrintStyle['number'] = (text, place) =>
            places.includes(place) && isKind(text) ? printed(text) : text;
          return [how + which, cost + Math.max(added, more), print];
        }),
      ),
    ),
  ),
);

export const booleanReformatted = mistake(
  'boolean-reformatted',
  PLACES.map(([where, added, places]) =>
    table(
      'boolean',
      `booleans${where} were signed as`,
      BOOLEAN_WORDS.flatMap(([cost, words]) =>
        words.split(' ').map((pair) => {
          const [yes = '', no = ''] = pair.split('/');
          return [
            `${yes} and ${no || 'empty text'}`,
            cost + added,
            (value, place) => (places.includes(place) ? (value ? yes : no) : String(value)),
          ];
        }),
      ),
    ),
  ),
);

/** `%s` of Go for an integer of this type; other numbers are float64. */
function goVerbS(type: 'int' | 'int64'): print.Print {
  return (text) =>
    print.isIntegerText(text) ? `%!s(${type}=${text})` : `%!s(float64=${print.goText(text)})`;
}
