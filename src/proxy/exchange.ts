import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MopError } from '../errors.ts';
import { headerPairs } from '../http/headers.ts';
import type { ForwardedAnswer, Transport } from '../http/transport.ts';
import { corsHeaders } from '../server/cors.ts';
import { isForm } from '../server/form.ts';
import { readingsHeader, type SignatureFindings } from '../server/log-entry.ts';
import type { Exchange, KeptAnswer } from '../server/requests/history.ts';
import { credentialsOfRequest } from '../server/requests/without-credentials.ts';
import { type Header, headerValue } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { answerError, statusOf, toMopError } from './error-answer.ts';
import { formRequest } from './form-request.ts';
import { jsonRequest } from './json-request.ts';
import { AnswerKeeper, resultCode } from './kept-answer.ts';
import type { Outbound } from './outbound.ts';
import type { Route } from './route.ts';
import type { SignatureInspector } from './signature-inspector.ts';
import type { Signing } from './signing.ts';
import { endToEnd } from './wire-headers.ts';

export interface Forwarding {
  readonly transport: Transport;
  readonly signing: Omit<Signing, 'check'>;
  readonly inspector: Pick<SignatureInspector, 'check'>;
}

/** The result of an exchange, without the parts that the caller already has. */
export type Outcome = Pick<Exchange, 'status' | 'code' | 'request' | 'answer' | 'error'> &
  SignatureFindings;

/**
 * Signs or checks a request, forwards it, and returns the answer to the client (contract section 7).
 */
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
  /** Aborted when the client closes its connection. */
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
