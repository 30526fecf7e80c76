/** Returns a number from 0 to count - 1. */
export type Draw = (count: number) => number;

/** A draw that {@link resumedDraw} continues from its state. */
export interface SeededDraw extends Draw {
  readonly state: () => number;
}

/** A pseudo-random generator: 32-bit xorshift. */
export function seededDraw(seed: number): SeededDraw {
  // Seeds that follow each other must not begin alike, and zero would stay zero.
  return resumedDraw(Math.imul(seed, 0x9e3779b1) | 1);
}

/** The draw that had this state, from there on. */
export function resumedDraw(from: number): SeededDraw {
  let state = from;
  const draw = (count: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 1) % count;
  };
  return Object.assign(draw, { state: () => state });
}
