import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { headerPairs } from '../http/headers.ts';
import { SIGN_HEADERS } from '../protocol/operations.ts';
import {
  type AllowedOrigins,
  corsHeaders,
  isAllowedPage,
  isPreflight,
  preflightHeaders,
} from '../server/cors.ts';
import type { Log, LogEntry, SignatureFindings } from '../server/log-entry.ts';
import type { RequestHistory } from '../server/requests/history.ts';
import { headerValue } from '../signing/header-mode.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import type { FaultPlan } from './faults.ts';
import type { Clock } from './operation.ts';

export interface SandboxEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    /** The clock of the sandbox for this request, with the fault `skew`. */
    readonly now: Clock;
    readonly code?: number;
    readonly answer?: string;
    readonly findings?: SignatureFindings | undefined;
    readonly request?: ReceivedRequest | undefined;
    /** Whether the request is for a page, which the page of requests does not list. */
    readonly isPage?: boolean;
  };
}

/** The clock of one request, after the fault `latency`. */
export async function clockOf(
  now: Clock,
  faults: FaultPlan,
  disconnected: AbortSignal,
): Promise<Clock> {
  await wait(faults.take('latency') ?? 0, disconnected);
  const aheadMs = (faults.take('skew') ?? 0) * 1000;
  return () => now() + aheadMs;
}

/** Middleware of every request: `latency`, `skew`, the header `Date`, the log, and the record. */
export function requestMiddleware(
  now: Clock,
  faults: FaultPlan,
  log: Log | undefined,
  history: RequestHistory,
): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const started = performance.now();
    const clock = await clockOf(now, faults, c.req.raw.signal);
    c.set('now', clock);
    c.env.outgoing.setHeader('Date', new Date(clock()).toUTCString());
    await next();

    const entry: LogEntry = {
      time: now(),
      method: c.req.method,
      path: new URL(c.req.url).pathname,
      status: c.res.status,
      code: c.get('code'),
      ...(c.get('findings') ?? findingsOf(c.get('request') ?? headersOf(c.env.incoming))),
      milliseconds: Math.round(performance.now() - started),
      error: c.error,
    };
    log?.(entry);
    if (c.get('isPage')) return;
    const answer = c.get('answer');
    const headers = answer === undefined ? [] : [...c.res.headers];
    history.add({
      ...entry,
      request: c.get('request'),
      answer: answer === undefined ? undefined : { headers, body: answer, isTruncated: false },
    });
  };
}

/** Middleware for pages of allowed origins: they may read the answers, and send preflights (CORS). */
export function corsMiddleware(allowed: AllowedOrigins): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env;
    if (allowed.size === 0) return next();
    const isAllowed = isAllowedPage(incoming, allowed);
    if (isAllowed && isPreflight(incoming)) {
      return c.body(null, 204, preflightHeaders(incoming));
    }
    // Downloads and streams of events do not pass through `c.res`.
    const headers = isAllowed ? corsHeaders(incoming) : { Vary: 'Origin' };
    outgoing.setHeaders(new Map(Object.entries(headers)));
    await next();
    if (c.res.headers.has('Vary')) c.header('Vary', 'Origin', { append: true });
    return undefined;
  };
}

/** Middleware of pages, which the page of requests does not list. */
export const asPage: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  c.set('isPage', true);
  await next();
};

function headersOf({ rawHeaders }: IncomingMessage): ReceivedRequest {
  return { headers: headerPairs(rawHeaders), body: '' };
}

/** The findings about a request that was refused before its signature was checked. */
function findingsOf(request: ReceivedRequest | undefined): SignatureFindings | undefined {
  return request && hasSignature(request) ? { signature: 'unreadable' } : undefined;
}

function hasSignature({ headers = [], body }: ReceivedRequest): boolean {
  if (headerValue(headers, SIGN_HEADERS.sign) !== undefined) return true;
  return typeof body === 'string' && /"sign"\s*:/.test(body);
}

/** The answer of a failing gateway in front of the service, when the fault `http` applies. */
export function gatewayPage(faults: FaultPlan): Response | undefined {
  const status = faults.take('http');
  if (status === undefined) return undefined;
  const hasNoBody = [204, 205, 304].includes(status);
  const page = `<!doctype html><title>${status}</title><h1>${status}</h1>\n`;
  return new Response(hasNoBody ? null : page, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...((status === 429 || status === 503) && { 'Retry-After': '1' }),
    },
  });
}

/** Waits `ms` milliseconds or until `signal` is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
