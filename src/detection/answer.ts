import { type ErrorDetails, MopError } from '../errors.ts';
import { excerpt, redactValues } from '../http/redact.ts';
import { overloadedHint } from '../http/retry.ts';
import { type HttpRequest, type HttpText, retryAfterMs } from '../http/transport.ts';
import { jsonObject } from '../json/parse.ts';
import { type JsonValue, member } from '../json/value.ts';
import { brokenContract } from './fields.ts';

/**
 * The object that a request was answered with.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `network` for a service in trouble, `auth` for one that refuses the caller,
 *   `api` for any other refusal and for what is no object of JSON.
 */
export function readAnswer(response: HttpText, request: HttpRequest, now: number): JsonValue {
  const { status, header, isUtf8 } = response;
  const json = jsonObject(response.text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !isUtf8) throw brokenContract('the body', 'is not UTF-8');
  if (isSuccess && json) return json;

  // A service that echoes a credential must not make it appear in an error.
  const { secrets = [] } = request;
  const said = saidIn(json, response.text, secrets);
  const answered = `${request.url.host} answered HTTP ${status}`;
  const details: ErrorDetails = { httpStatus: status };
  if (status >= 500 || status === 429) {
    throw new MopError('network', `${answered}: ${said}`, {
      ...details,
      hint: overloadedHint('service', status),
      retryAfterMs: retryAfterMs(header('retry-after'), now),
    });
  }
  if (status === 401 || status === 403) {
    throw new MopError('auth', `${answered}: ${said}`, {
      ...details,
      hint: "if it wants a credential, send it: -H 'Authorization: Bearer TOKEN'",
    });
  }
  if (json && !isSuccess) {
    throw new MopError('api', `${answered}: ${said}`, {
      ...details,
      hint: '--verbose shows the exchange',
    });
  }
  const type = redactValues(header('content-type') ?? 'no content type', secrets);
  throw new MopError(
    'api',
    `${answered} (${type}) with something that is no JSON object: ${said}`,
    {
      ...details,
      hint: 'is detect_url the address of the service? mop config list shows it; --verbose shows the answer',
    },
  );
}

function saidIn(json: JsonValue | undefined, text: string, secrets: readonly string[]): string {
  const words = wordsOf(json);
  return words === undefined ? excerpt(text, secrets) : redactValues(words, secrets);
}

/** What `{"error":{"code","message"}}` says. */
function wordsOf(json: JsonValue | undefined): string | undefined {
  const error = member(json, 'error');
  const words = ['code', 'message'].flatMap((name) => {
    const value = member(error, name);
    return value?.kind === 'string' ? [value.value] : [];
  });
  return words.length > 0 ? words.join(': ') : undefined;
}
