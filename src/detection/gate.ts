import { MopError } from '../errors.ts';
import type { Level } from '../protocol/detection.ts';
import { gravity, levelOf } from './levels.ts';
import type { Detection } from './result.ts';

/** What a text must stay below to pass. */
export interface Gate {
  readonly failOn?: Level | undefined;
  readonly failScore?: number | undefined;
}

export interface Judgement {
  /** An error of code `risk` when the text does not pass. */
  readonly failure: MopError | undefined;
  /** What was not understood, and counted against the text. */
  readonly doubts: readonly string[];
}

/**
 * Judges what the service found in a text. The overall risk decides, but a rule that is graver
 * counts too: an answer that contradicts itself does not pass. Nor does a level that is not known.
 */
export function judge(detection: Detection, { failOn, failScore }: Gate): Judgement {
  const { overallRisk, riskScore, results } = detection;
  const reasons: string[] = [];
  const doubts: string[] = [];
  const levels = [overallRisk, ...results.map(({ level }) => level)];
  const unknown = new Set(levels.filter((level) => levelOf(level) === undefined));
  if (failOn !== undefined || failScore !== undefined) {
    for (const level of unknown) {
      doubts.push(`the level ${JSON.stringify(level)} is not known, so it does not pass`);
    }
  }
  if (failOn !== undefined) {
    const hit = results.find(({ level }) => gravity(level) >= gravity(failOn));
    if (gravity(overallRisk) >= gravity(failOn)) reasons.push(`--fail-on ${failOn}`);
    else if (hit) reasons.push(`--fail-on ${failOn} (the rule ${JSON.stringify(hit.ruleName)})`);
  }
  if (failScore !== undefined) {
    if (riskScore < 0) doubts.push(`the score ${riskScore} is below 0, so it counts as too high`);
    if (riskScore >= failScore || riskScore < 0) reasons.push(`--fail-score ${failScore}`);
    else if (unknown.size > 0) reasons.push(`--fail-score ${failScore} (a level is not known)`);
  }
  return { failure: reasons.length > 0 ? riskError(detection, reasons) : undefined, doubts };
}

/** The overall risk of a text, for a message. */
export function riskText({ overallRisk, riskScore }: Detection): string {
  const level = levelOf(overallRisk) ?? JSON.stringify(overallRisk);
  return `the risk is ${level} with a score of ${riskScore}`;
}

function riskError(detection: Detection, reasons: readonly string[]): MopError {
  return new MopError('risk', `${riskText(detection)}: stopped by ${reasons.join(' and ')}`, {
    hint: 'change the text (--rewrite prints a safer one), or let more pass',
  });
}
