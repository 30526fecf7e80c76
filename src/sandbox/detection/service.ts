import { Temporal } from 'temporal-polyfill';
import { type Category, DETECTION_VERSION, type Level } from '../../protocol/detection.ts';
import { type Assessment, type Hit, RuleEngine } from './engine.ts';
import { type AiAnalysis, analyzeWithModel, type ModelOptions } from './model.ts';
import { generalRewrite, safeRewrite } from './rewrite.ts';
import { levelOf } from './score.ts';

/** The result of a detection (D2 2.2). */
export interface DetectionResult {
  readonly text: string;
  readonly overall_risk: Level;
  /** 0 to 100. */
  readonly risk_score: number;
  readonly results: readonly RuleResult[];
  readonly ai_analysis: AiAnalysis;
  /** The text itself when there is no risk. */
  readonly safe_rewrite: string;
  /** `YYYY-MM-DDTHH:MM:SS`, in the time zone of the sandbox. */
  readonly detected_at: string;
}

/** One place where a rule hit. */
interface RuleResult {
  readonly rule_id: string;
  readonly rule_name: string;
  readonly level: Level;
  readonly category: Category;
  readonly matched_text: string;
  /** In UTF-16 code units of the text. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** What this does to a person. */
  readonly why: string;
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
   * @param now Milliseconds since 1970.
   */
  async detect(text: string, now: number): Promise<DetectionResult> {
    const assessment = this.#engine.assess(text);
    const analysis = await this.#analyze(text);
    const score = Math.max(assessment.score, analysis.status === 'ok' ? analysis.score : 0);
    return {
      text,
      overall_risk: levelOf(score),
      risk_score: score,
      results: assessment.hits.map((hit) => ruleResult(hit, text)),
      ai_analysis: analysis,
      safe_rewrite: rewrite(text, assessment, score),
      detected_at: localTime(now, this.#options.timeZone),
    };
  }

  /** Makes the first text as quick as the next. */
  preload(): void {
    this.#engine.assess('Hello. 你好。');
  }

  health(): Health {
    return { status: 'ok', rules: this.#engine.rules.length, version: DETECTION_VERSION };
  }

  async #analyze(text: string): Promise<AiAnalysis> {
    const { model } = this.#options;
    if (model) return analyzeWithModel(text, model);
    return {
      status: 'off',
      message: 'no model is configured: set MOP_AI_BASE_URL and MOP_AI_MODEL',
    };
  }
}

function ruleResult({ rule, start, end }: Hit, text: string): RuleResult {
  const { id, name, level, why } = rule.data;
  return {
    rule_id: id,
    rule_name: name,
    level,
    category: rule.category,
    matched_text: text.slice(start, end),
    start,
    end,
    why,
  };
}

function rewrite(text: string, assessment: Assessment, score: number): string {
  const onlyModel = assessment.hits.length === 0 && score > 0;
  return onlyModel ? generalRewrite(text) : safeRewrite(text, assessment);
}

function localTime(now: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' });
}
