import type { SignatureMode } from '../protocol/operations.ts';
import { assertReadings, type Readings } from '../protocol/readings.ts';
import { collectBody } from './body-mode.ts';
import { type Collected, canonicalString, digest } from './canonical.ts';
import { assertSecret } from './check-arguments.ts';
import { collectHeaders, collectMembers } from './header-mode.ts';
import { asSent, type Spelling, spellingsOf } from './header-name.ts';
import {
  contentAsSent,
  headersOf,
  type ReceivedRequest,
  type SignedContent,
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
 * @param readings Choices where D1 leaves a point open; a point without one is read in every way,
 *   and the first that gives the received signature counts.
 * @throws {MopError} `usage` when the request carries no signature or cannot be one.
 */
export function explainSignature(
  request: ReceivedRequest,
  secret: string,
  readings: Readings = {},
): SignatureExplanation {
  assertSecret(secret);
  return readSigned(request, secret, readings).right;
}

/** A request under one reading, and its right signature. */
interface ReadRequest {
  readonly content: SignedContent;
  readonly right: SignatureExplanation;
  /** The choices, other than the defaults, without which the signature would be wrong. */
  readonly needed: Readings;
}

/** Reads a request under the reading that gives the received signature, else as documented. */
export function readSigned(
  request: ReceivedRequest,
  secret: string,
  readings: Readings,
): ReadRequest {
  assertReadings(readings);
  const reading = readings['header-names'];
  const sent = contentAsSent(request);
  const read = (spell: Spelling): ReadRequest => {
    const content = withSpelling(sent, spell);
    const needed: Readings =
      reading === undefined && spell === asSent ? { 'header-names': 'as-sent' } : {};
    return { content, right: explainContent(content, secret), needed };
  };
  const fits = ({ content, right }: ReadRequest): boolean => right.signature === content.signature;
  const [usual, ...others] = distinctSpellings(spellingsOf(reading), sent);
  const first = read(usual ?? asSent);
  if (fits(first)) return first;
  return others.map(read).find(fits) ?? first;
}

/** The spellings that differ for the headers of this request: each costs a signature. */
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

/** The right signature of a request that was read already. */
export function explainContent(content: SignedContent, secret: string): SignatureExplanation {
  const { mode } = content;
  const collected = collect(content);
  const canonical = canonicalString(collected.entries);
  return { ...collected, mode, canonical, signature: digest(canonical, secret) };
}

function collect(content: SignedContent): Collected {
  const { mode, fields, files } = content;
  const members = fields.filter(({ source }) => source !== 'header');
  const { entries, omitted } =
    mode === 'body'
      ? collectBody(members)
      : collectHeaders(headersOf(content), collectMembers(members));
  const unsigned = files.map(({ name }) => ({ name, reason: "a file's content is not signed" }));
  return { entries, omitted: [...omitted, ...unsigned] };
}
