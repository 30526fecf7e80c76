import { largest } from '../any-length.ts';
import { MopError } from '../errors.ts';
import { integer, list, object, text, withMember } from '../json/build.ts';
import type { JsonValue } from '../json/value.ts';
import { checkLetters, checkText } from './check-text.ts';
import type { DetectionClient } from './client.ts';
import { type Content, contentsOf, placeText } from './contents/contents.ts';
import { type Gate, type Judgement, judge } from './gate.ts';
import type { Levels } from './levels.ts';
import type { Detection } from './result.ts';

export interface Inspection {
  /** The most severe detection: of the text itself, or of a text inside it. */
  readonly detection: Detection;
  readonly judgement: Judgement;
  /** The text of {@link detection}, if it is inside the given text. */
  readonly content: Content | undefined;
  readonly unwrapped: readonly Content[];
  /** {@link detection} as JSON; `unwrapped` lists the judged texts inside the given one. */
  readonly json: JsonValue;
}

/**
 * A text and the texts inside it, in this order. @throws {MopError} `usage` if it cannot be judged.
 */
export function textsToJudge(given: string): readonly Content[] {
  checkText(given);
  checkLetters(given);
  return [{ text: given, layers: [] }, ...contentsOf(given)];
}

/** Judges texts in turn. The one that fails the gate counts, or else the highest level or score. */
export async function inspect(
  client: DetectionClient,
  texts: readonly Content[],
  gate: Gate,
): Promise<Inspection> {
  const judged: Judged[] = [];
  for (const content of texts) {
    const detection = await client.detect(content.text);
    judged.push({ content, detection, judgement: judge(detection, gate) });
  }
  const [first, ...inner] = judged as [Judged, ...Judged[]];
  const worst = inner.reduce((one, other) => (isWorse(other, one, gate) ? other : one), first);
  const content = worst === first ? undefined : worst.content;
  return {
    detection: worst.detection,
    judgement: content ? inContent(worst.judgement, content) : worst.judgement,
    content,
    unwrapped: inner.map((each) => each.content),
    json: inner.length === 0 ? worst.detection.json : withUnwrapped(worst, inner),
  };
}

interface Judged {
  readonly content: Content;
  readonly detection: Detection;
  readonly judgement: Judgement;
}

function isWorse(one: Judged, other: Judged, { levels }: Gate): boolean {
  const [a, b] = [severity(one, levels), severity(other, levels)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}

function severity({ detection, judgement }: Judged, levels: Levels): readonly number[] {
  const { overallRisk, results, riskScore } = detection;
  const ranks = [overallRisk, ...results.map(({ level }) => level)].map((each) =>
    levels.rank(each),
  );
  return [judgement.failure ? 1 : 0, largest(ranks), riskScore];
}

function inContent({ failure, warnings }: Judgement, content: Content): Judgement {
  const place = placeText(content);
  return {
    failure: failure && new MopError(failure.code, failure.message + place, failure.details),
    warnings: warnings.map((warning) => warning + place),
  };
}

/** Adds `unwrapped`: each text inside the given one, and the one whose detection this is. */
function withUnwrapped(worst: Judged, inner: readonly Judged[]): JsonValue {
  const { json } = worst.detection;
  if (json.kind !== 'object') return json;
  const items = inner.map((each) => {
    const { overallRisk, riskScore } = each.detection;
    return object({
      of: list(each.content.layers.map((layer) => text(layer))),
      overall_risk: text(overallRisk),
      risk_score: integer(riskScore),
      ...(each === worst && { decisive: { kind: 'boolean', value: true } }),
    });
  });
  return withMember(json, 'unwrapped', list(items));
}
