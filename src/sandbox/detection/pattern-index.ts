import { LiteralTree } from './literal-tree.ts';
import { type Literal, mostTelling, type Skeleton } from './skeleton.ts';

const NOWHERE: readonly number[] = [];

/** Finds the few of many patterns that may match a text, by one pass over it. */
export class PatternIndex<T> {
  /** Literals that begin words. */
  readonly #atWords = new LiteralTree();
  readonly #anywhere = new LiteralTree();
  /** What a name stands for is the same list wherever it is used. */
  readonly #numbers = new Map<readonly Literal[], readonly number[]>();
  readonly #values: T[] = [];
  /** By the number of a literal, where the skeletons begin in the code that it leads to. */
  readonly #leads: number[][] = [];
  /**
   * Skeletons one behind the other: the number of the value, that of the steps, and for each step
   * its distance, how many literals it has, and their numbers. They are looked at so often that
   * they have to lie side by side.
   */
  readonly #code: number[] = [];
  #flatCode = new Int32Array();
  /** Those of whose matches nothing is certain. */
  readonly #always: T[] = [];
  /** Where each literal begins in the text that is looked at, from left to right. */
  readonly #places: (readonly number[])[] = [];

  /** @param skeletons One of them has every text that the pattern of `value` matches. */
  add(skeletons: readonly Skeleton[], value: T): void {
    const number = this.#values.push(value) - 1;
    for (const skeleton of skeletons) {
      const lead = mostTelling(skeleton);
      if (!lead) {
        this.#always.push(value);
        continue;
      }
      const start = this.#code.push(number, skeleton.length) - 2;
      for (const { literals, within } of skeleton) {
        const numbers = this.#numbersOf(literals);
        this.#code.push(within, numbers.length, ...numbers);
      }
      for (const literal of this.#numbersOf(lead.literals)) this.#leads[literal]?.push(start);
    }
  }

  /** Of the values that are wanted, those whose patterns may match a text. */
  candidates(text: string, isWanted: (value: T) => boolean = () => true): Set<T> {
    if (this.#flatCode.length < this.#code.length) this.#flatCode = Int32Array.from(this.#code);
    const found = this.#find(text);
    const values = new Set(this.#always);
    for (const literal of found) {
      for (const start of this.#leads[literal] ?? []) {
        const value = this.#values[this.#flatCode[start] ?? 0] as T;
        if (!values.has(value) && this.#isInOrder(start + 1) && isWanted(value)) values.add(value);
      }
    }
    for (const literal of found) this.#places[literal] = NOWHERE;
    return values;
  }

  /** The literals in a text, their places noted. */
  #find(text: string): number[] {
    const found: number[] = [];
    const here: number[] = [];
    let inWord = false;
    for (let at = 0; at < text.length; at++) {
      if (!inWord) this.#atWords.find(text, at, here);
      this.#anywhere.find(text, at, here);
      for (const literal of here) {
        const places = this.#places[literal] as number[];
        if (places === NOWHERE) {
          this.#places[literal] = [at];
          found.push(literal);
        } else {
          places.push(at);
        }
      }
      if (here.length > 0) here.length = 0;
      inWord = isWordUnit(text.charCodeAt(at));
    }
    return found;
  }

  /** Whether there is a row of literals, one of each step, near enough to each other. */
  #isInOrder(start: number): boolean {
    const code = this.#flatCode;
    let at = start;
    let reached: number[] | undefined;
    for (let steps = code[at++] ?? 0; steps > 0; steps--) {
      const within = code[at++] ?? 0;
      const end = at + 1 + (code[at] ?? 0);
      let here: number[] | undefined;
      for (at++; at < end; at++) {
        const places = this.#places[code[at] ?? 0] ?? NOWHERE;
        if (places === NOWHERE) continue;
        for (const place of places) {
          if (reached && !isNear(place, reached, within)) continue;
          here ??= [];
          here.push(place);
        }
      }
      if (!here) return false;
      reached = here;
    }
    return true;
  }

  #numbersOf(literals: readonly Literal[]): readonly number[] {
    const known = this.#numbers.get(literals);
    if (known) return known;
    const numbers = [...new Set(literals.map((literal) => this.#numberOf(literal)))];
    this.#numbers.set(literals, numbers);
    return numbers;
  }

  #numberOf({ text, startsWord }: Literal): number {
    const number = (startsWord ? this.#atWords : this.#anywhere).add(text, this.#leads.length);
    if (number === this.#leads.length) {
      this.#leads.push([]);
      this.#places.push(NOWHERE);
    }
    return number;
  }
}

/** Whether a code unit is one of a-z and 0-9: what follows it begins no word. */
function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function isNear(place: number, reached: readonly number[], within: number): boolean {
  for (const before of reached) if (before < place && place <= before + within) return true;
  return false;
}
