import { type AmountText, type DecimalMark, readAmountText } from './amount-text.ts';
import { Cell, isBlank } from './cell.ts';
import { type Decimal, parseDecimal, SAFE_DIGITS } from './decimal.ts';

/** The kind of a cell in a column of amounts. An `identifier` is a whole number of 16 or more digits. */
export type AmountKind = 'small' | 'large' | 'identifier' | 'blank' | 'text';

const [MINUS, POINT, ZERO, NINE, DOLLAR, COMMA] = [0x2d, 0x2e, 0x30, 0x39, 0x24, 0x2c];

/** The bytes of which no amount consists: control characters, and those of dates, times and texts. */
const FOREIGN = new Uint8Array(256);
for (const byte of Buffer.from('!"#%&*/:;<=>?@[\\]^_`{|}~')) FOREIGN[byte] = 1;
const CODE_LETTERS = 3;

/** Whether a cell has a digit, and only bytes of amounts: a fast test for columns of text. */
export function mayBeAmount({ bytes, start, end }: Cell): boolean {
  let hasDigit = false;
  let letters = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (FOREIGN[byte] === 1) return false;
    const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
    if (isLetter) {
      if (++letters > CODE_LETTERS) return false;
      continue;
    }
    // Fewer letters are a country before a sign, as in HK$.
    if (letters > 0 && letters < CODE_LETTERS && byte !== DOLLAR && byte < 0x80) return false;
    letters = 0;
    // Full-width digits begin with the byte EF in UTF-8.
    if ((byte >= ZERO && byte <= NINE) || byte === 0xef) hasDigit = true;
  }
  return hasDigit && (letters === 0 || letters === CODE_LETTERS);
}

/** A whole number of this many digits is an identifier rather than an amount. */
const IDENTIFIER_DIGITS = 12;
/** A point before three digits may separate thousands in a column with decimal commas. */
const THOUSANDS = 3;

/**
 * Reads the amounts of one column, exactly. The column has one decimal mark and at most one
 * currency: a cell that contradicts the cells before it is text.
 */
export class AmountColumn {
  /** The last amount, if it is `small`: `units` × 10^-`scale`. */
  units = 0;
  scale = 0;
  isPlain = true;
  #large: Decimal | Cell | undefined;
  /** The reason if the last cell is `text`. */
  fault = '';
  hasFraction = false;
  /** Whether a whole number is as long as an identifier, or begins with a zero. */
  hasIdentifier = false;
  shortest = Number.POSITIVE_INFINITY;
  #mark: DecimalMark | undefined;
  readonly #preferred: DecimalMark | undefined;
  readonly #isPointSure: boolean;
  #currency: string | undefined;
  /** The first amount such as `1,234` that was read with separators of thousands. */
  #ambiguousText = '';
  /** The first amount such as `1.234` that was read with a decimal point before the mark was known. */
  #pointedText: string | undefined;

  /**
   * `preferred` is the decimal mark where the column shows none; a comma as separator needs points.
   */
  constructor(preferred?: DecimalMark, separator?: number) {
    this.#preferred = preferred;
    this.#isPointSure = separator === COMMA;
  }

  /** The ISO 4217 code of the currency of the amounts, where it is written beside them. */
  get currency(): string | undefined {
    return this.#currency;
  }

  /** Learns the decimal mark from a value that comes later in the column. */
  learn(text: string): void {
    this.#mark ??= readAmountText(text)?.mark;
  }

  /** The first amount whose reading was a guess, unless another one decided it. */
  get guess(): { readonly text: string; readonly mark: DecimalMark } | undefined {
    if (this.#mark || this.#preferred) return undefined;
    if (this.#ambiguousText) return { text: this.#ambiguousText, mark: ',' };
    return this.#pointedText === undefined ? undefined : { text: this.#pointedText, mark: '.' };
  }

  read(cell: Cell): AmountKind {
    const { bytes, start, end } = cell;
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let units = 0;
    let point = -1;
    let at = first;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte >= ZERO && byte <= NINE) units = units * 10 + (byte - ZERO);
      else if (byte === POINT && point === -1 && at > first) point = at;
      else break;
    }
    const length = end - first;
    if (at < end || length === 0 || point === end - 1) return this.#readOther(cell);
    if (length > SAFE_DIGITS) {
      if (point !== -1) return this.#readOther(cell);
      this.#large = cell;
      this.#noteWhole(length, false);
      return 'identifier';
    }
    const scale = point === -1 ? 0 : end - 1 - point;
    if (scale === 0) this.#noteWhole(length, bytes[first] === ZERO);
    else {
      if (this.#mark !== '.') {
        const isComma = this.#preferred === ',' && !this.#isPointSure;
        if (this.#mark === ',' || isComma) return this.#readOther(cell);
        if (scale !== THOUSANDS) this.#mark = '.';
        else this.#pointedText ??= cell.text;
      }
      this.hasFraction = true;
    }
    this.isPlain = true;
    this.units = isNegative ? 0 - units : units;
    this.scale = scale;
    return 'small';
  }

  amount(kind: AmountKind): Decimal {
    return kind === 'small' ? { units: this.units, scale: this.scale } : this.large;
  }

  get large(): Decimal {
    const large = this.#large;
    return (large instanceof Cell ? parseDecimal(large.text) : large) ?? { units: 0, scale: 0 };
  }

  #noteWhole(digits: number, startsWithZero: boolean): void {
    if (digits >= IDENTIFIER_DIGITS || (startsWithZero && digits > 1)) this.hasIdentifier = true;
    if (digits < this.shortest) this.shortest = digits;
  }

  #readOther(cell: Cell): AmountKind {
    this.isPlain = false;
    if (isBlank(cell)) return 'blank';
    this.fault = 'is not an amount';
    if (!mayBeAmount(cell)) return 'text';
    const { text } = cell;
    const amount = readAmountText(text, this.#mark ?? this.#preferred);
    if (amount) this.fault = this.#contradiction(amount);
    if (!amount || this.fault !== '') return 'text';
    this.#mark ??= amount.mark;
    this.#currency ??= amount.currency;
    // A comma is more doubtful than a point.
    if (amount.ambiguous === ',') this.#ambiguousText ||= text;
    else if (amount.ambiguous === '.') this.#pointedText ??= text;
    const decimal = parseDecimal(amount.digits);
    if (!decimal) return 'text';
    if (decimal.scale > 0) this.hasFraction = true;
    else this.#noteWhole(/\d+/.exec(amount.digits)?.[0].length ?? 0, /^-?0/.test(amount.digits));
    if (typeof decimal.units === 'bigint' || decimal.scale > SAFE_DIGITS) {
      this.#large = decimal;
      return 'large';
    }
    this.units = decimal.units;
    this.scale = decimal.scale;
    return 'small';
  }

  #contradiction({ mark, currency }: AmountText): string {
    if (this.#currency && currency && currency !== this.#currency) {
      return `is in ${currency}, after amounts in ${this.#currency}`;
    }
    if (!mark) return '';
    if (mark === this.#mark) return '';
    if (this.#mark) return `has the decimal mark ${mark}, after amounts with ${this.#mark}`;
    const guessed = mark === ',' ? this.#ambiguousText || this.#pointedText : undefined;
    if (!guessed || this.#preferred === mark) return '';
    return `has a decimal comma, but ${JSON.stringify(guessed)} before it was read without one: add --decimal ,`;
  }
}
