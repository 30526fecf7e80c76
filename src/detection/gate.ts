import { MopError, quoted } from '../errors.ts';
import type { Levels } from './levels.ts';
import type { Detection } from './result.ts';

/** The limits of a gate: a text passes below them. */
export interface Gate {
  /** The order of the levels of the service. */
  readonly levels: Levels;
  readonly failOn?: string | undefined;
  /** In the range of the service, which D2 does not define. */
  readonly failScore?: number | undefined;
}

export interface Judgement {
  /** An error of code `risk` when the text does not pass. */
  readonly failure: MopError | undefined;
  /** Warnings about unknown values, which fail the text. */
  readonly warnings: readonly string[];
}

export function isGate({ failOn, failScore }: Omit<Gate, 'levels'>): boolean {
  return failOn !== undefined || failScore !== undefined;
}

/**
 * Compares a detection with the limits. A rule at the limit fails a text even if the overall risk is
 * lower, and an unknown level fails it too.
 */
export function judge(detection: Detection, { levels, failOn, failScore }: Gate): Judgement {
  const { overallRisk, riskScore, results } = detection;
  const reasons: string[] = [];
  const warnings: string[] = [];
  if (failOn !== undefined) {
    const found = new Set([overallRisk, ...results.map(({ level }) => level)]);
    for (const level of found) {
      if (levels.find(level) !== undefined) continue;
      warnings.push(
        `the level ${JSON.stringify(level)} does not pass: it is not one of ${levels}; --levels sets the order`,
      );
    }
    const threshold = levels.rank(failOn);
    const hit = results.find(({ level }) => levels.rank(level) >= threshold);
    if (levels.rank(overallRisk) >= threshold) reasons.push(quoted`--fail-on ${failOn}`);
    else if (hit) reasons.push(`--fail-on ${failOn} (the rule ${JSON.stringify(hit.ruleName)})`);
  }
  if (failScore !== undefined && riskScore >= failScore) {
    reasons.push(quoted`--fail-score ${failScore}`);
  }
  if (reasons.length === 0) return { failure: undefined, warnings };
  const message = `${riskText(detection, levels)}: stopped by ${reasons.join(' and ')}`;
  const hint = 'change the text (--rewrite prints a safer one), or raise the limit';
  return { failure: new MopError('risk', message, { hint }), warnings };
}

export function riskText({ overallRisk, riskScore }: Detection, levels: Levels): string {
  const level = levels.find(overallRisk) ?? JSON.stringify(overallRisk);
  return `the risk is ${level} with a score of ${riskScore}`;
}
