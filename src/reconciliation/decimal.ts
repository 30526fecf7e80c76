/** A decimal number, exactly: `units` × 10^-`scale`. */
export interface Decimal {
  /** A number if it is a safe integer: arithmetic on numbers is faster. */
  readonly units: number | bigint;
  readonly scale: number;
}

/** Every integer of up to this many digits is safe. */
export const SAFE_DIGITS = 15;
/** Longer text is not an amount and takes long to convert. */
const MAX_LENGTH = 1000;
const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];

/**
 * Reads `12`, `-12.50` or `+0.5`, ignoring surrounding white space; undefined for any other text.
 */
export function parseDecimal(text: string): Decimal | undefined {
  return parseDigits(text) ?? parseDigits(text.trim());
}

function parseDigits(text: string): Decimal | undefined {
  const first = text.charCodeAt(0);
  const start = first === MINUS || first === PLUS ? 1 : 0;
  const { length } = text;
  let units = 0;
  let point = -1;
  for (let index = start; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) units = units * 10 + (code - ZERO);
    else if (code === POINT && point === -1 && index > start) point = index;
    else return undefined;
  }
  if (length === start || point === length - 1 || length > MAX_LENGTH) return undefined;
  const scale = point === -1 ? 0 : length - 1 - point;
  if (length - start <= SAFE_DIGITS) return { units: first === MINUS ? 0 - units : units, scale };
  const digits = BigInt(text.slice(start).replace('.', ''));
  return { units: first === MINUS ? -digits : digits, scale };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.scale === b.scale) return a.units < b.units ? -1 : Number(a.units > b.units);
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [unitsAt(a, scale), unitsAt(b, scale)];
  return left < right ? -1 : Number(left > right);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) - unitsAt(b, scale), scale };
}

/** `a` × `b`, without zeros at the end of its decimals beyond those of `a`. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  let units = BigInt(a.units) * BigInt(b.units);
  let scale = a.scale + b.scale;
  while (scale > Math.max(a.scale, 2) && units % 10n === 0n) {
    units /= 10n;
    scale--;
  }
  return { units, scale };
}

/** The decimal digits, with `scale` decimals: `12.50`. */
export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0 ? '-' : '';
  const digits = String(units < 0 ? -units : units).padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The amount in the bill minus the amount in the records; empty unless both are numbers. */
export function amountDifference(bill: string | undefined, records: string | undefined): string {
  const [ours, theirs] = [parseDecimal(bill ?? ''), parseDecimal(records ?? '')];
  return ours && theirs ? formatDecimal(subtract(ours, theirs)) : '';
}

/** The exact sum of numbers, with the largest number of decimals among them. */
export class DecimalSum {
  #scale = 0;
  /** A part of the sum as a safe integer: additions are faster. */
  #small = 0;
  #large = 0n;

  add({ units, scale }: Decimal): void {
    if (scale > this.#scale) this.#extend(scale);
    const next = scale === this.#scale ? this.#small + Number(units) : Number.NaN;
    if (typeof units === 'number' && Number.isSafeInteger(next)) {
      this.#small = next;
      return;
    }
    this.#large += BigInt(this.#small) + unitsAt({ units, scale }, this.#scale);
    this.#small = 0;
  }

  get total(): Decimal {
    return { units: this.#large + BigInt(this.#small), scale: this.#scale };
  }

  get text(): string {
    return formatDecimal(this.total);
  }

  #extend(scale: number): void {
    this.#large = unitsAt(this.total, scale);
    this.#small = 0;
    this.#scale = scale;
  }
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return BigInt(units) * 10n ** BigInt(wanted - scale);
}
