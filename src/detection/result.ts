import { AnswerFields, contractViolation } from '../json/fields.ts';
import { type JsonValue, member, memberText } from '../json/value.ts';
import { DETECTION_CONTRACT } from './answer.ts';

/** A rule that a text matched. D2 shows only the name and the level. */
export interface RuleHit {
  readonly ruleName: string;
  /** As the service sent it. */
  readonly level: string;
  readonly ruleId: string | undefined;
  readonly why: string | undefined;
  readonly matchedText: string | undefined;
  /** The place of the match in the text, in UTF-16 code units; `end` is exclusive. */
  readonly span: { readonly start: number; readonly end: number } | undefined;
}

/** The result of a detection (D2 2.2). */
export interface Detection {
  /** As the service sent it. */
  readonly overallRisk: string;
  readonly riskScore: number;
  readonly results: readonly RuleHit[];
  readonly aiAnalysis: JsonValue | undefined;
  readonly safeRewrite: string | undefined;
  /** The whole answer, with its digits and order. */
  readonly json: JsonValue;
}

/**
 * Reads an answer of /api/detect (D2 2.2).
 *
 * @throws {MopError} `api`, naming the field, when it violates D2.
 */
export function readDetection(json: JsonValue): Detection {
  const fields = new AnswerFields(json, DETECTION_CONTRACT);
  const riskScore = Number(fields.required('risk_score', 'number').text);
  if (!Number.isFinite(riskScore)) throw fields.violation('risk_score', 'is not finite');
  return {
    overallRisk: fields.required('overall_risk', 'string').value,
    riskScore,
    results: fields.required('results', 'array').items.map(readHit),
    aiAnalysis: fields.optional('ai_analysis', 'object'),
    safeRewrite: fields.optional('safe_rewrite', 'string')?.value,
    json,
  };
}

function readHit(json: JsonValue, index: number): RuleHit {
  const path = `results[${index}]`;
  if (json.kind !== 'object') throw contractViolation(DETECTION_CONTRACT, path, 'is no object');
  const fields = new AnswerFields(json, DETECTION_CONTRACT, `${path}.`);
  return {
    ruleName: fields.required('rule_name', 'string').value,
    level: fields.required('level', 'string').value,
    ruleId: textOf(json, 'rule_id'),
    why: textOf(json, 'why'),
    matchedText: textOf(json, 'matched_text'),
    span: spanOf(json),
  };
}

/** A field that D2 does not show: ignored unless it is a text. */
function textOf(json: JsonValue | undefined, name: string): string | undefined {
  return memberText(json, name) || undefined;
}

function spanOf(json: JsonValue): RuleHit['span'] {
  const [start, end] = ['start', 'end'].map((name) => {
    const value = member(json, name);
    return value?.kind === 'number' && /^\d{1,9}$/.test(value.text) ? Number(value.text) : -1;
  });
  if (start === undefined || end === undefined || start < 0 || end < start) return undefined;
  return { start, end };
}

/**
 * The analysis of the model level (D2 1): a status, such as `ok`, `off` or `error`, and a summary.
 * D2 leaves its content open; this reads the sandbox's. Undefined when the answer has none.
 */
export function modelAnalysis({ aiAnalysis }: Detection) {
  if (!aiAnalysis) return undefined;
  const status = textOf(aiAnalysis, 'status') ?? 'unknown';
  const error = member(aiAnalysis, 'error');
  const reasons = member(aiAnalysis, 'reasons');
  const items = reasons?.kind === 'array' ? reasons.items : [];
  const score = member(aiAnalysis, 'score');
  const words = [
    textOf(aiAnalysis, 'model'),
    textOf(aiAnalysis, 'level'),
    score?.kind === 'number' ? score.text : undefined,
    textOf(aiAnalysis, 'message'),
    textOf(error, 'code'),
    textOf(error, 'message'),
    ...items.map((item) => (item.kind === 'string' ? item.value : undefined)),
  ];
  return { status, summary: words.filter(Boolean).join(' · ') };
}
