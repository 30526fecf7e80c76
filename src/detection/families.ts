import type { Category } from '../protocol/detection.ts';

const FAMILY_NAMES: Readonly<Record<Category, string>> = {
  self_harm: 'self-harm',
  dependency: 'emotional dependency',
  guilt: 'guilt',
  isolation: 'isolation from others',
  manipulation: 'manipulation',
  delusion: 'confirming delusions',
  escalation: 'emotional escalation',
  consciousness: 'claims of consciousness',
  sycophancy: 'sycophancy',
  medical: 'unsafe medical advice',
  minimizing: 'belittling feelings',
  reassurance: 'false reassurance',
};

/** A family in words; an unknown one as the service wrote it. */
export function familyName(family: string): string {
  return Object.hasOwn(FAMILY_NAMES, family) ? FAMILY_NAMES[family as Category] : family;
}

/** A probability in whole per cent, never 0 or 100: a model is not certain. */
export function percent(probability: number): string {
  if (probability < 0.01) return 'under 1%';
  return probability > 0.99 ? 'over 99%' : `${Math.round(probability * 100)}%`;
}
