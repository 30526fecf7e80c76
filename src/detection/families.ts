import CATEGORIES from './categories.json' with { type: 'json' };

/** A family in words; an unknown one as the service wrote it. */
export function familyName(family: string): string {
  const known = Object.entries(CATEGORIES).find(([category]) => category === family);
  return known?.[1].name ?? family;
}

/** A probability in whole per cent, never 0 or 100: a model is not certain. */
export function percent(probability: number): string {
  if (probability < 0.01) return 'under 1%';
  return probability > 0.99 ? 'over 99%' : `${Math.round(probability * 100)}%`;
}
