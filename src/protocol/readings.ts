import { type ErrorDetails, MopError, own, quoted } from '../errors.ts';
import { TIME_OF_DAY } from './defaults.ts';

/** A point that D1 leaves open, and its possible readings. */
interface OpenPoint {
  /** The default is first. The last may be a placeholder for the values that match `pattern`. */
  readonly values: readonly [byDefault: string, ...others: string[]];
  readonly pattern?: RegExp;
  readonly point: string;
}

/** The readings (contract section 3), in the order in which help lists them. */
export const READINGS = {
  'nested-json': {
    values: ['any', 'compact', 'as-sent'],
    point: 'the text of objects and arrays: compact, or as in the request (D1 5.1)',
  },
  'null-in-header': {
    values: ['any', 'empty', 'omit', 'text'],
    point: 'null in header mode; sign uses empty unless --null-as (D1 5.2)',
  },
  nonce: {
    values: ['body-10', '10', 'any'],
    point: 'a nonce of 10 characters: in body mode only, in both, or free (D1 2.1, 5.2)',
  },
  types: {
    values: ['strict', 'lenient'],
    point: 'whether "0" is an int, and whether JSON needs a Content-Type (D1 1, 4)',
  },
  'ready-time': {
    values: ['00:00', 'HH:MM'],
    pattern: TIME_OF_DAY,
    point: "when the sandbox has yesterday's bill; D1 4.1 says after 10:00",
  },
  window: {
    values: ['calendar', '90d'],
    point: 'the length of three months: by the calendar, or 90 days (D1 4.1)',
  },
  modes: {
    values: ['any', 'documented'],
    point: 'whether an operation is available in both modes, or only in the mode of D1 4',
  },
  replay: {
    values: ['accept', 'refuse'],
    point: 'the same nonce and seq_id twice within a minute (D1 5.2)',
  },
  'header-names': {
    values: ['documented', 'as-sent'],
    point: 'the spelling signed when header names arrive in another case (D1 5.2)',
  },
} as const satisfies Record<string, OpenPoint>;

export type ReadingName = keyof typeof READINGS;

type ReadingValue<Name extends ReadingName> = Name extends 'ready-time'
  ? string
  : (typeof READINGS)[Name]['values'][number];

/** A value for each open point. */
export type AllReadings = { readonly [Name in ReadingName]: ReadingValue<Name> };

/** A value for some of the open points. */
export type Readings = {
  readonly [Name in ReadingName]?: ReadingValue<Name> | undefined;
};

export const DEFAULT_READINGS = Object.fromEntries(
  Object.entries(READINGS).map(([name, { values }]) => [name, values[0]]),
) as AllReadings;

export function readingEntries(readings: Readings): [name: ReadingName, value: string][] {
  return Object.entries(readings) as [ReadingName, string][];
}

/**
 * Parses `NAME=VALUE` (contract section 3). @throws {MopError} `usage` for an unknown name or
 * value.
 */
export function parseReadings(texts: readonly string[] = []): Readings {
  return Object.fromEntries(texts.map(parseReading));
}

function parseReading(text: string): [name: string, value: string | undefined] {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  assertReading(name, value);
  return [name, value];
}

/** @throws {MopError} `usage` for an unknown name or value from an untyped caller. */
export function withDefaults(chosen: Readings = {}): AllReadings {
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) assertReading(name, value);
  return { ...DEFAULT_READINGS, ...Object.fromEntries(given) };
}

function assertReading(name: string, value: string | undefined): void {
  if (!Object.hasOwn(READINGS, name)) {
    const unknown = { word: name, names: Object.keys(READINGS) };
    const message = `unknown reading ${JSON.stringify(name)}; known readings: ${unknown.names.join(', ')}`;
    throw wrongReading(message, { hint: 'mop help readings explains them', unknown });
  }
  const { values, pattern }: OpenPoint = READINGS[name as ReadingName];
  if (value !== undefined && (pattern?.test(value) ?? values.includes(value))) return;
  const given = value === undefined ? 'no value' : `the unknown value ${JSON.stringify(value)}`;
  throw wrongReading(`the reading ${name} has ${given}`, {
    hint: quoted`${name} is one of ${own(values.join(', '))}; see mop help readings`,
  });
}

function wrongReading(message: string, details: ErrorDetails): MopError {
  return new MopError('usage', message, details);
}
