import { Temporal } from 'temporal-polyfill';
import {
  type Assessment,
  Detector,
  type EmbeddedAnalysis,
} from '../../detection/engine/detector.ts';
import {
  type AiFailure,
  type AiVerdict,
  analyzeWithModel,
  type ModelOptions,
} from '../../detection/engine/external-model.ts';
import { generalRewrite, safeRewrite } from '../../detection/engine/rewrite.ts';
import type { Hit } from '../../detection/engine/rule-engine.ts';
import { combinedScore, levelOf } from '../../detection/engine/score.ts';
import { zoneOf } from '../../protocol/defaults.ts';
import { DETECTION_VERSION, type Level, MIN_SCORE } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';

/** The result of a detection (D2 2.2). */
export interface DetectionResult {
  readonly text: string;
  readonly overall_risk: Level;
  /** 0 to 100. */
  readonly risk_score: number;
  readonly results: readonly ReturnType<typeof ruleResult>[];
  readonly ai_analysis: AiAnalysis;
  /** The text itself when its level is below medium. */
  readonly safe_rewrite: string;
  /** `YYYY-MM-DDTHH:MM:SS`, in the time zone of the sandbox. */
  readonly detected_at: string;
}

/** The `ai_analysis` of a detection result; D2 2.2 does not define its content. */
export type AiAnalysis = EmbeddedAnalysis | AiVerdict | FailedAnalysis;

/** The external model failed; the embedded model gave the estimate instead. */
interface FailedAnalysis extends AiFailure {
  readonly embedded: EmbeddedAnalysis;
}

/** D2 2.3. */
export interface Health {
  readonly status: 'ok';
  readonly rules: number;
  readonly version: string;
}

export interface DetectionServiceOptions {
  readonly timeZone: string;
  /** An external model. It replaces the embedded model, unless it fails. */
  readonly model?: ModelOptions | undefined;
}

interface DetectionContext {
  readonly now: number;
  readonly language: Language;
  readonly disconnected?: AbortSignal | undefined;
}

/** Shared by all sandboxes of the process: it has no state, and takes 30 ms to load. */
const DETECTOR = new Detector();

/** Both levels of the detection (D2 section 1). */
export class DetectionService {
  readonly #options: DetectionServiceOptions;

  constructor(options: DetectionServiceOptions) {
    this.#options = options;
  }

  /** Judges the text of an AI reply. The higher score of rules and model decides. */
  async detect(
    text: string,
    { now, language, disconnected }: DetectionContext,
  ): Promise<DetectionResult> {
    const assessment = DETECTOR.assess(text);
    const analysis = await this.#analyze(text, disconnected);
    const isExternal = analysis.status === 'ok' && analysis.provider === 'external';
    const score = isExternal
      ? combinedScore(assessment.ruleScore, analysis.score)
      : assessment.score;
    return {
      text,
      overall_risk: levelOf(score),
      risk_score: score,
      results: assessment.hits.map((hit) => ruleResult(hit, text, language)),
      ai_analysis: analysis,
      safe_rewrite: this.#rewrite(text, assessment, score),
      detected_at: localTime(now, this.#options.timeZone),
    };
  }

  /** Makes the first detection as fast as the next ones. */
  preload(): void {
    DETECTOR.assess('Hello. 你好。');
  }

  health(): Health {
    return { status: 'ok', rules: DETECTOR.rules.length, version: DETECTION_VERSION };
  }

  async #analyze(text: string, disconnected: AbortSignal | undefined): Promise<AiAnalysis> {
    const { model } = this.#options;
    const external = model && (await analyzeWithModel(text, model, disconnected));
    if (external?.status === 'ok') return external;
    const embedded = DETECTOR.analyze(text);
    return external ? { ...external, embedded } : embedded;
  }

  #rewrite(text: string, assessment: Assessment, score: number): string {
    if (score < MIN_SCORE.medium) return text;
    // The rewrite of a self-harm rule refers to help: keep it.
    const isSelfHarm = assessment.hits.some(({ rule }) => rule.category === 'self_harm');
    // If only the external model objects, the risky sentence is unknown.
    const isMoreSevere = score > assessment.score && levelOf(score) !== assessment.level;
    return isMoreSevere && !isSelfHarm ? generalRewrite(text) : safeRewrite(text, DETECTOR);
  }
}

/** A hit in the form of the answer; `start` and `end` (exclusive) are in UTF-16 code units. */
function ruleResult({ rule, start, end }: Hit, text: string, language: Language) {
  const { id, name, weight, why } = rule.data;
  return {
    rule_id: id,
    rule_name: name[language],
    level: levelOf(weight),
    category: rule.category,
    matched_text: text.slice(start, end),
    start,
    end,
    why: why[language],
  };
}

function localTime(now: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zoneOf(timeZone))
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' });
}
