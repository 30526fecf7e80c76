import type { SignatureMode } from '../protocol/operations.ts';
import { collectBody } from './body-mode.ts';
import { type Collected, canonicalString, digest } from './canonical.ts';
import { collectHeaders, collectMembers, type Header } from './header-mode.ts';
import { type ReceivedRequest, type SignedContent, signedContent } from './received-request.ts';

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
 * @throws {MopError} `usage` when the request carries no signature or cannot be one.
 */
export function explainSignature(request: ReceivedRequest, secret: string): SignatureExplanation {
  return explainContent(signedContent(request), secret);
}

/** {@link explainSignature} of a request that was read already. */
export function explainContent(content: SignedContent, secret: string): SignatureExplanation {
  const { mode } = content;
  const collected = collect(content);
  const canonical = canonicalString(collected.entries);
  return { ...collected, mode, canonical, signature: digest(canonical, secret) };
}

function collect({ mode, fields, files }: SignedContent): Collected {
  const members = fields.filter(({ source }) => source !== 'header');
  const headers = fields.flatMap(({ name, value, source }): Header[] =>
    source === 'header' && value.kind === 'string' ? [[name, value.value]] : [],
  );
  const { entries, omitted } =
    mode === 'body' ? collectBody(members) : collectHeaders(headers, collectMembers(members));
  const unsigned = files.map(({ name }) => ({ name, reason: "a file's content is not signed" }));
  return { entries, omitted: [...omitted, ...unsigned] };
}
