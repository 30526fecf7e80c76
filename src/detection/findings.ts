import { append } from '../any-length.ts';
import { type ContributingWord, embeddedIn, readAnalysis } from './analysis.ts';
import { familyName, percent } from './families.ts';
import type { Levels } from './levels.ts';
import type { Detection, RuleHit } from './result.ts';

/** A rule that matched a text, or the overall risk if no rule explains it. */
export interface Finding extends Pick<RuleHit, 'ruleName' | 'level' | 'ruleId' | 'why'> {
  readonly matchedText?: RuleHit['matchedText'];
  readonly span?: RuleHit['span'];
  /** The description of this kind of finding, without words of the text. */
  readonly about?: string | undefined;
  /** The words of the text that counted most for the model. */
  readonly words?: readonly ContributingWord[];
}

/**
 * The rules, and the overall risk if it is more severe than every rule: then the model decided.
 *
 * @param includeText Whether a finding may quote the text. The reasons of an external model do.
 */
export function findingsIn(
  detection: Detection,
  includeText: boolean,
  levels: Levels,
): readonly Finding[] {
  const { results, overallRisk } = detection;
  const risk = levels.rank(overallRisk);
  const isExplained = results.some(({ level }) => levels.rank(level) >= risk);
  if (isExplained || risk === 0) return results;
  return [...results, overallFinding(detection, includeText)];
}

function overallFinding(
  { overallRisk, riskScore, aiAnalysis }: Detection,
  includeText: boolean,
): Finding {
  const analysis = aiAnalysis && readAnalysis(aiAnalysis);
  const embedded = embeddedIn(analysis);
  const why = [`the service rates the whole text with a score of ${riskScore}`];
  if (embedded) {
    const { probability, families } = embedded;
    const [family] = families;
    const kind =
      family && `, most likely ${familyName(family.name)} (${percent(family.probability)})`;
    why.push(
      `its embedded model estimates the probability of risk at ${percent(probability)}${kind ?? ''}`,
    );
  } else if (analysis?.kind === 'external') {
    const { model, level, score, reasons } = analysis;
    why.push(`the model ${model} rates it ${level} with a score of ${score}`);
    if (includeText) append(why, reasons);
  }
  return {
    ruleId: 'overall_risk',
    ruleName: 'Overall risk',
    level: overallRisk,
    why: why.join('; '),
    about: 'The text as a whole is riskier than the rules that matched.',
    words: includeText ? (embedded?.words ?? []) : [],
  };
}
