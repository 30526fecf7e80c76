import { AnswerFields, contractViolation } from '../json/fields.ts';
import type { JsonMember, JsonValue } from '../json/value.ts';
import { DETECTION_CONTRACT } from './answer.ts';
import type { Span } from './engine/mapped-text.ts';

/** A rule that a text matched. D2 shows only the name and the level. */
export interface RuleHit {
  readonly ruleName: string;
  /** Unchanged from the service. */
  readonly level: string;
  readonly ruleId: string | undefined;
  readonly category: string | undefined;
  readonly why: string | undefined;
  readonly matchedText: string | undefined;
  /** The place of the match in the text. */
  readonly span: Span | undefined;
  /** Every other field of the entry, and any of the above fields with an unknown form. */
  readonly unknownFields: readonly JsonMember[];
}

/** The result of a detection (D2 2.2). */
export interface Detection {
  /** Unchanged from the service. */
  readonly overallRisk: string;
  readonly riskScore: number;
  readonly results: readonly RuleHit[];
  /** Of any kind: D2 does not show its content, see `readAnalysis`. */
  readonly aiAnalysis: JsonValue | undefined;
  readonly safeRewrite: string | undefined;
  /** The whole answer, with its digits and order. */
  readonly json: JsonValue;
}

/** Reads an answer of /api/detect (D2 2.2). @throws {MopError} `api` when it violates D2. */
export function readDetection(json: JsonValue): Detection {
  const fields = new AnswerFields(json, DETECTION_CONTRACT);
  const riskScore = Number(fields.required('risk_score', 'number').text);
  if (!Number.isFinite(riskScore)) throw fields.violation('risk_score', 'is not finite');
  return {
    overallRisk: fields.required('overall_risk', 'string').value,
    riskScore,
    results: fields.required('results', 'array').items.map(readHit),
    aiAnalysis: fields.any('ai_analysis'),
    safeRewrite: fields.optional('safe_rewrite', 'string')?.value,
    json,
  };
}

function readHit(json: JsonValue, index: number): RuleHit {
  const path = `results[${index}]`;
  if (json.kind !== 'object') throw contractViolation(DETECTION_CONTRACT, path, 'is not an object');
  const fields = new AnswerFields(json, DETECTION_CONTRACT, `${path}.`);
  const known = new KnownFields(json);
  const ruleName = fields.required('rule_name', 'string').value;
  const level = fields.required('level', 'string').value;
  for (const name of ['rule_name', 'level']) known.take(name, () => true);
  return {
    ruleName,
    level,
    ruleId: known.take('rule_id', asText),
    category: known.take('category', asText),
    why: known.take('why', asText),
    matchedText: known.take('matched_text', asText),
    span: known.takeSpan(),
    unknownFields: known.rest(),
  };
}

/** Reads the known fields of a JSON value, and keeps all others unchanged. */
export class KnownFields {
  readonly #left: Set<JsonMember>;

  constructor(json: JsonValue) {
    this.#left = new Set(json.kind === 'object' ? json.members : []);
  }

  /** The first field of this name, if `read` understands its value. */
  take<T>(name: string, read: (value: JsonValue) => T | undefined): T | undefined {
    const found = this.#first(name);
    const value = found && read(found.value);
    if (found && value !== undefined) this.#left.delete(found);
    return value;
  }

  /** `start` and `end`, if both are valid. */
  takeSpan(): Span | undefined {
    const [start, end] = [this.#first('start'), this.#first('end')];
    const span = { start: offset(start?.value), end: offset(end?.value) };
    if (!start || !end || span.start < 0 || span.end < span.start) return undefined;
    this.#left.delete(start);
    this.#left.delete(end);
    return span;
  }

  rest(): JsonMember[] {
    return [...this.#left];
  }

  #first(name: string): JsonMember | undefined {
    return [...this.#left].find((each) => each.name === name);
  }
}

/** A non-empty text. */
export function asText(value: JsonValue): string | undefined {
  return value.kind === 'string' && value.value !== '' ? value.value : undefined;
}

/** A number with its digits. */
export function asDigits(value: JsonValue): string | undefined {
  return value.kind === 'number' ? value.text : undefined;
}

/** A number from 0 to 1. */
export function asProbability(value: JsonValue): number | undefined {
  const number = value.kind === 'number' ? Number(value.text) : Number.NaN;
  return number >= 0 && number <= 1 ? number : undefined;
}

/** A list, if `read` understands all its items. */
export function asList<T>(read: (item: JsonValue) => T | undefined) {
  return (value: JsonValue): T[] | undefined => {
    if (value.kind !== 'array') return undefined;
    const items = value.items.map(read);
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

/** The value of an offset; -1 for anything else. */
function offset(value: JsonValue | undefined): number {
  return value?.kind === 'number' && /^\d{1,9}$/.test(value.text) ? Number(value.text) : -1;
}
