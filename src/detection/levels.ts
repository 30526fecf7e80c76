import { LEVELS, type Level } from '../protocol/detection.ts';

/** The risk levels of a service in their order. Case and surrounding white space do not matter. */
export class Levels {
  /** The lowest first. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names.map(normal);
  }

  /** The level, spelled as in the order; undefined for an unknown level. */
  find(text: string): string | undefined {
    return this.names.find((name) => name === normal(text));
  }

  /** The position of a level, 0 for the lowest. An unknown level is above all others. */
  rank(text: string): number {
    const at = this.names.indexOf(normal(text));
    return at === -1 ? this.names.length : at;
  }

  /** The level at the same relative position in our own order; undefined for an unknown one. */
  severity(text: string): Level | undefined {
    if (this.find(text) === undefined) return undefined;
    const fraction = this.rank(text) / (this.names.length - 1);
    return LEVELS[Math.round(fraction * (LEVELS.length - 1))];
  }

  toString(): string {
    return this.names.join(' < ');
  }
}

/** The order of the sandbox. D2 shows only `high`. */
export const DEFAULT_LEVELS = new Levels(LEVELS);

/** Reads an order such as `safe<low<high`. Check it with {@link levelsFault} first. */
export function parseLevels(order: string): Levels {
  return new Levels(order.split('<'));
}

/** The fault of an order such as `safe<low<high`; undefined when it is usable. */
export function levelsFault(order: string): string | undefined {
  const { names } = parseLevels(order);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  const example = 'an order is for example safe<low<high';
  if (names.includes('')) return `a level is empty; ${example}`;
  if (names.length < 2) return `it has only one level; ${example}`;
  return twice === undefined ? undefined : `the level ${JSON.stringify(twice)} appears twice`;
}

function normal(text: string): string {
  return text.trim().toLowerCase();
}
