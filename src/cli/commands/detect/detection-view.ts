import { type Analysis, type EmbeddedAnalysis, readAnalysis } from '../../../detection/analysis.ts';
import { type Content, layersText } from '../../../detection/contents/contents.ts';
import { familyName, percent } from '../../../detection/families.ts';
import type { Inspection } from '../../../detection/inspect.ts';
import type { Levels } from '../../../detection/levels.ts';
import type { RuleHit } from '../../../detection/result.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
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
  const layout = new Layout(output.styles('stdout'), io.stdout.columns, levels, output.translation);
  const { overallRisk, riskScore, results, aiAnalysis, safeRewrite } = detection;
  const lines = [
    `${layout.label(overallRisk)}${output.translated(`score ${riskScore}`)}`,
    ...(unwrapped.length > 0 ? layout.note(judgedText(content, unwrapped)) : []),
    ...(content
      ? content.text.split(/\r?\n/).flatMap((line) => layout.block(line, layout.style.dim))
      : []),
    ...results.flatMap((hit) => ['', ...ruleLines(hit, layout)]),
    ...(aiAnalysis ? ['', ...analysisLines(aiAnalysis, layout)] : []),
  ];
  if (safeRewrite === undefined || safeRewrite === (content?.text ?? text)) return lines.join('\n');
  const rewrite = safeRewrite.split(/\r?\n/).flatMap((line) => layout.block(line));
  return [...lines, '', layout.style.bold(output.translated('safer text')), ...rewrite].join('\n');
}

function judgedText(content: Content | undefined, unwrapped: readonly Content[]): string {
  if (content) return `for the content of ${layersText(content.layers)}:`;
  const notations = new Set(unwrapped.map(({ layers }) => layersText(layers)));
  return `judged with the content of ${[...notations].join(', ')}`;
}

function ruleLines(hit: RuleHit, layout: Layout): string[] {
  const { level, ruleName, matchedText, why, unknownFields } = hit;
  const { style, heading, block, note, fields, limited } = layout;
  const facts = factsOf(hit);
  return [
    ...heading(level, ruleName),
    ...(matchedText ? block(`"${matchedText}"`) : []),
    ...(why ? block(why, style.dim) : []),
    ...(facts ? note(facts, style.dim) : []),
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

/** Maximum number of families shown, and minimum probability of each. */
const MAX_FAMILIES = 3;
const MIN_PROBABILITY = 0.1;

const MAX_LINES = 60;

/** The lines of any `ai_analysis`. */
function analysisLines(value: JsonValue, layout: Layout): string[] {
  return layout.limited(linesOf(readAnalysis(value), layout), MAX_LINES);
}

function* linesOf(analysis: Analysis, layout: Layout): Generator<string> {
  const { style, heading, block, fields, values } = layout;
  switch (analysis.kind) {
    case 'embedded':
      yield* embeddedLines('Embedded model', analysis, layout);
      return;
    case 'external':
      yield* heading(analysis.level, `External model ${analysis.model}: score ${analysis.score}`);
      for (const reason of analysis.reasons) yield* block(reason);
      yield* fields(analysis.unknownFields);
      return;
    case 'failed':
      yield* heading('failed', `External model ${analysis.model}`, style.yellow);
      yield* block(analysis.failure);
      yield* fields(analysis.unknownFields);
      if (!analysis.embedded) return;
      yield '';
      yield* embeddedLines('Embedded model, used instead', analysis.embedded, layout);
      return;
    case 'unknown':
      yield* heading('', 'AI analysis');
      yield* values(analysis.value);
  }
}

function* embeddedLines(
  title: string,
  { level, score, probability, families, words, version, unknownFields }: EmbeddedAnalysis,
  { style, heading, note, fields }: Layout,
): Generator<string> {
  yield* heading(level, `${title}: probability of risk ${percent(probability)}, score ${score}`);
  if (families.length > 0) yield* note(familyText(families));
  if (words.length > 0) {
    yield* note(`words that counted most: ${words.map(({ text }) => `"${text}"`).join(', ')}`);
  }
  yield* fields(unknownFields);
  const estimate =
    'A statistical estimate, learned from texts of which half are risky: not a judgement.';
  yield* note(version === undefined ? estimate : `${estimate} Version ${version}`, style.dim);
}

function familyText(families: EmbeddedAnalysis['families']): string {
  const named = families
    .slice(0, MAX_FAMILIES)
    .filter(({ probability }) => probability >= MIN_PROBABILITY);
  const next = families[named.length];
  const most =
    next &&
    `all ${named.length > 0 ? 'others ' : ''}${next.probability < 0.01 ? '' : 'at most '}${percent(next.probability)}`;
  const parts = named.map(({ name, probability }) => `${familyName(name)} ${percent(probability)}`);
  return `kinds of risk: ${[...parts, ...(most ? [most] : [])].join(', ')}`;
}
