import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import { fieldText } from '../../../src/signing/diagnosis/print-style.ts';
import { checkRows } from '../../support/rows.ts';
import { bareRequest, caseOf, signerWith, variantsOf } from './support.ts';

/** Numbers as other languages print them, by the programs that the tables name. */

function printed(end: string, number: string): string | undefined {
  const made = [['number-reformatted', `numbers were signed ${end}`]] as const;
  return fieldText(parseJson(number), signerWith(bareRequest('{"a":1}'), made).steps.style);
}

/** Tests each column of a table, whose first column is the number as JSON; `~` is not tested. */
function testColumns(titles: readonly string[], table: string): void {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  it.each(titles.map((title, index) => [title, index + 1] as const))('%s', (title, column) =>
    checkRows(
      rows.filter((row) => row[column] !== '~'),
      (row) => expect(printed(title, row[0] ?? '')).toBe(row[column]),
    ),
  );
}

/**
 * By Node 20 (`${JSON.parse(text)}`), Python 3.11 (`str(json.loads(text))`), Java 17
 * (`Double.toString(Double.parseDouble(text))`), Go 1.19 (`fmt.Sprint` of the float64 of
 * `json.Unmarshal`) and PHP 8.2 (`strval(json_decode($text))`). Omits doubles whose shortest digits
 * Java 17 does not print, such as 1e23 and 5e-324. Go refuses 1e400, so it stays unchanged.
 */
testColumns(
  [
    'as JavaScript prints them',
    'as Python prints them',
    'as Java prints a Double',
    'as Go prints a float64 with %v',
    'as PHP prints them',
  ],
  `
    0 0 0 0.0 0 0
    -0 0 0 -0.0 -0 0
    0.0 0 0.0 0.0 0 0
    -0.0 0 -0.0 -0.0 -0 -0
    1 1 1 1.0 1 1
    -1 -1 -1 -1.0 -1 -1
    1.0 1 1.0 1.0 1 1
    -1.5 -1.5 -1.5 -1.5 -1.5 -1.5
    30.10 30.1 30.1 30.1 30.1 30.1
    120.50 120.5 120.5 120.5 120.5 120.5
    0.1 0.1 0.1 0.1 0.1 0.1
    100 100 100 100.0 100 100
    100.0 100 100.0 100.0 100 100
    1e2 100 100.0 100.0 100 100
    1E+2 100 100.0 100.0 100 100
    12.345e1 123.45 123.45 123.45 123.45 123.45
    999999 999999 999999 999999.0 999999 999999
    1000000 1000000 1000000 1000000.0 1e+06 1000000
    9999999.0 9999999 9999999.0 9999999.0 9.999999e+06 9999999
    10000000.0 10000000 10000000.0 1.0E7 1e+07 10000000
    123456789 123456789 123456789 1.23456789E8 1.23456789e+08 123456789
    1795132800 1795132800 1795132800 1.7951328E9 1.7951328e+09 1795132800
    1795132800.0 1795132800 1795132800.0 1.7951328E9 1.7951328e+09 1795132800
    1795132800123 1795132800123 1795132800123 1.795132800123E12 1.795132800123e+12 1795132800123
    9007199254740993 9007199254740992 9007199254740993 9.007199254740992E15 9.007199254740992e+15 9007199254740993
    3791411052119578828 3791411052119578600 3791411052119578828 3.7914110521195786E18 3.7914110521195786e+18 3791411052119578828
    9223372036854775807 9223372036854776000 9223372036854775807 9.223372036854776E18 9.223372036854776e+18 9223372036854775807
    9223372036854775808 9223372036854776000 9223372036854775808 9.223372036854776E18 9.223372036854776e+18 9.2233720368548E+18
    -9223372036854775808 -9223372036854776000 -9223372036854775808 -9.223372036854776E18 -9.223372036854776e+18 -9223372036854775808
    1234567890123456789012345 1.2345678901234568e+24 1234567890123456789012345 1.2345678901234568E24 1.2345678901234568e+24 1.2345678901235E+24
    0.001 0.001 0.001 0.001 0.001 0.001
    0.0001 0.0001 0.0001 1.0E-4 0.0001 0.0001
    0.00012345 0.00012345 0.00012345 1.2345E-4 0.00012345 0.00012345
    0.00001 0.00001 1e-05 1.0E-5 1e-05 1.0E-5
    1e-5 0.00001 1e-05 1.0E-5 1e-05 1.0E-5
    1e-7 1e-7 1e-07 1.0E-7 1e-07 1.0E-7
    1.5E-7 1.5e-7 1.5e-07 1.5E-7 1.5e-07 1.5E-7
    123456.789 123456.789 123456.789 123456.789 123456.789 123456.789
    12345678.9 12345678.9 12345678.9 1.23456789E7 1.23456789e+07 12345678.9
    0.30000000000000004 0.30000000000000004 0.30000000000000004 0.30000000000000004 0.30000000000000004 0.3
    3.141592653589793 3.141592653589793 3.141592653589793 3.141592653589793 3.141592653589793 3.1415926535898
    30.123456789012345 30.123456789012344 30.123456789012344 30.123456789012344 30.123456789012344 30.123456789012
    1e14 100000000000000 100000000000000.0 1.0E14 1e+14 1.0E+14
    1e15 1000000000000000 1000000000000000.0 1.0E15 1e+15 1.0E+15
    123456789012345.6 123456789012345.6 123456789012345.6 1.234567890123456E14 1.234567890123456e+14 1.2345678901235E+14
    1e16 10000000000000000 1e+16 1.0E16 1e+16 1.0E+16
    1e17 100000000000000000 1e+17 1.0E17 1e+17 1.0E+17
    1e20 100000000000000000000 1e+20 1.0E20 1e+20 1.0E+20
    1e21 1e+21 1e+21 1.0E21 1e+21 1.0E+21
    1e22 1e+22 1e+22 1.0E22 1e+22 1.0E+22
    1e400 Infinity inf Infinity ~ INF
    -1e400 -Infinity -inf -Infinity ~ -INF
  `,
);

/**
 * By printf of C, whose formats Lua uses, and by `json_encode` of PHP 8.2 with
 * serialize_precision=17, the default of old versions. PHP keeps integers and refuses 1e400.
 * JavaScript rounds to decimals like C, except for negative zero and infinity.
 */
testColumns(
  [
    'with 14 significant digits, as Lua prints them',
    'with 6 significant digits',
    'with 6 decimals',
    'with 2 decimals',
    'with 17 significant digits, as old PHP prints JSON',
  ],
  `
    -0 -0 -0 ~ ~ ~
    0.0 0 0 0.000000 0.00 0
    1.0 1 1 1.000000 1.00 1
    -1.5 -1.5 -1.5 -1.500000 -1.50 -1.5
    30.10 30.1 30.1 30.100000 30.10 30.100000000000001
    0.1 0.1 0.1 0.100000 0.10 0.10000000000000001
    100 100 100 100.000000 100.00 ~
    12.345e1 123.45 123.45 123.450000 123.45 123.45
    1000000 1000000 1e+06 1000000.000000 1000000.00 ~
    9999999.0 9999999 1e+07 9999999.000000 9999999.00 9999999
    123456789 123456789 1.23457e+08 123456789.000000 123456789.00 ~
    1795132800123 1795132800123 1.79513e+12 1795132800123.000000 1795132800123.00 ~
    9223372036854775808 9.2233720368548e+18 9.22337e+18 9223372036854775808.000000 9223372036854775808.00 9.2233720368547758e+18
    0.0001 0.0001 0.0001 0.000100 0.00 0.0001
    0.00012345 0.00012345 0.00012345 0.000123 0.00 0.00012344999999999999
    0.00001 1e-05 1e-05 0.000010 0.00 1.0000000000000001e-5
    1.5E-7 1.5e-07 1.5e-07 0.000000 0.00 1.4999999999999999e-7
    123456.789 123456.789 123457 123456.789000 123456.79 123456.789
    0.30000000000000004 0.3 0.3 0.300000 0.30 0.30000000000000004
    3.141592653589793 3.1415926535898 3.14159 3.141593 3.14 3.1415926535897931
    30.123456789012345 30.123456789012 30.1235 30.123457 30.12 30.123456789012344
    1e14 1e+14 1e+14 100000000000000.000000 100000000000000.00 100000000000000
    123456789012345.6 1.2345678901235e+14 1.23457e+14 123456789012345.593750 123456789012345.59 123456789012345.59
    1e16 1e+16 1e+16 10000000000000000.000000 10000000000000000.00 10000000000000000
    1e17 1e+17 1e+17 100000000000000000.000000 100000000000000000.00 1.0e+17
    1e20 1e+20 1e+20 100000000000000000000.000000 100000000000000000000.00 1.0e+20
    1e400 inf inf ~ ~ ~
    -1e400 -inf -inf ~ ~ ~
  `,
);

/** By Java 17: `toPlainString()`, `toString()` and `stripTrailingZeros().toPlainString()`. */
testColumns(
  [
    'as a plain decimal (BigDecimal.toPlainString)',
    'as Java prints a BigDecimal',
    'as a plain decimal without trailing zeros',
  ],
  `
    0 0 0 0
    -0 0 0 0
    0.0 0.0 0.0 0
    -0.0 0.0 0.0 0
    1 1 1 1
    1.0 1.0 1.0 1
    -1.5 -1.5 -1.5 -1.5
    30.10 30.10 30.10 30.1
    100.0 100.0 100.0 100
    1e2 100 1E+2 100
    1E+2 100 1E+2 100
    12.345e1 123.45 123.45 123.45
    1795132800 1795132800 1795132800 1795132800
    3791411052119578828 3791411052119578828 3791411052119578828 3791411052119578828
    1234567890123456789012345 1234567890123456789012345 1234567890123456789012345 1234567890123456789012345
    0.0001 0.0001 0.0001 0.0001
    1e-7 0.0000001 1E-7 0.0000001
    1.5E-7 0.00000015 1.5E-7 0.00000015
    1.50E-9 0.00000000150 1.50E-9 0.0000000015
    123456.789 123456.789 123456.789 123456.789
    100.500 100.500 100.500 100.5
    1e16 10000000000000000 1E+16 10000000000000000
    1e22 10000000000000000000000 1E+22 10000000000000000000000
    12.50e1 125.0 125.0 125
    -1.20e3 -1200 -1.20E+3 -1200
    0e5 0 0E+5 0
    0E-8 0.00000000 0E-8 0
  `,
);

const OTHERS: Readonly<Record<string, string>> = {
  // By `str(float(text))` of Python 3.11.
  'as Python prints a float':
    '0=0.0 -0=-0.0 100=100.0 1795132800=1795132800.0 3791411052119578828=3.7914110521195786e+18 30.10=30.1 1e400=inf',
  // By `json_encode(json_decode($text))` of PHP 8.2.
  'as json_encode of PHP prints them':
    '-0=0 -0.0=-0 1.0=1 30.10=30.1 30.2741234567890123=30.274123456789013 9007199254740993=9007199254740993 12345678901234567890=1.2345678901234567e+19 1e16=10000000000000000 1e17=1.0e+17 0.0001=0.0001 0.00001=1.0e-5',
  // By `'{:,}'.format(Decimal(text))` of Python.
  'with thousands separators':
    '0=0 100=100 1000=1,000 -100=-100 -123456=-123,456 1234567.12345=1,234,567.12345',
  'with 1 decimal': '30.25=30.3 100=100.0',
  'without decimals, cut off': '30.9=30 -30.9=-30 -0.5=0',
  'without decimals, rounded': '30.5=31 -1.2=-1',
  // By `(double) Float.parseFloat(text)` of Java.
  'as a 32-bit float': '30.1=30.100000381469727 30.5=30.5',
  // Not run: after the documentation of `float_to_list` of Erlang.
  'with 20 decimals and an exponent (float_to_list of Erlang)':
    '30.1=3.01000000000000014211e+01 0.5=5.00000000000000000000e-01',
  'with 2 decimals and a comma for the decimal point': '1=1,00 30.1=30,10',
  'with a comma for the decimal point and points between thousands': '1234.5=1.234,5',
  'with 2 decimals, a comma for the decimal point and points between thousands':
    '1234.5=1.234,50 30.1=30,10',
  'as Optional[…] of Java': '1.50=Optional[1.50]',
  'as Some(…) of Scala or Rust': '1=Some(1)',
  'as np.float64(…) of NumPy': '1.5=np.float64(1.5)',
  "as Decimal('…') of Python": "1.50=Decimal('1.50')",
  'as %s of Go prints them (%!s(int=1))': '1=%!s(int=1) 1.5=%!s(float64=1.5)',
};

it.each(Object.entries(OTHERS))('%s', (title, table) =>
  checkRows(table.split(' '), (row) => {
    const at = row.lastIndexOf('=', row.includes('%!s') ? row.indexOf('=') : undefined);
    expect(printed(title, row.slice(0, at))).toBe(row.slice(at + 1));
  }),
);

const PRINTERS = variantsOf('number-reformatted', caseOf(bareRequest('{}')).evidence)
  .map(({ title }) => /^numbers were signed (.*)$/.exec(title)?.[1] ?? '')
  .filter((title) => title !== '' && !title.endsWith(' integers'));

it('numbers of extreme length are printed quickly and briefly', () => {
  // An algorithm of quadratic time would take half a minute.
  const long = 200_000;
  const extreme = [
    '1e999999999',
    '-1e-999999999',
    '1'.repeat(long),
    `-${'1'.repeat(long)}.5`,
    `0.${'0'.repeat(long)}1`,
    `1e${'0'.repeat(long)}1`,
  ];
  return checkRows(PRINTERS, (title) => {
    for (const number of extreme) {
      expect((printed(title, number) ?? '').length).toBeLessThan(2 * long);
    }
  });
});

it('printers of doubles print the digits of the same double', () => {
  const titles = [
    'as JavaScript prints them',
    'as Python prints a float',
    'as Java prints a Double',
    'as Go prints a float64 with %v',
    'as json_encode of PHP prints them',
    'with 17 significant digits, as old PHP prints JSON',
    'as .NET prints a double',
  ];
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      for (const title of titles) expect(Number(printed(title, String(number)))).toBe(number + 0);
    }),
    { seed: 1, numRuns: 50 },
  );
});

it('rows for integers leave other numbers unchanged, and the reverse', () => {
  const only = 'as Java prints a Double, only integers';
  const except = 'as Java prints a Double, except integers';
  for (const integer of ['0', '-0', '12']) {
    expect([printed(only, integer), printed(except, integer)]).toEqual([`${integer}.0`, integer]);
  }
  for (const [other, text] of [
    ['1.50', '1.5'],
    ['1E+2', '100.0'],
  ] as const) {
    expect([printed(only, other), printed(except, other)]).toEqual([other, text]);
  }
});
