import { type Literal, mostTelling, type Step } from './skeleton.ts';

/** A place in a tree of literals, by their code units. */
interface Node<T> {
  children: Map<number, Node<T>> | undefined;
  /** When a literal ends here. */
  literal: IndexedLiteral<T> | undefined;
}

interface IndexedLiteral<T> {
  /** What may match where this is. */
  readonly entries: Entry<T>[];
  /** Where it begins in the text that is looked at, from left to right. */
  places: number[];
}

/** Something that is found by a pattern. */
interface Entry<T> {
  readonly value: T;
  readonly steps: readonly IndexedStep<T>[];
}

interface IndexedStep<T> {
  readonly literals: readonly IndexedLiteral<T>[];
  readonly within: number;
}

const NOWHERE: number[] = [];

/** Finds the few of many patterns that may match a text, by one pass over it. */
export class PatternIndex<T> {
  /** Literals that begin words. */
  readonly #atWords: Node<T> = emptyNode();
  /** The others. */
  readonly #anywhere: Node<T> = emptyNode();
  /** Those of whose matches nothing is certain. */
  readonly #always: T[] = [];

  /** @param skeleton What a text has that the pattern of `value` matches. */
  add(skeleton: readonly Step[], value: T): void {
    const lead = mostTelling(skeleton);
    if (!lead) {
      this.#always.push(value);
      return;
    }
    const indexed = ({ literals }: Step) => literals.map((literal) => this.#literal(literal));
    const steps = skeleton.map((step) => ({ literals: indexed(step), within: step.within }));
    for (const { entries } of indexed(lead)) entries.push({ value, steps });
  }

  /** The values whose patterns may match a text. */
  candidates(text: string): Set<T> {
    const found = this.#find(text);
    const values = new Set(this.#always);
    for (const { entries } of found) {
      for (const entry of entries) {
        if (!values.has(entry.value) && isInOrder(entry)) values.add(entry.value);
      }
    }
    for (const literal of found) literal.places = NOWHERE;
    return values;
  }

  /** The literals in a text, their places noted. */
  #find(text: string): IndexedLiteral<T>[] {
    const found: IndexedLiteral<T>[] = [];
    let inWord = false;
    for (let at = 0; at < text.length; at++) {
      if (!inWord) findAt(at, text, this.#atWords, found);
      findAt(at, text, this.#anywhere, found);
      inWord = isWordUnit(text.charCodeAt(at));
    }
    return found;
  }

  #literal({ text, startsWord }: Literal): IndexedLiteral<T> {
    let node = startsWord ? this.#atWords : this.#anywhere;
    for (let at = 0; at < text.length; at++) {
      node.children ??= new Map();
      const unit = text.charCodeAt(at);
      const next = node.children.get(unit) ?? emptyNode();
      node.children.set(unit, next);
      node = next;
    }
    node.literal ??= { entries: [], places: NOWHERE };
    return node.literal;
  }
}

function emptyNode<T>(): Node<T> {
  return { children: undefined, literal: undefined };
}

/** Notes the literals of a tree that begin at a place of a text. */
function findAt<T>(start: number, text: string, root: Node<T>, found: IndexedLiteral<T>[]): void {
  let node = root.children?.get(text.charCodeAt(start));
  for (let at = start + 1; node; at++) {
    const { literal } = node;
    if (literal) {
      if (literal.places === NOWHERE) {
        literal.places = [];
        found.push(literal);
      }
      literal.places.push(start);
    }
    node = at < text.length ? node.children?.get(text.charCodeAt(at)) : undefined;
  }
}

/** Whether a code unit is one of a-z and 0-9: what follows it begins no word. */
function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Whether there is a row of literals, one of each step, near enough to each other. */
function isInOrder<T>({ steps }: Entry<T>): boolean {
  let reached: number[] | undefined;
  for (const { literals, within } of steps) {
    const here: number[] = [];
    for (const { places } of literals) {
      if (places === NOWHERE) continue;
      for (const place of places) {
        if (!reached || isNear(place, reached, within)) here.push(place);
      }
    }
    if (here.length === 0) return false;
    reached = here;
  }
  return true;
}

function isNear(place: number, reached: readonly number[], within: number): boolean {
  for (const before of reached) if (before < place && place <= before + within) return true;
  return false;
}
