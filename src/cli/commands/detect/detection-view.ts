import { type Content, layersText } from '../../../detection/contents/contents.ts';
import { familyName } from '../../../detection/families.ts';
import type { Inspection } from '../../../detection/inspect.ts';
import type { Levels } from '../../../detection/levels.ts';
import type { RuleHit } from '../../../detection/result.ts';
import type { Context } from '../../context/context.ts';
import { analysisLines } from './analysis-view.ts';
import { Layout } from './layout.ts';

/** Maximum number of lines for the unknown fields of a rule. */
const MAX_FIELD_LINES = 20;

/** The findings in a text, for a person. Control characters are made visible. */
export async function view(
  { detection, content, unwrapped }: Inspection,
  text: string,
  levels: Levels,
  { io, output }: Context,
): Promise<string> {
  const layout = new Layout(output.styles('stdout'), io.stdout.columns, levels);
  const { overallRisk, riskScore, results, aiAnalysis, safeRewrite } = detection;
  const lines = [
    `${layout.label(overallRisk)}score ${riskScore}`,
    ...(unwrapped.length > 0 ? layout.block(judgedText(content, unwrapped)) : []),
    ...(content
      ? content.text.split(/\r?\n/).flatMap((line) => layout.block(line, layout.style.dim))
      : []),
    ...results.flatMap((hit) => ['', ...ruleLines(hit, layout)]),
    ...(aiAnalysis ? ['', ...analysisLines(aiAnalysis, layout)] : []),
  ];
  if (safeRewrite === undefined || safeRewrite === (content?.text ?? text)) return lines.join('\n');
  const rewrite = safeRewrite.split(/\r?\n/).flatMap((line) => layout.block(line));
  return [...lines, '', layout.style.bold('safer text'), ...rewrite].join('\n');
}

function judgedText(content: Content | undefined, unwrapped: readonly Content[]): string {
  if (content) return `for the content of ${layersText(content.layers)}:`;
  const notations = new Set(unwrapped.map(({ layers }) => layersText(layers)));
  return `judged with the content of ${[...notations].join(', ')}`;
}

function ruleLines(hit: RuleHit, layout: Layout): string[] {
  const { level, ruleName, matchedText, why, unknownFields } = hit;
  const { style, heading, block, fields, limited } = layout;
  const facts = factsOf(hit);
  return [
    ...heading(level, ruleName),
    ...(matchedText ? block(`"${matchedText}"`) : []),
    ...(why ? block(why, style.dim) : []),
    ...(facts ? block(facts, style.dim) : []),
    ...limited(fields(unknownFields), MAX_FIELD_LINES),
  ];
}

function factsOf({ category, ruleId, span }: RuleHit): string {
  const facts = [
    category && familyName(category),
    ruleId && `rule ${ruleId}`,
    span && `characters ${span.start} to ${span.end}`,
  ];
  return facts.filter(Boolean).join(', ');
}
