/** A whole number with thousands separators: 1,234,567. */
export function grouped(number: number | bigint): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number with its noun: `1 page`, `1,200 pages`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A decimal number with thousands separators: 1,234,567.50. */
export function groupedDecimal(digits: string): string {
  return digits.replace(
    /^(-?)(\d+)/,
    (_, sign: string, whole: string) => sign + grouped(BigInt(whole)),
  );
}
