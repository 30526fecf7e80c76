/**
 * A result of the service. What its document does not promise may be absent (D2 2.2).
 *
 * @typedef {{ rule_name: string, level: string, category?: string, matched_text?: string,
 *   start?: number, end?: number, why?: string }} Hit
 * @typedef {{ status: 'off' }
 *   | { status: 'ok', model: string, level: string, score: number, reasons?: readonly string[] }
 *   | { status: 'error', model: string, error: { message: string } }} Analysis
 * @typedef {{ text: string, overall_risk: string, risk_score: number, results: readonly Hit[],
 *   ai_analysis?: Analysis, safe_rewrite?: string }} Result
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

/** @type {(...checks: readonly Check[]) => Check} */
const oneOf =
  (...checks) =>
  (value) =>
    checks.some((check) => check(value));

/** @type {(members: Readonly<Record<string, Check>>) => Check} */
const objectOf = (members) => (value) => {
  if (typeof value !== 'object' || value === null) return false;
  const given = /** @type {Record<string, unknown>} */ (value);
  return Object.entries(members).every(([name, check]) => check(given[name]));
};

const isHit = objectOf({
  rule_name: isName,
  level: isName,
  category: optional(isText),
  matched_text: optional(isText),
  start: optional(isNumber),
  end: optional(isNumber),
  why: optional(isText),
});

// A verdict without its level or score must not pass for a mild one.
const isAnalysis = oneOf(
  objectOf({ status: (value) => value === 'off' }),
  objectOf({
    status: (value) => value === 'ok',
    model: isText,
    level: isName,
    score: isScore,
    reasons: optional(listOf(isText)),
  }),
  objectOf({
    status: (value) => value === 'error',
    model: isText,
    error: objectOf({ message: isText }),
  }),
);

/** Whether an answer is a result that can be shown, down to its last part. */
export const isResult = /** @type {(answer: unknown) => answer is Result} */ (
  objectOf({
    text: isText,
    overall_risk: isName,
    risk_score: isScore,
    results: listOf(isHit),
    ai_analysis: optional(isAnalysis),
    safe_rewrite: optional(isText),
  })
);
