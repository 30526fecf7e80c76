/** `draw(count)` gives one of 0 … count - 1. */
export type Draw = (count: number) => number;

/** Numbers that look drawn but are the same for the same seed (a 32-bit xorshift). */
export function drawing(seed: number): Draw {
  // Seeds that follow each other must not begin alike, and zero would stay zero.
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 1) % count;
  };
}
