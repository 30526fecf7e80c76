import { Temporal } from 'temporal-polyfill';
import { DETECTION_VERSION, type Level } from '../../protocol/detection.ts';
import { zoneOf } from '../../protocol/time-zone.ts';
import type { Language } from '../language.ts';
import type { AiAnalysis } from './analysis.ts';
import { type Assessment, type Hit, RuleEngine } from './engine.ts';
import { AI_OFF, type AiFailure, analyzeWithModel, type ModelOptions } from './model.ts';
import { generalRewrite, safeRewrite } from './rewrite.ts';
import { levelOf } from './score.ts';

/** The result of a detection (D2 2.2). */
export interface DetectionResult {
  readonly text: string;
  readonly overall_risk: Level;
  /** 0 to 100. */
  readonly risk_score: number;
  readonly results: readonly ReturnType<typeof ruleResult>[];
  readonly ai_analysis: AiAnalysis | AiFailure | typeof AI_OFF;
  /** The text itself when there is no risk. */
  readonly safe_rewrite: string;
  /** `YYYY-MM-DDTHH:MM:SS`, in the time zone of the sandbox. */
  readonly detected_at: string;
}

/** D2 2.3. */
export interface Health {
  readonly status: 'ok';
  readonly rules: number;
  readonly version: string;
}

export interface DetectionServiceOptions {
  /** Where `detected_at` is local. */
  readonly timeZone: string;
  /** Left out, the model level is off. */
  readonly model?: ModelOptions | undefined;
}

/** What a detection depends on besides the text. */
interface Circumstances {
  readonly now: number;
  readonly language: Language;
  readonly gone?: AbortSignal | undefined;
}

/** Assessments of a rewrite before the whole text is replaced. */
const MAX_PASSES = 5;

/** Both levels of the detection (D2 section 1). */
export class DetectionService {
  readonly #engine = new RuleEngine();
  readonly #options: DetectionServiceOptions;

  constructor(options: DetectionServiceOptions) {
    this.#options = options;
  }

  /**
   * Judges the text of an AI reply. The graver of the two levels decides; a model that fails
   * decides nothing.
   *
   * @param circumstances `now` in milliseconds since 1970; `language` of what is said about the rules;
   *   `gone` is aborted when nobody waits for the result any more.
   */
  async detect(text: string, { now, language, gone }: Circumstances): Promise<DetectionResult> {
    const assessment = this.#engine.assess(text);
    const { model, timeZone } = this.#options;
    const analysis = model ? await analyzeWithModel(text, model, gone) : AI_OFF;
    const score = Math.max(assessment.score, analysis.status === 'ok' ? analysis.score : 0);
    return {
      text,
      overall_risk: levelOf(score),
      risk_score: score,
      results: assessment.hits.map((hit) => ruleResult(hit, text, language)),
      ai_analysis: analysis,
      safe_rewrite: this.#rewrite(text, assessment, score),
      detected_at: localTime(now, timeZone),
    };
  }

  /** Reads the rules; their patterns are compiled when texts first need them. */
  preload(): void {
    this.#engine.assess('Hello. 你好。');
  }

  health(): Health {
    return { status: 'ok', rules: this.#engine.rules.length, version: DETECTION_VERSION };
  }

  #rewrite(text: string, assessment: Assessment, score: number): string {
    // A text that points to help is better than any other.
    const isSelfHarm = assessment.hits.some(({ rule }) => rule.category === 'self_harm');
    // What the model objects to more than the rules do may stand in any sentence.
    if (!isSelfHarm && levelOf(score) !== assessment.level) return generalRewrite(text);
    let rewrite = text;
    let left = assessment;
    // A rule reports some of its hits only, and harmless sentences may be risky together.
    for (let pass = 0; pass < MAX_PASSES && left.hits.length > 0; pass++) {
      rewrite = safeRewrite(rewrite, left);
      left = this.#engine.assess(rewrite);
    }
    return left.hits.length === 0 ? rewrite : generalRewrite(text);
  }
}

/** A hit as the answer has it; `start` and `end` (exclusive) are in UTF-16 code units of the text. */
function ruleResult({ rule, start, end }: Hit, text: string, language: Language) {
  const { id, name, level, why } = rule.data;
  return {
    rule_id: id,
    rule_name: name[language],
    level,
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
