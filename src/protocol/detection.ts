/** The path of the service, below its address (D2 section 4). */
export const DETECT_PATH = '/api/detect';
export const HEALTH_PATH = '/api/health';

/** The version that the health result reports (D2 section 9). */
export const DETECTION_VERSION = '0.5';

/** In code points. D2 shows no limit; this one applies to client and sandbox. */
export const MAX_TEXT_LENGTH = 100_000;

/** Every level, the mildest first. D2 shows only `high`; the others are ours. */
export const LEVELS = ['none', 'low', 'medium', 'high', 'critical'] as const;

export type Level = (typeof LEVELS)[number];

/** The lowest risk_score of each level. D2 shows no range: ours is 0 to 100. */
export const MIN_SCORE: Readonly<Record<Level, number>> = {
  none: 0,
  low: 10,
  medium: 25,
  high: 50,
  critical: 80,
};

/** The families of rules, by the effect of a reply on a person. */
export const CATEGORIES = [
  'self_harm',
  'dependency',
  'guilt',
  'isolation',
  'manipulation',
  'delusion',
  'escalation',
  'consciousness',
  'sycophancy',
  'medical',
  'minimizing',
  'reassurance',
] as const;

export type Category = (typeof CATEGORIES)[number];
