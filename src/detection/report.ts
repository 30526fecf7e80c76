import { append } from '../any-length.ts';
import type { MopError } from '../errors.ts';
import { type ContributingWord, embeddedIn, readAnalysis } from './analysis.ts';
import type { Content } from './contents/contents.ts';
import { familyName, percent } from './families.ts';
import type { Gate } from './gate.ts';
import type { Levels } from './levels.ts';
import type { Detection, RuleHit } from './result.ts';

/** One text, a text in a JSON document, a text on each line, or a text in each JSON line. */
export type InputForm = 'whole' | 'document' | 'lines' | 'records';

export interface ReportOptions {
  /** The source of the texts: a relative address, or a word such as `stdin`. */
  readonly source: string;
  readonly inputForm: InputForm;
  readonly gate: Gate;
  /** Whether the report may quote the texts. */
  readonly includeText: boolean;
}

export type Examined =
  | {
      /** The line, from 1. */
      readonly line: number;
      readonly text: string;
      readonly detection: Detection;
      /** The text inside {@link text} that the detection is for. */
      readonly content?: Content | undefined;
    }
  | { readonly line: number; readonly error: MopError };

/** Receives texts one by one, and keeps only the parts that it prints. */
export interface Report {
  add(examined: Examined): void;
  /** The report in chunks: for large batches it exceeds the longest string. */
  content(): Iterable<string>;
}

/** The failure, without the message of the service: it may quote the text. */
export function errorText(error: MopError, includeText: boolean): string {
  const { httpStatus } = error.details;
  if (includeText || httpStatus === undefined) return error.message;
  return `the service answered HTTP ${httpStatus}`;
}

/** A rule that matched a text, or the overall risk if no rule explains it. */
export interface Finding extends Pick<RuleHit, 'ruleName' | 'level' | 'ruleId' | 'why'> {
  readonly matchedText?: RuleHit['matchedText'];
  readonly span?: RuleHit['span'];
  /** The description of this kind of finding, without words of the text. */
  readonly about?: string | undefined;
  readonly words?: readonly ContributingWord[];
}

/**
 * The rules, and the overall risk if it is more severe than every rule: then the model decided. The
 * reasons of an external model quote the text: `includeText` allows that.
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
