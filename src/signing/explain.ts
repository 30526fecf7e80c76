import type { SignatureMode } from '../protocol/operations.ts';
import { type Readings, withDefaults } from '../protocol/readings.ts';
import { type Collected, type NullAs, signFields } from './canonical.ts';
import { assertOptions, assertText } from './check-arguments.ts';
import { unsignedFiles } from './header-mode.ts';
import { asDocumented, asSent, type Spelling, spellingsOf } from './header-name.ts';
import {
  contentAsSent,
  headersOf,
  type ReceivedRequest,
  type SignedContent,
  withNestedAsSent,
  withSpelling,
} from './received-request.ts';

/** The stages of the right signature of a request (D1 section 5). */
export interface SignatureExplanation extends Collected {
  readonly mode: SignatureMode;
  /** `src1`, without the secret. */
  readonly canonical: string;
  /** `dest`: 32 upper-case hex digits. */
  readonly signature: string;
}

/**
 * Computes the signature that a received request should carry.
 *
 * @param secret The secret that belongs to the api_key of the request.
 * @param readings Choices where D1 leaves a point open. For a point without a choice, every reading
 *   is tried; the first one that gives the received signature is used.
 * @throws {MopError} `usage` for a request without a signature, or an invalid request.
 *
 * @example
 * ```ts
 * import { explainSignature } from 'mop-cli/signing';
 * import type { Entry, Omitted, SignatureExplanation } from 'mop-cli/signing';
 *
 * const body = '{"b":1,"a":null,"sign":"0","timestamp":1795150800}';
 * const explained: SignatureExplanation = explainSignature({ body }, 'sandbox-secret');
 * const entries: readonly Entry[] = explained.entries;
 * const omitted: readonly Omitted[] = explained.omitted;
 * console.log(explained.canonical, entries.length, omitted.map(({ name }) => name));
 * // b=1&timestamp=1795150800 2 [ 'a', 'sign' ]
 * ```
 */
export function explainSignature(
  request: ReceivedRequest,
  secret: string,
  readings: Readings = {},
): SignatureExplanation {
  assertText('secret', secret);
  const reads = readRequest(request, readings);
  const [usual] = reads;
  return explainContent(rightReading(reads, usual.signature, secret) ?? usual, secret);
}

/** A request under each reading that the caller leaves open, the default one first. */
export type Reads = readonly [SignedContent, ...SignedContent[]];

export function readRequest(request: ReceivedRequest, chosen: Readings = {}): Reads {
  assertOptions('readings', chosen);
  const readings = withDefaults(chosen);
  const sent = contentAsSent(request);
  const [usual = sent, ...others] = nestedReadings(sent, readings['nested-json'])
    .flatMap((content) => nullReadings(content, readings['null-in-header']))
    .flatMap((content) => nameReadings(content, chosen['header-names']));
  return [usual, ...others];
}

export function rightReading(
  reads: Reads,
  signature: string,
  secret: string,
): SignedContent | undefined {
  return reads.find((content) => explainContent(content, secret).signature === signature);
}

/** `nested-json`: applies if nested JSON did not arrive in compact form. */
function nestedReadings(content: SignedContent, chosen: string): readonly SignedContent[] {
  if (content.nestedAsSent.size === 0) return [content];
  const contents = { compact: content, 'as-sent': withNestedAsSent(content) };
  return readingsOf('nested-json', chosen, contents);
}

/** `null-in-header`: applies if a field is null in header mode. D1 5.1 defines body mode. */
function nullReadings(content: SignedContent, chosen: string): readonly SignedContent[] {
  const hasNull = content.fields.some(({ value }) => value.kind === 'null');
  if (content.mode === 'body' || !hasNull) return [content];
  const as = (nullAs: NullAs): SignedContent => ({ ...content, nullAs });
  const contents = { empty: as('empty'), omit: as('omit'), text: as('text') };
  return readingsOf('null-in-header', chosen, contents);
}

/** The chosen reading of a point, or, with `any`, each of them. */
function readingsOf(
  point: keyof Readings,
  chosen: string,
  contents: Readonly<Record<string, SignedContent>>,
): readonly SignedContent[] {
  return Object.entries(contents)
    .filter(([value]) => chosen === 'any' || value === chosen)
    .map(([value, content]) => under({ [point]: value }, content));
}

/** `header-names`: applies if names did not arrive in the documented case. */
function nameReadings(
  content: SignedContent,
  chosen: Readings['header-names'],
): readonly SignedContent[] {
  const headers = headersOf(content);
  const namesIn = (spell: Spelling): string => headers.map(([name]) => spell(name)).join('\n');
  // Spellings that are equal for this request are tried once.
  const spellings = new Map<string, Spelling>();
  for (const spell of spellingsOf(chosen)) {
    if (!spellings.has(namesIn(spell))) spellings.set(namesIn(spell), spell);
  }
  const isOpen = content.mode === 'header' && namesIn(asDocumented) !== namesIn(asSent);
  return [...spellings.values()].map((spell) => {
    const spelled = withSpelling(content, spell);
    return isOpen
      ? under({ 'header-names': spell === asSent ? 'as-sent' : 'documented' }, spelled)
      : spelled;
  });
}

function under(reading: Readings, content: SignedContent): SignedContent {
  return { ...content, readings: { ...content.readings, ...reading } };
}

export function explainContent(content: SignedContent, secret: string): SignatureExplanation {
  const { mode, fields, files, nullAs } = content;
  const members = fields.filter(({ source }) => source !== 'header');
  const headers = mode === 'header' ? headersOf(content) : [];
  const { sign, ...signed } = signFields({ mode, headers, members, nullAs }, secret);
  const omitted = [...signed.omitted, ...unsignedFiles(files)];
  return { mode, ...signed, omitted, signature: sign };
}
