import { InvalidArgumentError } from 'commander';
import type { Language } from '../../protocol/language.ts';
import { languageNamed } from '../context/language.ts';

/** The value of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** A parser of numbers. It throws `InvalidArgumentError` for a text that is not `expected`. */
function numberParser(
  pattern: RegExp,
  accepts: (value: number) => boolean,
  expected: string,
): (text: string) => number {
  return (text) => {
    if (pattern.test(text) && accepts(Number(text))) return Number(text);
    throw new InvalidArgumentError(`It must be ${expected}.`);
  };
}

export const nonNegative = numberParser(NUMBER, () => true, 'a number, 0 or more');
export const positive = numberParser(NUMBER, (value) => value > 0, 'a number above 0');
export const wholeNumber = numberParser(WHOLE_NUMBER, () => true, 'a whole number, 0 or more');
export const count = numberParser(WHOLE_NUMBER, (value) => value >= 1, 'a whole number, 1 or more');

/** A parser of whole numbers from `min` to `max`. */
function inRange(min: number, max: number): (text: string) => number {
  const expected = `a whole number from ${min} to ${max}`;
  return numberParser(WHOLE_NUMBER, (value) => value >= min && value <= max, expected);
}

/** A TCP port, or 0 for any. */
export const port = inRange(0, 65_535);

/** Days, up to ten years. */
export const days = inRange(1, 3660);

/** The maximum number of requests in flight. */
export const inFlight = inRange(1, 256);

/** A language, or a locale such as zh-CN. */
export function language(text: string): Language {
  const named = languageNamed(text);
  if (named === undefined) throw new InvalidArgumentError('It must be en or zh.');
  return named;
}
