import { type ErrorDetails, MopError } from '../errors.ts';

/** The points that D1 leaves open: the values of each, the default first. */
const VALUES = {
  /** The spelling that is signed when header names arrive in another case (D1 5.2). */
  'header-names': ['documented', 'as-sent'],
} as const;

type ReadingName = keyof typeof VALUES;

/** A value for some of the open points. */
export type Readings = {
  readonly [Name in ReadingName]?: (typeof VALUES)[Name][number] | undefined;
};

/** Used where the caller makes no choice. */
export const DEFAULT_READINGS: Readings = Object.fromEntries(
  Object.entries(VALUES).map(([name, [byDefault]]) => [name, byDefault]),
);

/**
 * Reads choices of the command line, each `NAME=VALUE` (contract section 3). The last of several
 * with one name counts.
 *
 * @throws {MopError} `usage` for an unknown name or value.
 */
export function parseReadings(texts: readonly string[] = []): Readings {
  return Object.fromEntries(texts.map(parseReading));
}

function parseReading(text: string): [name: string, value: string | undefined] {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  assertReading(name, value);
  return [name, value];
}

/** @throws {MopError} `usage` for an unknown name or value, which a caller without types may pass. */
export function assertReadings(readings: Readings): void {
  for (const [name, value] of Object.entries(readings)) {
    if (value !== undefined) assertReading(name, value);
  }
}

function assertReading(name: string, value: string | undefined): void {
  if (!Object.hasOwn(VALUES, name)) {
    const unknown = { word: name, names: Object.keys(VALUES) };
    throw wrongReading(`unknown reading ${JSON.stringify(name)}`, unknown);
  }
  const values: readonly string[] = VALUES[name as ReadingName];
  if (value === undefined || !values.includes(value)) {
    const given = value === undefined ? 'no value' : `the unknown value ${JSON.stringify(value)}`;
    throw wrongReading(`the reading ${name} has ${given}`);
  }
}

function wrongReading(message: string, unknown?: ErrorDetails['unknown']): MopError {
  return new MopError('usage', message, { hint: `readings are ${listReadings()}`, unknown });
}

/** The names and values for a person, such as `header-names=documented|as-sent`. */
export function listReadings(): string {
  return Object.entries(VALUES)
    .map(([name, values]) => `${name}=${values.join('|')}`)
    .join(', ');
}
