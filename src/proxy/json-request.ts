import type { IncomingMessage } from 'node:http';
import { isCompressed } from '../http/codings.ts';
import type { JsonMember, JsonValue } from '../json/value.ts';
import { badRequest, readBytes, utf8Text } from '../server/request-body.ts';
import { compressedBody } from '../signing/body-fault.ts';
import { type Header, sameName } from '../signing/header-mode.ts';
import { readBody } from '../signing/value-text.ts';
import type { Route } from './route.ts';
import {
  addedSignature,
  forwardedHeaders,
  givenHeaders,
  isSignedInHeaders,
  type Outbound,
  type Signing,
  signJson,
} from './signing.ts';

/** The limit of the sandbox: checking a larger body would delay other requests. */
const MAX_MIB = 1;

/**
 * Signs a JSON body, or checks its signature. @throws {MopError} `usage` if it cannot be signed.
 */
export async function jsonRequest(
  incoming: IncomingMessage,
  headers: readonly Header[],
  route: Route,
  signing: Signing,
): Promise<Outbound> {
  const bytes = await readBytes(incoming, MAX_MIB);
  if (isSignedInHeaders(headers) && !signing.signAll) {
    return asReceived(bytes, bytes.toString(), headers, route, signing);
  }
  const text = bytes.length === 0 ? '{}' : textOf(bytes, incoming);
  const members = readBody(text);
  if (isSignedInBody(members, route) && !signing.signAll) {
    return asReceived(bytes, text, headers, route, signing);
  }
  return withSignature(members, headers, route, signing);
}

function asReceived(
  bytes: Buffer,
  body: string,
  headers: readonly Header[],
  { url }: Route,
  { check }: Signing,
): Outbound {
  const request = { method: 'POST', url: url.href, headers, body };
  return {
    headers: forwardedHeaders(headers),
    body: bytes,
    request: Promise.resolve(request),
    findings: check(request),
  };
}

function withSignature(
  members: readonly JsonMember[],
  headers: readonly Header[],
  { mode, url }: Route,
  signing: Signing,
): Outbound {
  const { common, others } = givenHeaders(headers);
  const { body, headers: signed, warnings } = signJson(members, common, mode, signing);
  const request = {
    method: 'POST',
    url: url.href,
    headers: [
      // curl -d declares every body as a form.
      ...forwardedHeaders(others.filter(([name]) => !sameName(name, 'Content-Type'))),
      ['Content-Type', 'application/json'] satisfies Header,
      ...signed,
    ],
    body,
  };
  return {
    headers: request.headers,
    body: Buffer.from(body),
    request: Promise.resolve(request),
    findings: addedSignature(warnings),
  };
}

/** Whether a body carries a signature: in header mode, `sign` alone is a business field. */
function isSignedInBody(members: readonly JsonMember[], { mode }: Route): boolean {
  const value = (name: string): JsonValue | undefined =>
    members.find((member) => member.name === name)?.value;
  const sign = value('sign');
  const isSigned = sign?.kind === 'string' && sign.value !== '';
  return isSigned && (mode === 'body' || value('api_key') !== undefined);
}

const UNCOMPRESSED_HINT =
  'send the JSON uncompressed, without Content-Encoding: it is signed as text';

function textOf(bytes: Buffer, { headers }: IncomingMessage): string {
  const coding = headers['content-encoding'] ?? '';
  if (isCompressed(coding)) throw badRequest(compressedBody(coding), undefined, UNCOMPRESSED_HINT);
  return utf8Text(bytes);
}
