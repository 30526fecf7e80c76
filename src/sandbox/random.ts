/** Returns a number from 0 to count - 1. */
export type Draw = (count: number) => number;

/** A pseudo-random generator: 32-bit xorshift. */
export function seededDraw(seed: number): Draw {
  // Consecutive seeds must not start with similar numbers, and a state of zero would stay zero.
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 1) % count;
  };
}
