import { MopError } from '../../errors.ts';
import { aborted, MAX_TIMER_MS } from '../../http/abort.ts';
import { isTimeout } from '../../http/network-error.ts';
import type { HttpRequest } from '../../http/request.ts';
import { type HttpText, isUnauthorized } from '../../http/response.ts';
import type { Transport } from '../../http/transport.ts';
import { redactValues } from '../../redaction/redact.ts';
import {
  errorMessageIn,
  type FailureCode,
  ModelFailure,
  messagesFor,
  readVerdict,
  type Verdict,
} from './verdict.ts';

/** An OpenAI-compatible chat endpoint (MOP_AI_BASE_URL, MOP_AI_MODEL, MOP_AI_KEY). */
export interface ModelOptions {
  /** Such as `https://api.example/v1`; `/chat/completions` is appended if missing. */
  readonly baseUrl: string;
  readonly model: string;
  /** Without one, no Authorization header is sent. */
  readonly apiKey?: string | undefined;
  readonly transport: Pick<Transport, 'sendForText'>;
  /** The limit of the whole analysis, including a second attempt. Default 25,000. */
  readonly timeoutMs?: number | undefined;
}

/** The verdict of the external model. */
export interface AiVerdict extends Verdict {
  readonly status: 'ok';
  readonly provider: 'external';
  readonly model: string;
}

/** The external model gave no verdict. A failure is not a judgement of the text. */
export interface AiFailure {
  readonly status: 'error';
  readonly provider: 'external';
  readonly model: string;
  readonly error: { readonly code: FailureCode; readonly message: string };
}

/** Below the 30 s time-out of clients, including the time of the rules. */
const DEFAULT_TIMEOUT_MS = 25_000;
const MAX_SHOWN = 300;

/**
 * Asks a model for the emotional risk of a text: the second level of detection (D2 section 1). A
 * failure of the model has the status `error`; it is never a verdict.
 */
export async function analyzeWithModel(
  text: string,
  options: ModelOptions,
  disconnected?: AbortSignal,
): Promise<AiVerdict | AiFailure> {
  const { model, apiKey = '' } = options;
  // A key from a file often ends in a line break.
  const key = apiKey.trim();
  try {
    const verdict = readVerdict(await ask(text, key, options, disconnected));
    const reasons = verdict.reasons.map((reason) => shown(reason, key));
    return { status: 'ok', provider: 'external', model, ...verdict, reasons };
  } catch (error) {
    const { code, message } = disconnected?.aborted
      ? new ModelFailure('network', 'the client closed the connection')
      : asModelFailure(error);
    const shownError = { code, message: shown(message, key) };
    return { status: 'error', provider: 'external', model, error: shownError };
  }
}

async function ask(
  text: string,
  key: string,
  { baseUrl, model, transport, timeoutMs = DEFAULT_TIMEOUT_MS }: ModelOptions,
  disconnected: AbortSignal | undefined,
): Promise<HttpText> {
  const url = completionsUrl(baseUrl);
  const content = { model, messages: messagesFor(text), temperature: 0 };
  const headers = headersWith(key);
  // The time-outs of the transport cover only silence: a model that answers slowly is never silent.
  const timeout = AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS));
  const signal = disconnected ? AbortSignal.any([timeout, disconnected]) : timeout;
  const attempt = (body: object): Promise<HttpText> => {
    const request = { method: 'POST', url, headers, body: JSON.stringify(body) } as const;
    // An exchange ignores its signal while it connects.
    return Promise.race([
      transport.sendForText({ ...request, secrets: [key], signal }),
      aborted(signal),
    ]);
  };
  try {
    let answer = await attempt({ ...content, response_format: { type: 'json_object' } });
    // Some servers do not support this format. Their messages differ: retry after any 400.
    if (answer.status === 400) answer = await attempt(content);
    if (answer.status >= 300) throw httpFailure(url, answer);
    return answer;
  } catch (error) {
    if (!timeout.aborted) throw error;
    throw new ModelFailure('timeout', `the model did not answer within ${timeoutMs / 1000} s`);
  }
}

function completionsUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new ModelFailure('network', 'the base URL of the model is not an http or https address');
  }
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  url.pathname = `${base}/chat/completions`;
  return url;
}

function headersWith(key: string): HttpRequest['headers'] {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json'],
  ] as const;
  if (key === '') return headers;
  if (/^[!-~]+$/.test(key)) return [...headers, ['Authorization', `Bearer ${key}`]];
  throw new ModelFailure(
    'network',
    'the key of the model has characters that are invalid in a header',
  );
}

function httpFailure({ host }: URL, { status, text }: HttpText): ModelFailure {
  // Servers often quote a part of the refused key, and redaction finds only the whole key.
  const reported = isUnauthorized(status) ? undefined : errorMessageIn(text);
  const message = `${host} answered HTTP ${status}`;
  return new ModelFailure('http', reported === undefined ? message : `${message}: ${reported}`);
}

/** Throws any error that is not a failure of the model. */
function asModelFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (!(error instanceof MopError)) throw error;
  // A transport refuses an answer only because of its size.
  if (error.code === 'api') return new ModelFailure('unparsable', error.message);
  // A failed exchange has a cause. Without a cause, --max-time aborted the exchange.
  if (error.code !== 'network' || error.details.cause === undefined) throw error;
  return new ModelFailure(isTimeout(error) ? 'timeout' : 'network', error.message);
}

/** Untrusted text, truncated and without the key. */
function shown(text: string, key: string): string {
  // Remove the key before truncating: a truncated key would not be found. A character has up to two
  // units.
  const start = redactValues(text, [key]).slice(0, 2 * MAX_SHOWN);
  return [...start].slice(0, MAX_SHOWN).join('');
}
