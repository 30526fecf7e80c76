import { MopError } from '../errors.ts';
import type { HttpRequest } from '../http/request.ts';
import {
  type HttpText,
  isOverloaded,
  isUnauthorized,
  refusalError,
  unexpectedBody,
} from '../http/response.ts';
import { AnswerFields, type Contract, contractViolation } from '../json/fields.ts';
import { jsonObject } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { describe, type JsonValue, member, memberText } from '../json/value.ts';
import { excerpt, redactValues } from '../redaction/redact.ts';

/** The answers of the service (D2 section 2). */
export const DETECTION_CONTRACT: Contract = {
  sender: 'service',
  hint: 'run the command with --verbose, and report the answer to the operator of the service',
  isStrict: true,
  wrongKind: (kind, found) => `is not ${describe({ kind })} but ${describe(found)}`,
};

/**
 * The JSON object of an answer.
 *
 * @throws {MopError} `network` for HTTP 429 and 5xx; `auth` for 401 and 403; `api` for others.
 */
export function readAnswer(response: HttpText, request: HttpRequest, now: number): JsonValue {
  const { status, isUtf8, text } = response;
  const json = jsonObject(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !isUtf8) {
    throw contractViolation(DETECTION_CONTRACT, 'the body', 'is not UTF-8');
  }
  if (isSuccess && json) return json;

  // A service that echoes a credential must not make it appear in an error.
  const { url, secrets = [] } = request;
  const isRefusal = json !== undefined || isOverloaded(status) || isUnauthorized(status);
  const summary = isRefusal
    ? `${url.host} answered HTTP ${status}`
    : unexpectedBody(response, request, 'is not a JSON object');
  const words = errorWords(json);
  const reported = words === undefined ? excerpt(text, secrets) : redactValues(words, secrets);
  throw refusalError(
    response,
    {
      server: 'service',
      message: `${summary}: ${reported}`,
      unauthorized: 'auth',
      hint: 'check the address of the service (detect_url); --verbose shows the exchange',
      details: { systematic: isUnauthorized(status) ? 'credentials' : undefined },
    },
    now,
  );
}

/** @throws {MopError} `api` for an answer that reports a failure, even if it also has a level. */
export function assertSucceeded(json: JsonValue, { url, secrets = [] }: HttpRequest): void {
  const fields = new AnswerFields(json, DETECTION_CONTRACT);
  const success = fields.any('success');
  const error = fields.any('error');
  const hasFailed = success !== undefined && /^(?:false|0|"false")$/.test(printJson(success));
  const hasError = error !== undefined && !/^(?:null|false|0|"")$/.test(printJson(error));
  if (!hasFailed && !hasError) return;
  const words = errorWords(json) ?? memberText(json, 'error') ?? memberText(json, 'message');
  const fault = hasFailed ? 'success: false' : 'an error';
  throw new MopError(
    'api',
    `${url.host} answered with ${fault}${words ? `: ${redactValues(words, secrets)}` : ''}`,
    { hint: '--verbose shows the exchange' },
  );
}

function errorWords(json: JsonValue | undefined): string | undefined {
  const error = member(json, 'error');
  const words = [memberText(error, 'code'), memberText(error, 'message')];
  const known = words.filter((word) => word !== undefined);
  return known.length > 0 ? known.join(': ') : undefined;
}
