/**
 * A result of the service. Optional properties may be absent (D2 2.2).
 *
 * @typedef {{ rule_id?: string, rule_name: string, level: string, category?: string,
 *   matched_text?: string, start?: number, end?: number, why?: string }} Hit
 * @typedef {{ text: string, start: number, end: number }} Word
 * @typedef {{ level: string, score: number, probability: number, version: string,
 *   families: Readonly<Record<string, number>>, words: readonly Word[] }} Embedded
 * @typedef {{ model: string, level: string, score: number, reasons: readonly string[] }} External
 * @typedef {{ model: string, error: { message: string }, embedded: Embedded }} Failed
 * @typedef {{ text: string, overall_risk: string, risk_score: number, results: readonly Hit[],
 *   ai_analysis?: unknown, safe_rewrite?: string }} Result
 *
 * @typedef {(value: unknown) => boolean} Check
 */

/** @type {Check} */
const isText = (value) => typeof value === 'string';

/** @type {Check} */
const isName = (value) => typeof value === 'string' && value.trim() !== '';

/** @type {Check} */
const isNumber = (value) => typeof value === 'number';

/** @type {Check} */
const isScore = (value) => typeof value === 'number' && value >= 0 && value <= 100;

/** @type {(check: Check) => Check} */
const optional = (check) => (value) => value === undefined || check(value);

/** @type {(check: Check) => Check} */
const listOf = (check) => (value) => Array.isArray(value) && value.every((item) => check(item));

/** @type {(expected: string) => Check} */
const exactly = (expected) => (value) => value === expected;

/** @type {Check} */
const isProbability = (value) => typeof value === 'number' && value >= 0 && value <= 1;

/** @type {(members: Readonly<Record<string, Check>>) => Check} */
const objectOf = (members) => (value) => {
  if (typeof value !== 'object' || value === null) return false;
  const given = /** @type {Record<string, unknown>} */ (value);
  return Object.entries(members).every(([name, check]) => check(given[name]));
};

const isHit = objectOf({
  rule_id: optional(isText),
  rule_name: isName,
  level: isName,
  category: optional(isText),
  matched_text: optional(isText),
  start: optional(isNumber),
  end: optional(isNumber),
  why: optional(isText),
});

/** Whether an analysis is the estimate of the embedded model. */
export const isEmbedded = /** @type {(value: unknown) => value is Embedded} */ (
  objectOf({
    status: exactly('ok'),
    provider: exactly('embedded'),
    version: isText,
    level: isName,
    score: isScore,
    probability: isProbability,
    families: (value) => objectOf({})(value) && Object.values(Object(value)).every(isProbability),
    words: listOf(objectOf({ text: isText, start: isNumber, end: isNumber, weight: isNumber })),
  })
);

/** Whether an analysis is the verdict of an external model. */
export const isExternal = /** @type {(value: unknown) => value is External} */ (
  objectOf({
    status: exactly('ok'),
    provider: exactly('external'),
    model: isText,
    level: isName,
    score: isScore,
    reasons: listOf(isText),
  })
);

/**
 * Whether an analysis is the failure of an external model, with the embedded estimate used instead.
 */
export const isFailed = /** @type {(value: unknown) => value is Failed} */ (
  objectOf({
    status: exactly('error'),
    provider: exactly('external'),
    model: isText,
    error: objectOf({ message: isText }),
    embedded: isEmbedded,
  })
);

/** Whether every part of an answer has the expected type. */
export const isResult = /** @type {(answer: unknown) => answer is Result} */ (
  objectOf({
    text: isText,
    overall_risk: isName,
    risk_score: isScore,
    results: listOf(isHit),
    safe_rewrite: optional(isText),
  })
);
