import { type ErrorDetails, MopError } from '../errors.ts';
import { MAX_TIMER_MS } from '../http/abort.ts';

interface ValueRule<Value> {
  /** As the list of faults shows it. */
  readonly form: string;
  /** The expected value, for messages. */
  readonly wants: string;
  /** Parses a value; undefined for an invalid text. */
  readonly read: (text: string | undefined) => Value | undefined;
}

const RULES = {
  /** The result code that operations answer. */
  code: integer('N', -(2 ** 31), 2 ** 31 - 1),
  /** The HTTP status that operations answer. */
  http: integer('N', 200, 599),
  /** Milliseconds that every request waits. */
  latency: integer('MS', 0, MAX_TIMER_MS),
  /** The connection of a download is cut in mid-file. */
  drop: flag(),
  /** A download ends early, without an error. */
  truncate: flag(),
  /** One byte of a bill differs. */
  corrupt: flag(),
  /** A link has expired when it is handed out. */
  expire: flag(),
  /** A descriptor comes without a digest. */
  'no-hash': flag(),
  /** The digest of a descriptor is this one. */
  'hash-type': {
    form: '=NAME',
    wants: 'a name of 1 to 32 characters',
    read: (text) => (text && text.length <= 32 ? text : undefined),
  } as ValueRule<string>,
  /** Bytes a second of a download. */
  slow: integer('BYTES_PER_S', 1, Number.MAX_SAFE_INTEGER),
  /** Seconds that the clock is ahead, negative behind: up to thirty years, so dates stay dates. */
  skew: integer('S', -1e9, 1e9),
};

type FaultName = keyof typeof RULES;
type FaultValue<Name extends FaultName> = NonNullable<ReturnType<(typeof RULES)[Name]['read']>>;

/** Something that the sandbox does wrong on purpose. */
export type Fault = {
  readonly [Name in FaultName]: {
    readonly name: Name;
    readonly value: FaultValue<Name>;
    /** How often it applies; default always. */
    readonly count?: number | undefined;
  };
}[FaultName];

export const FAULT_NAMES: readonly string[] = Object.keys(RULES);

/**
 * Reads a fault as the command line gives it: `NAME[=VALUE][:COUNT]` (contract section 7).
 *
 * @throws {MopError} `usage` for an unknown name, a value that does not suit it, or a bad count.
 *
 * @example
 * ```ts
 * import { type Fault, parseFault } from 'mop-cli';
 *
 * const fault: Fault = parseFault('code=-1:2');
 * console.log(fault.name, fault.value, fault.count);
 * // code -1 2
 * ```
 */
export function parseFault(text: string): Fault {
  const [, fault = '', count] = /^(.*?)(?::([^:]*))?$/s.exec(text) ?? [];
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(fault) ?? [];
  if (!isFaultName(name)) {
    const unknown = { word: name, names: FAULT_NAMES };
    throw badFault(`there is no fault ${JSON.stringify(name)}`, unknown);
  }

  const { wants, read } = RULES[name];
  const intended = read(value);
  if (intended === undefined) throw badFault(`the fault ${name} takes ${wants}`);
  if (count !== undefined && !/^[1-9]\d{0,14}$/.test(count)) {
    throw badFault(`the count of the fault ${name} is ${JSON.stringify(count)}, not 1 or more`);
  }
  // The rule of a name gives the value of that name.
  return { name, value: intended, ...(count && { count: Number(count) }) } as Fault;
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
   * Uses a fault once and returns its value; undefined when none applies. Of several with one name,
   * the first that is left applies: `code=-1:2` and `code=1052` follow each other.
   */
  take<Name extends FaultName>(name: Name): FaultValue<Name> | undefined {
    const entry = this.#faults.find(({ fault, left }) => fault.name === name && left > 0);
    if (!entry) return undefined;
    entry.left--;
    return entry.fault.value as FaultValue<Name>;
  }
}

function integer(unit: string, min: number, max: number): ValueRule<number> {
  return {
    form: `=${unit}`,
    wants: `a whole number from ${min} to ${max}`,
    read: (text = '') => {
      const number = Number(text);
      return /^-?\d{1,16}$/.test(text) && number >= min && number <= max ? number : undefined;
    },
  };
}

function flag(): ValueRule<true> {
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
