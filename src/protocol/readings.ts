import { MopError } from '../errors.ts';

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

/** In force where the caller chooses nothing. */
export const DEFAULT_READINGS: Readings = { 'header-names': 'documented' };

/**
 * Reads choices of the command line, each `NAME=VALUE` (contract section 3). The last of several
 * with one name counts.
 *
 * @throws {MopError} `usage` for an unknown name or value.
 */
export function parseReadings(texts: readonly string[] = []): Readings {
  return Object.fromEntries(texts.map(parseReading));
}

function parseReading(text: string): [name: ReadingName, value: string] {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (!Object.hasOwn(VALUES, name)) {
    throw new MopError('usage', `unknown reading ${JSON.stringify(name)}`, {
      hint: `readings are ${listed()}`,
      unknown: { word: name, names: Object.keys(VALUES) },
    });
  }
  const values: readonly string[] = VALUES[name as ReadingName];
  if (value === undefined || !values.includes(value)) {
    const given = value === undefined ? 'no value' : `the unknown value ${JSON.stringify(value)}`;
    throw new MopError('usage', `the reading ${name} has ${given}`, {
      hint: `readings are ${listed()}`,
    });
  }
  return [name as ReadingName, value];
}

function listed(): string {
  return Object.entries(VALUES)
    .map(([name, values]) => `${name}=${values.join('|')}`)
    .join(', ');
}
