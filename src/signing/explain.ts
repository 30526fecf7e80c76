import type { SignatureMode } from '../protocol/operations.ts';
import { type AllReadings, type Readings, withDefaults } from '../protocol/readings.ts';
import { collectBody } from './body-mode.ts';
import { type Collected, canonicalString, digest } from './canonical.ts';
import { assertOptions, assertSecret } from './check-arguments.ts';
import { collectHeaders, collectMembers } from './header-mode.ts';
import { type ReadContent, readContents } from './read-contents.ts';
import { headersOf, type ReceivedRequest, type SignedContent } from './received-request.ts';

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
 * import {
 *   type Entry,
 *   explainSignature,
 *   type Omitted,
 *   type SignatureExplanation,
 * } from 'mop-cli/signing';
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
  assertSecret(secret);
  return readSigned(request, secret, readings).right;
}

/** A request under one reading, and its right signature. */
interface ReadRequest extends ReadContent {
  readonly right: SignatureExplanation;
}

/** Reads a request under the reading that gives the received signature, else the default one. */
export function readSigned(
  request: ReceivedRequest,
  secret: string,
  chosen: Readings = {},
): ReadRequest & { readonly others: readonly ReadContent[]; readonly readings: AllReadings } {
  assertOptions('readings', chosen);
  const readings = withDefaults(chosen);
  const read = (each: ReadContent): ReadRequest => ({
    ...each,
    right: explainContent(each.content, secret),
  });
  const [usual, ...others] = readContents(request, readings, chosen['header-names']);
  const first = read(usual);
  const isRight = ({ content, right }: ReadRequest): boolean =>
    right.signature === content.signature;
  if (isRight(first)) return { ...first, others, readings };
  // Stop at the first match: each reading costs a signature.
  for (const other of others) {
    const next = read(other);
    if (isRight(next)) return { ...next, others, readings };
  }
  return { ...first, others, readings };
}

/** The right signature of an already parsed request. */
export function explainContent(content: SignedContent, secret: string): SignatureExplanation {
  const { mode } = content;
  const collected = collect(content);
  const canonical = canonicalString(collected.entries);
  return { ...collected, mode, canonical, signature: digest(canonical, secret) };
}

function collect(content: SignedContent): Collected {
  const { mode, fields, files, nullAs } = content;
  const members = fields.filter(({ source }) => source !== 'header');
  const { entries, omitted } =
    mode === 'body'
      ? collectBody(members)
      : collectHeaders(headersOf(content), collectMembers(members, nullAs));
  const unsigned = files.map(({ name }) => ({ name, reason: "a file's content is not signed" }));
  return { entries, omitted: [...omitted, ...unsigned] };
}
