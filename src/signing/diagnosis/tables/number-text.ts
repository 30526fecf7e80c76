import { withoutEnd } from '../../../any-length.ts';

// The texts that languages print for a number of JSON.

export type Print = (text: string) => string;

interface Notation {
  /** Significant digits; default: the fewest that give the same double. */
  readonly precision?: number | undefined;
  /** The exponents of numbers that are printed without an exponent: from, and below. */
  readonly plain: readonly [from: number, below: number];
  readonly point?: boolean;
  /** `1.0E7`: also a whole mantissa ends with `.0`. */
  readonly mantissaPoint?: boolean;
  /** Before the exponent, such as `e`; a `+` shows the sign of positive ones. */
  readonly mark: string;
  readonly exponentDigits?: number;
  readonly infinity: string;
}

const C = { mark: 'e+', exponentDigits: 2, infinity: 'inf' };
const PHP = { mantissaPoint: true, mark: 'e+', infinity: 'INF' };
const JAVA = { point: true, mantissaPoint: true, mark: 'E', infinity: 'Infinity' };
const DOT_NET = { plain: [-5, 15], mark: 'E+', exponentDigits: 2, infinity: '∞' } as const;

export const pythonFloatText = notation({ ...C, plain: [-4, 16], point: true });
export const javaDoubleText = notation({ ...JAVA, plain: [-3, 7] });
const goFloatText = notation({ ...C, plain: [-4, 6] });
const phpFloat = notation({ ...PHP, precision: 14, plain: [-4, 14], mark: 'E+' });
const phpJsonFloat = notation({ ...PHP, plain: [-4, 17] });
/** As PHP before 7.1 prints JSON, with `serialize_precision` 17. */
export const oldPhpJsonText = notation({ ...PHP, precision: 17, plain: [-4, 17] });
/** `%.Ng` of C. */
export const general = (precision: number): Print =>
  notation({ ...C, precision, plain: [-4, precision] });
/** `ToString` of a double in .NET: an exponent from 1E+15 on. */
export const dotNetText = (precision?: number): Print => notation({ ...DOT_NET, precision });

/** As `str` and `json.dumps` of Python print it. */
export const pythonText: Print = (text) =>
  isIntegerText(text) ? unsignedZero(text) : pythonFloatText(text);
/** As `%v` of Go prints a float64; Go refuses a number beyond it. */
export const goText: Print = (text) => (Number.isFinite(Number(text)) ? goFloatText(text) : text);
export const phpText: Print = (text) => (isPhpInteger(text) ? unsignedZero(text) : phpFloat(text));
/** As `json_encode` of PHP 7.1 and later. */
export const phpJsonText: Print = (text) =>
  isPhpInteger(text) ? unsignedZero(text) : phpJsonFloat(text);

/** The longest integer has 20 characters; PHP reads a longer one as a float. */
function isPhpInteger(text: string): boolean {
  return (
    isIntegerText(text) && text.length <= 20 && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
  );
}

function unsignedZero(text: string): string {
  return text === '-0' ? '0' : text;
}

function notation({ plain: [from, below], ...style }: Notation): Print {
  const { precision, point, mantissaPoint, mark, exponentDigits = 1, infinity } = style;
  return (text) => {
    const value = Number(text);
    const sign = value < 0 || Object.is(value, -0) ? '-' : '';
    if (!Number.isFinite(value)) return sign + infinity;
    const [mantissa = '', power = '0'] = Math.abs(value)
      .toExponential(precision === undefined ? undefined : precision - 1)
      .split('e');
    const digits = withoutZeroDigits(mantissa.replace('.', ''));
    const exponent = Number(power);
    if (value === 0 || (exponent >= from && exponent < below)) {
      const printed = positional(digits, exponent);
      return sign + printed + (point && !printed.includes('.') ? '.0' : '');
    }
    const fraction = digits.slice(1) || (mantissaPoint ? '0' : '');
    const size = String(Math.abs(exponent)).padStart(exponentDigits, '0');
    const exponentSign = exponent < 0 ? '-' : mark.slice(1);
    return `${sign}${digits.charAt(0)}${fraction && `.${fraction}`}${mark.charAt(0)}${exponentSign}${size}`;
  };
}

/** Digits without an exponent: a digit before the point, and a point only before further digits. */
function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const fraction = digits.slice(exponent + 1);
  return digits.slice(0, exponent + 1).padEnd(exponent + 1, '0') + (fraction && `.${fraction}`);
}

/** The fewest digits that give the same 32-bit float, as Java and C# print a float. */
export function shortestFloatText(text: string): string {
  const float = Math.fround(Number(text));
  if (!Number.isFinite(float)) return text;
  for (let precision = 1; precision <= 9; precision++) {
    const printed = float.toPrecision(precision);
    if (Math.fround(Number(printed)) === float) return pythonFloatText(printed);
  }
  return pythonFloatText(String(float));
}

/** `%e` of C with this number of decimals. */
export function exponentText(count: number): Print {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    return value.toExponential(count).replace(/e([+-])(\d)$/, 'e$10$2');
  };
}

/** Every digit of the double: `new BigDecimal(0.1)` of Java. */
export function exactDoubleText(text: string): string {
  const value = Number(text);
  return Math.abs(value) < 1e21 ? withoutZeros(value.toFixed(100)) : text;
}

interface Decimal {
  readonly sign: string;
  readonly digits: string;
  readonly scale: number;
}

function decimalOf(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (integer + fraction).replace(/^0+(?=.)/, '');
  const sign = text.startsWith('-') && !/^0*$/.test(digits) ? '-' : '';
  return { sign, digits, scale: fraction.length - Number(exponent) };
}

/** The number without an exponent, with all its digits and trailing zeros. */
export function plainText(text: string): string {
  const { sign, digits, scale } = decimalOf(text);
  // Signers do not write longer numbers, and `1e999999999` would fill the memory.
  if (Math.abs(scale) > 400) return text;
  if (scale <= 0) return sign + (digits === '0' ? '0' : digits + '0'.repeat(-scale));
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** `BigDecimal.toString`: an exponent only for a negative scale or very small numbers. */
export function bigDecimalText(text: string): string {
  const { sign, digits, scale } = decimalOf(text);
  const exponent = digits.length - 1 - scale;
  if (scale >= 0 && exponent >= -6) return plainText(text);
  return `${sign}${digits.replace(/^.(?=.)/, '$&.')}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

/** `BigDecimal.stripTrailingZeros`: 18e2 for 1800. */
export function strippedText(text: string): string {
  const { sign, digits, scale } = decimalOf(text);
  const kept = digits.replace(/(?<=[1-9])0+$/, '');
  return `${sign}${kept}e${digits.length - kept.length - scale}`;
}

function withoutZeroDigits(digits: string): string {
  return digits.slice(0, 1) + withoutEnd(digits.slice(1), '0');
}

/** `to_s` of BigDecimal in Ruby: `0.3027e2`. */
export function rubyBigDecimalText(text: string): string {
  const { sign, digits, scale } = decimalOf(text);
  const kept = withoutZeroDigits(digits);
  return kept === '0' ? `${sign}0.0` : `${sign}0.${kept}e${digits.length - scale}`;
}

/** The number with its point moved to the right, without an exponent and trailing zeros. */
export function scaled(text: string, places: number): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  return withoutZeros(plainText(`${mantissa}e${Number(exponent) + places}`));
}

export function withoutZeros(plain: string): string {
  // The lookbehind anchors the match: many inner zeros would take quadratic time.
  return plain.includes('.') ? plain.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : plain;
}

/** A plain decimal with other marks; default: all decimals. */
export function marked(thousands: string, point: string, decimals?: number): Print {
  return (text) => {
    const plain = decimals === undefined ? plainText(text) : Number(text).toFixed(decimals);
    if (/e/i.test(plain)) return plain;
    const [, sign = '', integer = '', , fraction] = /^(-?)(\d*)(\.(.*))?$/.exec(plain) ?? [];
    const first = integer.length % 3 || 3;
    const groups = integer.slice(first).replace(/\d{3}/g, `${thousands}$&`);
    return (
      sign + integer.slice(0, first) + groups + (fraction === undefined ? '' : point + fraction)
    );
  };
}

export function isIntegerText(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** Prints integers in another form; other numbers, and those beyond a double, stay unchanged. */
export function integers(print: (text: string) => string | bigint): Print {
  return (text) =>
    isIntegerText(text) && Number.isFinite(Number(text)) ? String(print(text)) : text;
}
