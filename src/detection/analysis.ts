import { type JsonMember, type JsonValue, member, memberText } from '../json/value.ts';
import type { Span } from './engine/mapped-text.ts';
import { asDigits, asList, asProbability, asText, KnownFields } from './result.ts';

/** The `ai_analysis` of a result. D2 leaves its content open; these are the forms of the sandbox. */
export type Analysis = EmbeddedAnalysis | ExternalAnalysis | FailedAnalysis | UnknownAnalysis;

export interface EmbeddedAnalysis {
  readonly kind: 'embedded';
  readonly version: string | undefined;
  readonly level: string;
  /** The number as received, with all digits. */
  readonly score: string;
  /** The probability of risk, 0 to 1. */
  readonly probability: number;
  /** The most probable first. */
  readonly families: readonly Family[];
  /** The words that contributed most, the strongest first. */
  readonly words: readonly ContributingWord[];
  readonly unknownFields: readonly JsonMember[];
}

interface Family {
  readonly name: string;
  /** 0 to 1. */
  readonly probability: number;
}

export interface ContributingWord {
  readonly text: string;
  readonly span: Span;
}

interface ExternalAnalysis {
  readonly kind: 'external';
  readonly model: string;
  readonly level: string;
  readonly score: string;
  readonly reasons: readonly string[];
  readonly unknownFields: readonly JsonMember[];
}

/** The failure of an external model; the embedded one replaced it. */
interface FailedAnalysis {
  readonly kind: 'failed';
  readonly model: string;
  readonly failure: string;
  readonly embedded: EmbeddedAnalysis | undefined;
  readonly unknownFields: readonly JsonMember[];
}

interface UnknownAnalysis {
  readonly kind: 'unknown';
  readonly value: JsonValue;
}

/** Reads any `ai_analysis`. A value of an unknown form becomes an unknown analysis. */
export function readAnalysis(value: JsonValue): Analysis {
  return asEmbedded(value) ?? asExternal(value) ?? asFailed(value) ?? { kind: 'unknown', value };
}

/** The embedded estimate of an analysis, also where it replaces an external model that failed. */
export function embeddedIn(analysis: Analysis | undefined): EmbeddedAnalysis | undefined {
  if (analysis?.kind === 'embedded') return analysis;
  return analysis?.kind === 'failed' ? analysis.embedded : undefined;
}

/** The reason of an analysis with status `error`, in any form; undefined for another status. */
export function failureOf(value: JsonValue | undefined): string | undefined {
  if (memberText(value, 'status') !== 'error') return undefined;
  const error = member(value, 'error');
  const words = [memberText(error, 'code'), memberText(error, 'message')].filter(Boolean);
  return words.join(': ') || memberText(value, 'error') || 'the service gives no reason';
}

function asEmbedded(value: JsonValue): EmbeddedAnalysis | undefined {
  const fields = fieldsOf(value, 'ok', 'embedded');
  const level = fields?.take('level', asText);
  const score = fields?.take('score', asDigits);
  const probability = fields?.take('probability', asProbability);
  if (!fields || !level || !score || probability === undefined) return undefined;
  return {
    kind: 'embedded',
    version: fields.take('version', asText),
    level,
    score,
    probability,
    families: fields.take('families', asFamilies) ?? [],
    words: fields.take('words', asList(asContributingWord)) ?? [],
    unknownFields: fields.rest(),
  };
}

function asExternal(value: JsonValue): ExternalAnalysis | undefined {
  const fields = fieldsOf(value, 'ok', 'external');
  const model = fields?.take('model', asText);
  const level = fields?.take('level', asText);
  const score = fields?.take('score', asDigits);
  if (!fields || !model || !level || !score) return undefined;
  const reasons = fields.take('reasons', asList(asText)) ?? [];
  return { kind: 'external', model, level, score, reasons, unknownFields: fields.rest() };
}

function asFailed(value: JsonValue): FailedAnalysis | undefined {
  const fields = fieldsOf(value, 'error', 'external');
  const model = fields?.take('model', asText);
  const failure = fields?.take('error', asFailure);
  if (!fields || !model || !failure) return undefined;
  const embedded = fields.take('embedded', asEmbedded);
  return { kind: 'failed', model, failure, embedded, unknownFields: fields.rest() };
}

function fieldsOf(value: JsonValue, status: string, provider: string): KnownFields | undefined {
  const fields = new KnownFields(value);
  const is = (expected: string) => (given: JsonValue) => asText(given) === expected || undefined;
  const fits = fields.take('status', is(status)) && fields.take('provider', is(provider));
  return fits ? fields : undefined;
}

function asFamilies(value: JsonValue): Family[] | undefined {
  if (value.kind !== 'object') return undefined;
  const families = value.members.map(({ name, value }) => {
    const probability = asProbability(value);
    return probability === undefined ? undefined : { name, probability };
  });
  return families.every((family) => family !== undefined)
    ? families.sort((a, b) => b.probability - a.probability)
    : undefined;
}

function asContributingWord(value: JsonValue): ContributingWord | undefined {
  const fields = new KnownFields(value);
  const text = fields.take('text', asText);
  const span = fields.takeSpan();
  const weight = fields.take('weight', asDigits);
  const isComplete = weight !== undefined && fields.rest().length === 0;
  return text !== undefined && span && isComplete ? { text, span } : undefined;
}

function asFailure(value: JsonValue): string | undefined {
  const fields = new KnownFields(value);
  const [code, message] = [fields.take('code', asText), fields.take('message', asText)];
  return code && message && fields.rest().length === 0 ? `${code}: ${message}` : undefined;
}
