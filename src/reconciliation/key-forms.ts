/** A form in which two keys are equal although they are written differently. */
export interface KeyForm {
  readonly option: '--ignore-case' | '--ignore-zeros' | '--ignore-format';
  readonly difference: string;
  /** The form of a key; by default the key itself. */
  readonly apply: (key: string) => string;
}

const DATE = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]0{1,2}:00(?::00)?(?:\.0+)?Z?)?$/;
const COMPACT_DATE = /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
/** 20.11.2026, as in Germany. */
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
/** Excel stores 15 digits of a number. */
const EXCEL_DIGITS = 15;
const EXPONENT = /^(\d)(?:[.,](\d+))?E\+?(\d+)$/i;

/** The forms of keys, the most harmless first. */
export const KEY_FORMS: readonly KeyForm[] = [
  {
    option: '--ignore-case',
    difference: 'upper and lower case',
    apply: (key) => key.toLowerCase(),
  },
  {
    option: '--ignore-format',
    difference: 'full-width characters or invisible spaces',
    apply: (key) =>
      key
        .normalize('NFKC')
        .replace(/\p{Cf}/gu, '')
        .trim(),
  },
  {
    option: '--ignore-format',
    difference: 'a decimal part .0',
    apply: (key) => key.replace(/^(\d+)[.,]0+$/, '$1'),
  },
  {
    option: '--ignore-format',
    difference: 'the form of dates',
    apply: dateForm,
  },
  {
    option: '--ignore-zeros',
    difference: 'leading zeros',
    apply: (key) => key.replace(/^0+(?=.)/, ''),
  },
];

function dateForm(key: string): string {
  const [, year, month, day] = DATE.exec(key) ?? COMPACT_DATE.exec(key) ?? [];
  const parts = year
    ? [year, month, day]
    : (DAY_FIRST.exec(key)?.slice(1).reverse() ?? slashedParts(key));
  return parts ? parts.map((part = '') => part.padStart(2, '0')).join('-') : key;
}

/** The parts of 11/20/2026 and 20/11/2026, where only one order is possible. */
function slashedParts(key: string): string[] | undefined {
  const [, first = '', second = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(key) ?? [];
  if (Number(first) > 12) return [year, second, first];
  return Number(second) > 12 ? [year, first, second] : undefined;
}

/** A key that Excel has changed, as a rule for the keys that it may have been. */
export interface LostDigits {
  /** The key with the digits that are lost as zeros. */
  readonly rounded: string;
  readonly digits: number;
}

/** Recognises a number of which Excel has lost digits: 2.02611E+17, or 202611200000000000. */
export function lostDigits(key: string): LostDigits | undefined {
  const [, first = '', rest = '', power = ''] = EXPONENT.exec(key) ?? [];
  if (first !== '' && Number(power) >= rest.length && Number(power) < 100) {
    const digits = first + rest;
    return { rounded: digits.padEnd(Number(power) + 1, '0'), digits: digits.length };
  }
  const isRounded =
    /^\d+$/.test(key) && key.length > EXCEL_DIGITS && /^0+$/.test(key.slice(EXCEL_DIGITS));
  return isRounded ? { rounded: key, digits: EXCEL_DIGITS } : undefined;
}

/** A whole number rounded to a number of digits, as Excel shows or stores it. */
export function roundDigits(key: string, digits: number): string {
  if (!/^\d+$/.test(key) || key.length <= digits) return key;
  const unit = 10n ** BigInt(key.length - digits);
  return String(((BigInt(key) + unit / 2n) / unit) * unit);
}
