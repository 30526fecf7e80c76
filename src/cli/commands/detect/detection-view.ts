import type { ChalkInstance } from 'chalk';
import { wrapAnsi } from 'fast-wrap-ansi';
import { levelOf } from '../../../detection/levels.ts';
import { type Detection, modelAnalysis, type RuleHit } from '../../../detection/result.ts';
import type { Level } from '../../../protocol/detection.ts';
import type { Context } from '../../context/context.ts';
import { type Io, isUtf8Locale } from '../../context/io.ts';
import { visibleLine } from '../../context/visible-text.ts';

const BAR_CELLS = 20;
const INDENT = 10;
const MIN_WIDTH = 20;

/** What the service found in a text, for a person. Nothing of it draws on the terminal by itself. */
export async function view(
  detection: Detection,
  text: string,
  { io, output }: Context,
): Promise<string> {
  const style = await output.styles('stdout');
  const width = Math.max(io.stdout.columns || 80, INDENT + MIN_WIDTH);
  const block = (words: string, paint: (line: string) => string = String): string[] =>
    wrapped(words, width - INDENT).map((line) => ' '.repeat(INDENT) + paint(line));
  const { overallRisk, riskScore, results, safeRewrite } = detection;
  const lines = [
    `${labelled(overallRisk, style)}${scoreBar(riskScore, io.env)} ${riskScore}`,
    ...results.flatMap((hit) => ['', ...ruleLines(hit, style, block)]),
    ...modelLines(detection, style, width),
  ];
  if (safeRewrite === undefined || safeRewrite === text) return lines.join('\n');
  const rewrite = safeRewrite.split(/\r?\n/).flatMap((line) => block(line));
  return [...lines, '', style.bold('safer text'), ...rewrite].join('\n');
}

function ruleLines(
  { level, ruleName, matchedText, why }: RuleHit,
  style: ChalkInstance,
  block: (words: string, paint?: (line: string) => string) => string[],
): string[] {
  const [first = '', ...rest] = block(ruleName, style.bold);
  return [
    labelled(level, style) + first.trimStart(),
    ...rest,
    ...(matchedText ? block(`"${matchedText}"`) : []),
    ...(why ? block(why, style.dim) : []),
  ];
}

function modelLines(detection: Detection, style: ChalkInstance, width: number): string[] {
  const analysis = modelAnalysis(detection);
  if (!analysis) return [];
  const { status, summary } = analysis;
  const paint = status === 'error' ? style.yellow : status === 'ok' ? String : style.dim;
  return [
    '',
    ...wrapped(`model ${status}${summary && `: ${summary}`}`, width).map((line) => paint(line)),
  ];
}

/** A level in its colour, as wide as the indentation of what follows. */
function labelled(level: string, style: ChalkInstance): string {
  const colours: Record<Level, ChalkInstance> = {
    none: style.green,
    low: style.cyan,
    medium: style.yellow,
    high: style.red,
    critical: style.red.bold.inverse,
  };
  const known = levelOf(level);
  const paint = known ? colours[known] : style.magenta;
  const shown = visibleLine(level);
  return paint(shown) + ' '.repeat(Math.max(INDENT - shown.length, 1));
}

function scoreBar(score: number, env: Io['env']): string {
  const [full, empty] = isUtf8Locale(env) ? ['█', '░'] : ['#', '.'];
  const cells = Math.round((Math.min(Math.max(score, 0), 100) / 100) * BAR_CELLS);
  return full.repeat(cells) + empty.repeat(BAR_CELLS - cells);
}

/** Lines of a text that a server wrote; Chinese is twice as wide. */
function wrapped(text: string, width: number): string[] {
  return wrapAnsi(visibleLine(text), width, { hard: true }).split('\n');
}
