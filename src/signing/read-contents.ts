import type { AllReadings, Readings } from '../protocol/readings.ts';
import type { NullAs } from './header-mode.ts';
import { asSent, type Spelling, spellingsOf } from './header-name.ts';
import {
  contentAsSent,
  headersOf,
  type ReceivedRequest,
  type SignedContent,
  withNestedAsSent,
  withSpelling,
} from './received-request.ts';

/** A request under one reading of each open point. */
export interface ReadContent {
  readonly content: SignedContent;
  /** Readings that the caller did not choose and that a valid signature depends on. */
  readonly assumed: Readings;
}

/**
 * The readings of a request that give different strings to sign, the defaults first. For a point
 * with `any`, returns every reading.
 *
 * @param headerNames The chosen reading of `header-names`; undefined for every reading.
 */
export function readContents(
  request: ReceivedRequest,
  readings: AllReadings,
  headerNames: Readings['header-names'],
): readonly [ReadContent, ...ReadContent[]] {
  const sent = contentAsSent(request);
  const [first = { content: sent, assumed: {} }, ...others] = nestedReadings(sent, readings)
    .flatMap((read) => nullReadings(read, readings))
    .flatMap((read) => nameReadings(read, headerNames));
  return [first, ...others];
}

/** `nested-json`: applies if nested JSON did not arrive in compact form. */
function nestedReadings(content: SignedContent, readings: AllReadings): readonly ReadContent[] {
  const { 'nested-json': chosen } = readings;
  if (content.nestedAsSent.size === 0) return [{ content, assumed: {} }];
  const asWritten = withNestedAsSent(content);
  if (chosen !== 'any') {
    return [{ content: chosen === 'as-sent' ? asWritten : content, assumed: {} }];
  }
  return [
    { content, assumed: { 'nested-json': 'compact' } },
    { content: asWritten, assumed: { 'nested-json': 'as-sent' } },
  ];
}

/** `null-in-header`: applies if a field is null in header mode. D1 5.1 defines body mode. */
function nullReadings(read: ReadContent, readings: AllReadings): readonly ReadContent[] {
  const { content, assumed } = read;
  const { 'null-in-header': chosen } = readings;
  const hasNull = content.fields.some(({ value }) => value.kind === 'null');
  if (content.mode === 'body' || !hasNull) return [read];
  if (chosen !== 'any') return [{ content: { ...content, nullAs: chosen }, assumed }];
  return (['empty', 'omit', 'text'] satisfies NullAs[]).map((nullAs) => ({
    content: { ...content, nullAs },
    assumed: { ...assumed, 'null-in-header': nullAs },
  }));
}

/** `header-names`: applies if names did not arrive in the documented case. */
function nameReadings(
  { content, assumed }: ReadContent,
  chosen: Readings['header-names'],
): ReadContent[] {
  return distinctSpellings(spellingsOf(chosen), content).map((spell) => ({
    content: withSpelling(content, spell),
    assumed:
      chosen === undefined && spell === asSent
        ? { ...assumed, 'header-names': 'as-sent' }
        : assumed,
  }));
}

/** Removes spellings that are equal for this request: each one costs a signature. */
function distinctSpellings(
  spellings: readonly Spelling[],
  content: SignedContent,
): readonly Spelling[] {
  const headers = headersOf(content);
  const byNames = new Map<string, Spelling>();
  for (const spell of spellings) {
    const names = headers.map(([name]) => spell(name)).join('\n');
    if (!byNames.has(names)) byNames.set(names, spell);
  }
  return [...byNames.values()];
}
