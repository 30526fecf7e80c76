import { InvalidArgumentError } from 'commander';

/** The value of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** @throws {InvalidArgumentError} unless `text` is a number of at least 0. */
export function nonNegative(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number, 0 or more.');
}

/** @throws {InvalidArgumentError} unless `text` is a number above 0. */
export function positive(text: string): number {
  const value = nonNegative(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be more than 0.');
}

/** @throws {InvalidArgumentError} unless `text` is a whole number of at least 0. */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** @throws {InvalidArgumentError} unless `text` is the number of a TCP port, or 0. */
export function port(text: string): number {
  const value = wholeNumber(text);
  if (value <= 65_535) return value;
  throw new InvalidArgumentError('It must be at most 65535.');
}

/** @throws {InvalidArgumentError} unless `text` is a number of days up to ten years. */
export function days(text: string): number {
  const value = count(text);
  if (value <= 3660) return value;
  throw new InvalidArgumentError('It must be at most 3660.');
}

/** @throws {InvalidArgumentError} unless `text` is a number of exchanges that a machine can hold. */
export function inFlight(text: string): number {
  const value = count(text);
  if (value <= 256) return value;
  throw new InvalidArgumentError('It must be at most 256.');
}

/** @throws {InvalidArgumentError} unless `text` is a whole number of at least 1. */
export function count(text: string): number {
  const value = wholeNumber(text);
  if (value >= 1) return value;
  throw new InvalidArgumentError('It must be 1 or more.');
}
