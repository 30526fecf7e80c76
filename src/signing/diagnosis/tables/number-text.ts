/** The texts that languages print for a number of JSON. */

/** Prints a JSON number as another language does after parsing it into its own type. */
export type Print = (text: string) => string;

export function isIntegerText(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** Prints integers in another form; other numbers, and those beyond a double, stay unchanged. */
export function integers(print: (text: string) => string | bigint): Print {
  return (text) =>
    isIntegerText(text) && Number.isFinite(Number(text)) ? String(print(text)) : text;
}

export function decimals(count: number): Print {
  return (text) => Number(text).toFixed(count);
}

export function swappedMarks(text: string): string {
  return text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
}

/** The shortest decimal digits of a double, and its exponent: `d.ddd` times ten to the exponent. */
interface Decimal {
  readonly sign: '' | '-';
  readonly digits: string;
  readonly exponent: number;
}

function decimalOf(value: number, precision?: number): Decimal {
  const [mantissa = '', exponent = '0'] = Math.abs(value)
    .toExponential(precision === undefined ? undefined : precision - 1)
    .split('e');
  return {
    sign: value < 0 || Object.is(value, -0) ? '-' : '',
    digits: mantissa.replace('.', ''),
    exponent: Number(exponent),
  };
}

/** Without an exponent: a digit before the point, and a point only before further digits. */
function positional({ sign, digits, exponent }: Decimal): string {
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const integer = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return sign + integer + (fraction && `.${fraction}`);
}

/** `d.ddde+05`: a point only before further digits, and at least two digits of the exponent. */
function scientific({ sign, digits, exponent }: Decimal): string {
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${digits.replace(/^.(?=.)/, '$&.')}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** Appends `.0` to an integer, as floats are printed. */
function withPoint(plain: string): string {
  return plain.includes('.') ? plain : `${plain}.0`;
}

/** As `str` and `json.dumps` of Python print it. */
export function pythonText(text: string): string {
  if (!isIntegerText(text)) return pythonFloatText(Number(text));
  return text === '-0' ? '0' : text;
}

export function pythonFloatText(value: number): string {
  if (!Number.isFinite(value)) return infinite(value, 'inf');
  const decimal = decimalOf(value);
  const { exponent } = decimal;
  return exponent < -4 || exponent >= 16 ? scientific(decimal) : withPoint(positional(decimal));
}

export function javaDoubleText(text: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return infinite(value, 'Infinity');
  const decimal = decimalOf(value);
  const { sign, digits, exponent } = decimal;
  if (value !== 0 && (exponent < -3 || exponent >= 7)) {
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}E${exponent}`;
  }
  return withPoint(positional(decimal));
}

/** As `tostring` of Lua prints a float. */
export function luaText(text: string): string {
  return general(text, 14);
}

/** As `%v` of Go prints a float64. */
export function goText(text: string): string {
  const value = Number(text);
  // Go refuses to parse such a number into a float64.
  if (!Number.isFinite(value)) return text;
  const decimal = decimalOf(value);
  return generalForm(decimal, 6);
}

/** Uses the exponent form if the exponent is below -4, or at least `precision`. */
function generalForm(decimal: Decimal, precision: number): string {
  const { exponent } = decimal;
  return exponent < -4 || exponent >= precision ? scientific(decimal) : positional(decimal);
}

export function phpText(text: string): string {
  return phpInteger(text) ?? phpFloatText(Number(text), 14, 'E');
}

/** As `json_encode` of PHP 7.1 and later: the shortest digits, with an exponent from 1e17. */
export function phpJsonText(text: string): string {
  return phpInteger(text) ?? phpDecimalText(decimalOf(Number(text)), 17, 'e');
}

/** Undefined for a number that PHP reads as a float. */
function phpInteger(text: string): string | undefined {
  if (!isIntegerText(text) || !isInt64(text)) return undefined;
  return text === '-0' ? '0' : text;
}

/** A float of PHP with `precision` significant digits. */
export function phpFloatText(value: number, precision: number, mark: string): string {
  if (!Number.isFinite(value)) return infinite(value, 'INF');
  return phpDecimalText(trimmed(decimalOf(value, precision)), precision, mark);
}

function phpDecimalText(decimal: Decimal, precision: number, mark: string): string {
  const { sign, digits, exponent } = decimal;
  if (exponent >= -4 && exponent < precision) return positional(decimal);
  return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}${mark}${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

function isInt64(text: string): boolean {
  // The longest is -9223372036854775808.
  return text.length <= 20 && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** The word of a language for a number beyond the largest double, such as 1e400. */
function infinite(value: number, word: string): string {
  return value < 0 ? `-${word}` : word;
}

/** `%.Ng` of C. */
export function general(text: string, precision: number): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return infinite(value, 'inf');
  return generalForm(trimmed(decimalOf(value, precision)), precision);
}

function trimmed({ digits, ...decimal }: Decimal): Decimal {
  return { ...decimal, digits: digits.replace(/(?<=.)0+$/, '') };
}

/** The number without an exponent, with all its digits and trailing zeros. */
export function plainText(text: string): string {
  const { sign, digits, scale } = unscaled(text);
  if (Math.abs(scale) > MAX_PLAIN_DIGITS) return text;
  if (scale <= 0) return sign + (digits === '0' ? '0' : digits + '0'.repeat(-scale));
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Signers do not write longer numbers, and `1e999999999` would fill the memory. */
const MAX_PLAIN_DIGITS = 400;

/** `BigDecimal.toString`: an exponent only for a negative scale or very small numbers. */
export function bigDecimalText(text: string): string {
  const { sign, digits, scale } = unscaled(text);
  const exponent = digits.length - 1 - scale;
  if (scale >= 0 && exponent >= -6) return plainText(text);
  return `${sign}${digits.replace(/^.(?=.)/, '$&.')}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

/** The digits as an integer, and the number of digits after the point. */
function unscaled(text: string): { sign: string; digits: string; scale: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (integer + fraction).replace(/^0+(?=.)/, '');
  const isZero = /^0*$/.test(digits);
  return {
    sign: text.startsWith('-') && !isZero ? '-' : '',
    digits,
    scale: fraction.length - Number(exponent),
  };
}

/** The number with its point moved to the right, without an exponent. */
export function scaled(text: string, places: number): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  return plainText(`${mantissa}e${Number(exponent) + places}`);
}

/** The fewest digits that give the same 32-bit float, as Java and C# print a float. */
export function shortestFloatText(text: string): string {
  const float = Math.fround(Number(text));
  if (!Number.isFinite(float)) return text;
  for (let precision = 1; precision <= 9; precision++) {
    const printed = Number(float.toPrecision(precision));
    if (Math.fround(printed) === float) return pythonFloatText(printed);
  }
  return pythonFloatText(float);
}

/** `ToString` of a double: an exponent from 1E+15 on. */
export function dotNetText(text: string, precision: number): string {
  const value = Number(text);
  if (!Number.isFinite(value)) return infinite(value, '∞');
  const decimal = trimmed(precision === 17 ? decimalOf(value) : decimalOf(value, precision));
  const { sign, digits, exponent } = decimal;
  if (exponent >= -5 && exponent < 15) return positional(decimal);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${digits.replace(/^.(?=.)/, '$&.')}E${exponent < 0 ? '-' : '+'}${power}`;
}

/** Every digit of the double: `new BigDecimal(0.1)` of Java. */
export function exactDoubleText(text: string): string {
  const value = Number(text);
  return Math.abs(value) < 1e21 ? withoutZeros(value.toFixed(100)) : text;
}

/** The same value with the fewest digits, such as 18e2 for 1800. */
export function strippedText(text: string): string {
  const { sign, digits, scale } = unscaled(text);
  const kept = digits.replace(/(?<=[1-9])0+$/, '');
  return `${sign}${kept}e${digits.length - kept.length - scale}`;
}

/** `to_s` of BigDecimal: `0.3027e2`. */
export function rubyBigDecimalText(text: string): string {
  const { sign, digits, scale } = unscaled(text);
  const kept = digits.replace(/(?<=.)0+$/, '');
  return kept === '0' ? `${sign}0.0` : `${sign}0.${kept}e${digits.length - scale}`;
}

/** The formats "0.00E+00" and "General" of spreadsheets, which drop zeros after the point. */
export function spreadsheetText(decimals: number): Print {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    const [mantissa = '', exponent = ''] = value.toExponential(decimals).toUpperCase().split('E');
    const plain = decimals === 5 ? withoutZeros(mantissa) : mantissa;
    return `${plain}E${exponent.replace(/^([+-])(\d)$/, '$10$2')}`;
  };
}

/** `%e` of C with this number of decimals. */
export function exponentText(count: number): Print {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    return value.toExponential(count).replace(/e([+-])(\d)$/, 'e$10$2');
  };
}

export function withoutZeros(plain: string): string {
  // The lookbehind anchors the match: many inner zeros would take quadratic time.
  return plain.includes('.') ? plain.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : plain;
}

export function groupedText(text: string): string {
  const plain = plainText(text);
  if (/e/i.test(plain)) return plain;
  const [integer = '', fraction] = plain.split('.');
  const signLength = plain.startsWith('-') ? 1 : 0;
  const first = signLength + ((integer.length - signLength) % 3 || 3);
  const grouped = integer.slice(0, first) + integer.slice(first).replace(/\d{3}/g, ',$&');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
