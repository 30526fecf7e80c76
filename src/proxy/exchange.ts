import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MopError } from '../errors.ts';
import { headerPairs } from '../http/headers.ts';
import { isTimeout } from '../http/network-error.ts';
import { decodeText } from '../http/page-text.ts';
import type { ForwardedAnswer, Transport } from '../http/transport.ts';
import { corsHeaders } from '../server/cors.ts';
import { isForm } from '../server/form.ts';
import { readingsHeader, type SignatureFindings } from '../server/log-entry.ts';
import { type Exchange, type KeptAnswer, MAX_BODY_BYTES } from '../server/requests/history.ts';
import { credentialsOfRequest } from '../server/requests/without-credentials.ts';
import { type Header, headerValue } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { formRequest } from './form-request.ts';
import { jsonRequest } from './json-request.ts';
import type { Route } from './route.ts';
import type { SignatureInspector } from './signature-inspector.ts';
import { endToEnd, type Outbound, type Signing } from './signing.ts';

export interface Forwarding {
  readonly transport: Transport;
  readonly signing: Omit<Signing, 'check'>;
  readonly inspector: Pick<SignatureInspector, 'check'>;
}

export type Outcome = Pick<Exchange, 'status' | 'code' | 'request' | 'answer' | 'error'> &
  SignatureFindings;

/** Signs or checks a request, forwards it, and returns the answer (contract section 7). */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  route: Route,
  { transport, inspector, ...forwarding }: Forwarding,
): Promise<Outcome> {
  const [disconnection, end] = [new AbortController(), new AbortController()];
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnection.abort();
    end.abort();
  });
  const signing: Signing = {
    ...forwarding.signing,
    check: (request) => inspector.check(request, end.signal),
  };
  incoming.once('timeout', () => incoming.destroy(new Error('the client stopped sending')));
  let outbound: Outbound | undefined;
  try {
    const headers = headerPairs(incoming.rawHeaders);
    const prepare = isForm(incoming) ? formRequest : jsonRequest;
    outbound = await prepare(incoming, headers, route, signing);
    const { body } = outbound;
    let received: ReceivedRequest | undefined;
    void outbound.request.then((request) => {
      received = request;
    });
    const secrets = () => (received ? credentialsOfRequest(received) : []);
    const forwarded = { method: 'POST', ...route, headers: outbound.headers, body, secrets };
    const [answer, findings] = await Promise.all([
      transport.forward({ ...forwarded, signal: disconnection.signal }),
      outbound.findings,
    ]);
    const client = { incoming, outgoing, disconnected: disconnection.signal };
    const kept = await forwardAnswer(answer, findings, client);
    return {
      ...findings,
      status: answer.status,
      code: resultCode(kept),
      request: await outbound.request,
      answer: kept,
    };
  } catch (error) {
    const refused = disconnection.signal.aborted
      ? CLIENT_GONE
      : refuse(toMopError(error), incoming, outgoing);
    const request = await outbound?.request;
    return { ...(await outbound?.findings), ...refused, request };
  } finally {
    await outbound?.dispose?.();
  }
}

/** nginx logs the same status. */
const CLIENT_GONE = { status: 499 };

interface Client {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly disconnected: AbortSignal;
}

/** Forwards an answer unchanged: status, headers, and the body as a stream. */
async function forwardAnswer(
  { status, statusText, headers, body }: ForwardedAnswer,
  findings: SignatureFindings,
  { incoming, outgoing, disconnected }: Client,
): Promise<KeptAnswer> {
  const cors = Object.entries(corsHeaders(incoming));
  const forwarded = endToEnd(headerPairs(headers)).filter(
    ([name]) => cors.length === 0 || !/^access-control-/i.test(name),
  );
  // A sandbox behind the proxy finds more than the proxy.
  const found = findingHeaders(findings).filter(
    ([name]) => headerValue(forwarded, name) === undefined,
  );
  const keeper = new AnswerKeeper(forwarded);
  // Forward the Date of the platform.
  outgoing.sendDate = false;
  outgoing.writeHead(
    status,
    // Node accepts only Latin-1 characters: write the UTF-8 bytes as such.
    Buffer.from(statusText).toString('latin1'),
    [...forwarded, ...found, ...cors].flat(),
  );
  for await (const chunk of body) {
    keeper.add(chunk);
    if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: disconnected });
  }
  outgoing.end();
  return keeper.answer;
}

/** The findings about a signature that the client made (contract section 7). */
function findingHeaders(findings: SignatureFindings): readonly Header[] {
  const { signature, diagnosis = [] } = findings;
  if (signature === undefined || signature === 'added') return [];
  const ids = [...new Set(diagnosis.map(({ id }) => id))].join(',');
  const withoutIds = { right: 'ok', wrong: 'unexplained', unreadable: 'unreadable' }[signature];
  return [['X-Mop-Diagnosis', ids || withoutIds], ...Object.entries(readingsHeader(findings))];
}

function refuse(
  error: MopError,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Pick<Outcome, 'status' | 'error'> {
  const status = statusOf(error);
  answerError(outgoing, status, error, corsHeaders(incoming));
  return { status, error };
}

/** Keeps the start of an answer while the answer is forwarded. */
class AnswerKeeper {
  readonly #headers: readonly Header[];
  readonly #isText: boolean;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(headers: readonly Header[]) {
    this.#headers = headers;
    this.#isText = isText(headers);
  }

  add(chunk: Uint8Array): void {
    if (this.#isText && this.#bytes < MAX_BODY_BYTES) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  get answer(): KeptAnswer {
    const body = this.#isText
      ? decodeText(
          Buffer.concat(this.#chunks).subarray(0, MAX_BODY_BYTES),
          headerValue(this.#headers, 'Content-Type'),
        )
      : undefined;
    return { headers: this.#headers, body, isTruncated: this.#bytes > MAX_BODY_BYTES };
  }
}

function isText(headers: readonly Header[]): boolean {
  const coding = headerValue(headers, 'Content-Encoding') ?? 'identity';
  return coding === 'identity' && /json|text|xml/i.test(headerValue(headers, 'Content-Type') ?? '');
}

/** The result code of an envelope (D1 2.2); undefined for any other answer. */
function resultCode({ body, isTruncated }: KeptAnswer): number | undefined {
  if (body === undefined || isTruncated) return undefined;
  try {
    const { code } = JSON.parse(body) as { readonly code?: unknown };
    return typeof code === 'number' ? code : undefined;
  } catch {
    return undefined;
  }
}

/** The HTTP status for a request that was refused or got no answer. */
export function statusOf(error: MopError): number {
  const { code, details } = error;
  if (code === 'usage') return details.httpStatus ?? 400;
  if (code === 'network' && isTimeout(error)) return 504;
  if (code === 'io') return 507;
  return code === 'network' || code === 'config' ? 502 : 500;
}

/**
 * Answers with `{"error":{"code","message","hint"}}`, or closes the connection of a started answer.
 */
export function answerError(
  outgoing: ServerResponse,
  status: number,
  { code, message, details }: Pick<MopError, 'code' | 'message' | 'details'>,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (outgoing.headersSent) {
    // Only a broken connection shows the client that the answer is incomplete.
    outgoing.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code, message, hint: details.hint ?? null } });
  // A failed writeHead keeps the platform's reason phrase.
  outgoing.statusMessage = '';
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  outgoing.end(body);
}

/** Any thrown value as an error to answer with. The answer shows no detail of a bug. */
export function toMopError(thrown: unknown): MopError {
  if (thrown instanceof MopError) return thrown;
  return new MopError('failure', 'the proxy failed: this is a bug in mop', {
    hint: 'start mop proxy with --log, send the request again, and report the printed error',
    cause: thrown,
  });
}
