import { MopError } from '../../errors.ts';
import { jsonValue } from '../../json/parse.ts';
import { member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { headerValue } from '../header-mode.ts';
import { captureError } from './capture-error.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';

/** Whether a request carries a signature, in a header or in its body. */
export function isSigned({ headers, body }: Pick<CapturedRequest, 'headers' | 'body'>): boolean {
  if (headerValue(headers, SIGN_HEADERS.sign)) return true;
  return typeof body === 'string'
    ? member(jsonValue(body), 'sign') !== undefined
    : body.some(({ name }) => name === 'sign');
}

/**
 * The requests of a log that are signed, in their order: a log holds others too. Without a signed
 * one, all that can be read.
 *
 * @param readers One for each request that the log begins.
 * @throws {MopError} `usage` when no request can be read: the fault of the first.
 */
export function signedRequests(
  readers: readonly (() => CapturedRequest)[],
  format: CaptureFormat,
): readonly CapturedRequest[] {
  const requests: CapturedRequest[] = [];
  const faults: MopError[] = [];
  for (const read of readers) {
    try {
      requests.push(read());
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      faults.push(error);
    }
  }
  const signed = requests.filter(isSigned);
  if (signed.length > 0) return signed;
  const [fault] = faults;
  if (requests.length > 0 && !fault) return requests;
  throw (
    fault ??
    captureError(format, 'it holds no request', 'copy the log from the line that begins the request')
  );
}
