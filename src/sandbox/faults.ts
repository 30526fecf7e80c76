import { type ErrorDetails, MopError } from '../errors.ts';
import { MAX_TIMER_MS } from '../http/abort.ts';

interface ValueRule<Value> {
  readonly expected: string;
  readonly read: (text: string | undefined) => Value | undefined;
}

const RULES = {
  /** Operations answer with this result code. */
  code: integer(-(2 ** 31), 2 ** 31 - 1),
  /** Operations answer with this HTTP status. */
  http: integer(200, 599),
  /** The delay of every request, in milliseconds. */
  latency: integer(0, MAX_TIMER_MS),
  /** The connection of a download closes in the middle of the file. */
  drop: flag(),
  /** A download ends early, without an error. */
  truncate: flag(),
  /** One byte of a bill differs. */
  corrupt: flag(),
  /** A link is already expired when it is issued. */
  expire: flag(),
  /** A descriptor comes without a digest. */
  'no-hash': flag(),
  /** The digest name in a descriptor. */
  'hash-type': {
    expected: 'a name of 1 to 32 characters',
    read: (text) => (text && text.length <= 32 ? text : undefined),
  } as ValueRule<string>,
  /** The speed of a download, in bytes per second. */
  slow: integer(1, Number.MAX_SAFE_INTEGER),
  /** Seconds by which the clock is ahead (negative: behind); the limit keeps dates valid. */
  skew: integer(-1e9, 1e9),
};

type FaultName = keyof typeof RULES;
type FaultValue<Name extends FaultName> = NonNullable<ReturnType<(typeof RULES)[Name]['read']>>;

/** A deliberate failure of the sandbox. */
export type Fault = {
  readonly [Name in FaultName]: {
    readonly name: Name;
    readonly value: FaultValue<Name>;
    /** The number of times it applies; default unlimited. */
    readonly count?: number | undefined;
  };
}[FaultName];

export const FAULT_NAMES: readonly string[] = Object.keys(RULES);

/**
 * Parses a fault from the command line: `NAME[=VALUE][:COUNT]` (contract section 7).
 *
 * @throws {MopError} `usage` for an unknown name, an invalid value or an invalid count.
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

  const { expected, read } = RULES[name];
  const intended = read(value);
  if (intended === undefined)
    throw badFault(`the fault ${JSON.stringify(fault)} is invalid: ${name} takes ${expected}`);
  if (count !== undefined && !/^[1-9]\d{0,14}$/.test(count)) {
    throw badFault(`the count of the fault ${name} is ${JSON.stringify(count)}, not 1 or more`);
  }
  // The rule of a name returns the value type of that name.
  return { name, value: intended, ...(count && { count: Number(count) }) } as Fault;
}

export class FaultPlan {
  readonly #faults: { readonly fault: Fault; left: number }[];

  constructor(faults: readonly Fault[]) {
    this.#faults = faults.map((fault) => ({
      fault,
      left: fault.count ?? Number.POSITIVE_INFINITY,
    }));
  }

  /**
   * Uses a fault once; undefined when none applies. The first one with a remaining count applies.
   */
  take<Name extends FaultName>(name: Name): FaultValue<Name> | undefined {
    const entry = this.#faults.find(({ fault, left }) => fault.name === name && left > 0);
    if (!entry) return undefined;
    entry.left--;
    return entry.fault.value as FaultValue<Name>;
  }
}

function integer(min: number, max: number): ValueRule<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (text = '') => {
      const number = Number(text);
      return /^-?\d{1,16}$/.test(text) && number >= min && number <= max ? number : undefined;
    },
  };
}

function flag(): ValueRule<true> {
  return {
    expected: 'no value',
    read: (text) => (text === undefined ? true : undefined),
  };
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(RULES, name);
}

function badFault(message: string, unknown?: ErrorDetails['unknown']): MopError {
  const hint = 'mop sandbox --help lists the faults; each may end in :COUNT';
  return new MopError('usage', message, { hint, unknown });
}
