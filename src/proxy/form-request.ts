import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { TemporaryFile } from '../files/temporary-file.ts';
import { SIGN_HEADERS, type SignatureMode } from '../protocol/operations.ts';
import { type FormPart, readFormChunks } from '../server/form.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import { badRequest } from '../server/request-body.ts';
import { type Header, headerValue, signHeaders } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import type { Route } from './route.ts';
import {
  addedSignature,
  forwardedHeaders,
  givenHeaders,
  isSignedInHeaders,
  keyWarnings,
  type Outbound,
  type Signing,
} from './signing.ts';

/** The check of a signature needs the content of small files: a signer may have signed it. */
const FORM_LIMITS = { maxFileBytes: Number.POSITIVE_INFINITY, keptBytes: 64 * 1024 };

/**
 * Signs a multipart form, or checks its signature while it streams through. Signing stores the form
 * first: the signature is a header, and a text may follow the files.
 *
 * @throws {MopError} `usage` for a form that cannot be signed, `io` when it cannot be stored.
 */
export async function formRequest(
  incoming: IncomingMessage,
  headers: readonly Header[],
  route: Route,
  signing: Signing,
): Promise<Outbound> {
  if (isSignedInHeaders(headers) && !signing.signAll) {
    return asReceived(incoming, headers, route, signing);
  }
  assertHeaderMode(route.mode);
  return signedForm(incoming, headers, route, signing);
}

function assertHeaderMode(mode: SignatureMode): void {
  if (mode === 'header') return;
  throw badRequest(
    'a form needs header mode, and /open/v1 takes signatures in the body',
    undefined,
    'send the form to /api/open, or a JSON object to /open/v1',
  );
}

function asReceived(
  incoming: IncomingMessage,
  headers: readonly Header[],
  { url }: Route,
  { check }: Signing,
): Outbound {
  const [body, copy] = [new PassThrough(), new PassThrough()];
  // An error event without a listener would crash the process.
  for (const stream of [body, copy]) stream.on('error', () => {});
  incoming.pipe(body);
  incoming.pipe(copy);
  incoming.once('error', (error) => {
    body.destroy(error);
    copy.destroy(error);
  });
  const request = readFormChunks(incoming.headers, copy, FORM_LIMITS).then(
    (form): ReceivedRequest => ({ method: 'POST', url: url.href, headers, body: form }),
    () => {
      // An unread copy would block the body.
      incoming.unpipe(copy);
      return undefined;
    },
  );
  return {
    headers: [...forwardedHeaders(headers), ...lengthOf(incoming)],
    body,
    request,
    findings: request.then((received) => (received ? check(received) : UNREADABLE)),
  };
}

const UNREADABLE: SignatureFindings = {
  signature: 'unreadable',
  warnings: ['the form cannot be read'],
};

async function signedForm(
  incoming: IncomingMessage,
  headers: readonly Header[],
  { url }: Route,
  { credentials, source }: Signing,
): Promise<Outbound> {
  const spool = await TemporaryFile.open('the form');
  try {
    const body = await readFormChunks(incoming.headers, stored(incoming, spool), FORM_LIMITS);
    assertUtf8(body);
    const { common, others } = givenHeaders(headers);
    const warnings = keyWarnings(headerValue(common, SIGN_HEADERS.apiKey), credentials);
    const signed = signHeaders(body, credentials, { headers: common }, source);
    const all = [...forwardedHeaders(others), ...Object.entries(signed.headers)];
    const request = { method: 'POST', url: url.href, headers: all, body };
    return {
      headers: [...all, ['Content-Length', `${spool.bytes}`]],
      body: spool.stream(),
      request: Promise.resolve(request),
      findings: addedSignature(warnings),
      dispose: () => spool.close(),
    };
  } catch (error) {
    await spool.close();
    throw error;
  }
}

/** The parser replaces invalid UTF-8 by U+FFFD: the signature would be of another text. */
function assertUtf8(form: readonly FormPart[]): void {
  const isBroken = (part: FormPart): boolean =>
    [part.name, 'file' in part ? part.file : part.value].some((text) => text.includes('\ufffd'));
  const broken = form.find(isBroken);
  if (broken) throw badRequest(`the field ${JSON.stringify(broken.name)} is not UTF-8`);
}

async function* stored(incoming: IncomingMessage, spool: TemporaryFile): AsyncGenerator<Buffer> {
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    await spool.append(chunk);
    yield chunk;
  }
}

/** Content-Length, if the client sent it; otherwise the body is forwarded in chunks. */
function lengthOf({ headers }: IncomingMessage): readonly Header[] {
  const length = headers['content-length'];
  return length === undefined ? [] : [['Content-Length', length]];
}
