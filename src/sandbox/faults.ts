import { type ErrorDetails, MopError } from '../errors.ts';

/** What each fault carries: a number, a name, or nothing but that it applies. */
interface FaultValues {
  /** The result code that operations answer. */
  readonly code: number;
  /** The HTTP status that operations answer. */
  readonly http: number;
  /** Milliseconds that every request waits. */
  readonly latency: number;
  /** The connection of a download is cut in mid-file. */
  readonly drop: true;
  /** A download ends early, as if that were all. */
  readonly truncate: true;
  /** One byte of a bill differs. */
  readonly corrupt: true;
  /** A link has expired when it is handed out. */
  readonly expire: true;
  /** A descriptor comes without a digest. */
  readonly 'no-hash': true;
  /** The digest of a descriptor is this one. */
  readonly 'hash-type': string;
  /** Bytes a second of a download. */
  readonly slow: number;
  /** Seconds that the clock is ahead; negative: behind. */
  readonly skew: number;
}

type FaultName = keyof FaultValues;

/** Something that the sandbox does wrong on purpose. */
export type Fault = {
  readonly [Name in FaultName]: {
    readonly name: Name;
    readonly value: FaultValues[Name];
    /** How often it applies; left out, always. */
    readonly count?: number | undefined;
  };
}[FaultName];

interface ValueRule {
  /** As the list of faults shows it. */
  readonly form: string;
  /** For messages: what the value has to be. */
  readonly wants: string;
  /** The value that the text stands for; undefined when it is not one. */
  readonly read: (text: string | undefined) => number | string | true | undefined;
}

const RULES: { readonly [Name in FaultName]: ValueRule } = {
  code: integer('N', -(2 ** 31), 2 ** 31 - 1),
  http: integer('N', 200, 599),
  // setTimeout counts no further.
  latency: integer('MS', 0, 2 ** 31 - 1),
  drop: nothing(),
  truncate: nothing(),
  corrupt: nothing(),
  expire: nothing(),
  'no-hash': nothing(),
  'hash-type': {
    form: '=NAME',
    wants: 'a name of 1 to 32 characters',
    read: (text) => (text && text.length <= 32 ? text : undefined),
  },
  slow: integer('BYTES_PER_S', 1, Number.MAX_SAFE_INTEGER),
  // Some thirty years: dates stay dates.
  skew: integer('S', -1e9, 1e9),
};

/** The faults that there are. */
export const FAULT_NAMES: readonly string[] = Object.keys(RULES);

/**
 * Reads a fault as the command line gives it: `NAME[=VALUE][:COUNT]` (contract section 7).
 *
 * @throws {MopError} `usage` for an unknown name, a value that does not suit it, or a bad count.
 */
export function parseFault(text: string): Fault {
  const [, fault = '', count] = /^(.*?)(?::([^:]*))?$/s.exec(text) ?? [];
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(fault) ?? [];
  if (!isFaultName(name)) {
    const unknown = { word: name, names: FAULT_NAMES };
    throw badFault(`there is no fault ${JSON.stringify(name)}`, unknown);
  }

  const { wants, read } = RULES[name];
  const meant = read(value);
  if (meant === undefined) throw badFault(`the fault ${name} takes ${wants}`);
  if (count !== undefined && !/^[1-9]\d{0,14}$/.test(count)) {
    throw badFault(`the count of the fault ${name} is ${JSON.stringify(count)}, not 1 or more`);
  }
  // The rule of a name gives the value of that name.
  return { name, value: meant, ...(count && { count: Number(count) }) } as Fault;
}

/** The faults of one sandbox, counted down as they apply. */
export class FaultPlan {
  readonly #faults: { readonly fault: Fault; left: number }[];

  constructor(faults: readonly Fault[]) {
    this.#faults = faults.map((fault) => ({
      fault,
      left: fault.count ?? Number.POSITIVE_INFINITY,
    }));
  }

  /**
   * The value of a fault that applies now, which uses it once; undefined when none does. Of several
   * with one name, the first that is left applies: `code=-1:2` and `code=1052` follow each other.
   */
  take<Name extends FaultName>(name: Name): FaultValues[Name] | undefined {
    const entry = this.#faults.find(({ fault, left }) => fault.name === name && left > 0);
    if (!entry) return undefined;
    entry.left--;
    return entry.fault.value as FaultValues[Name];
  }
}

function integer(unit: string, min: number, max: number): ValueRule {
  return {
    form: `=${unit}`,
    wants: `a whole number from ${min} to ${max}`,
    read: (text = '') => {
      const number = Number(text);
      return /^-?\d{1,16}$/.test(text) && number >= min && number <= max ? number : undefined;
    },
  };
}

function nothing(): ValueRule {
  return { form: '', wants: 'no value', read: (text) => (text === undefined ? true : undefined) };
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(RULES, name);
}

function badFault(message: string, unknown?: ErrorDetails['unknown']): MopError {
  const list = Object.entries(RULES).map(([name, { form }]) => name + form);
  return new MopError('usage', message, {
    hint: `faults are ${list.join(', ')}; each may end in :COUNT`,
    unknown,
  });
}
