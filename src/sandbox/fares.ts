export interface CarType {
  readonly id: string;
  readonly name: string;
  readonly baseCents: number;
  readonly centsPerKm: number;
}

export const CAR_TYPES: readonly CarType[] = [
  { id: 'economy', name: '经济型', baseCents: 900, centsPerKm: 180 },
  { id: 'comfort', name: '舒适型', baseCents: 1300, centsPerKm: 240 },
  { id: 'business', name: '商务型', baseCents: 1800, centsPerKm: 330 },
  { id: 'luxury', name: '豪华型', baseCents: 2600, centsPerKm: 480 },
];

const MAX_DISCOUNT_CENTS = 2000;

/** The price of a ride before discounts, in cents; the distance in units of 10 m. */
export function fare({ baseCents, centsPerKm }: CarType, distance: number): number {
  return baseCents + Math.floor((distance * centsPerKm) / 100);
}

/** The discount on a price, both in cents: one ride in four has one. */
export function drawDiscount(draw: Draw, price: number): number {
  return draw(4) === 0 ? draw(Math.min(price, MAX_DISCOUNT_CENTS)) : 0;
}

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
