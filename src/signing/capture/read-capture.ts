import { MopError, own, quoted, withDetails } from '../../errors.ts';
import type { Readings } from '../../protocol/readings.ts';
import { URLENCODED_FORM } from '../body-fault.ts';
import { type Reads, readRequest, rightReading } from '../explain.ts';
import type { Header } from '../header-mode.ts';
import { captureFault } from './capture-fault.ts';
import {
  type CapturedRequest,
  type CaptureFormat,
  captureError,
  faultOf,
  shown,
  signatureOf,
} from './captured-request.ts';
import { isSignedForm } from './pasted-canonical.ts';
import { type Found, findRequests, isSigned, type Outcome } from './search.ts';
import { sentAt } from './sent-at.ts';
import { type ReadFile, Source } from './source.ts';

export interface CaptureOptions {
  /** The number of the request in the capture, from 1. Default: the first signed request. */
  readonly entry?: number | undefined;
  /** Additional headers (`-H`). Each replaces a header of the same name, regardless of case. */
  readonly headers?: readonly Header[] | undefined;
  /**
   * Reads a file that a capture names (`-d @FILE`). Without it, such a capture is a usage error.
   */
  readonly readFile?: ReadFile | undefined;
}

export interface SignedEntry {
  readonly entry: number;
  read(): CapturedRequest;
}

const RECORD_AGAIN = 'record again while the signed request is sent';

/**
 * Reads a signed request from a capture; the format is recognised by the content. From a capture of
 * several requests, returns the first signed one, or `entry`. Without `entry`, the only request of a
 * capture is returned even if it is not signed.
 *
 * @throws {MopError} `usage` for a capture that cannot be read, with its format and the place of the
 *   fault; for several requests of which none is signed; for an `entry` that is missing or unsigned.
 *
 * @example
 * ```ts
 * import { type CapturedRequest, type CaptureOptions, readCapture } from 'mop-cli/signing';
 *
 * const command = `curl https://h.example/open/v1/x -d '{"a":1,"sign":"S"}'`;
 * const options: CaptureOptions = { entry: 1 };
 * const request: CapturedRequest = await readCapture(command, options);
 * console.log(request.format, request.url, request.body);
 * // curl https://h.example/open/v1/x {"a":1,"sign":"S"}
 * ```
 */
export async function readCapture(
  input: string | Uint8Array,
  options: CaptureOptions = {},
): Promise<CapturedRequest> {
  const { format, outcomes } = await foundIn(input, options);
  const [only] = outcomes;
  if (options.entry === undefined && outcomes.length === 1 && only) return requestOf(only);
  const signed = signedEntries(outcomes);
  if (options.entry !== undefined) return signedRequestAt(options.entry, outcomes, signed, format);
  if (signed[0] === undefined) throw noneSigned(format, outcomes);
  return signed[0].read();
}

/**
 * @throws {MopError} `usage` when the capture cannot be read, or none of its requests is signed.
 */
export async function readCaptures(
  input: string | Uint8Array,
  options: Omit<CaptureOptions, 'entry'> = {},
): Promise<readonly SignedEntry[]> {
  const { format, outcomes } = await foundIn(input, options);
  const signed = signedEntries(outcomes);
  if (signed.length === 0) throw noneSigned(format, outcomes);
  return signed;
}

/**
 * The first reading whose signature is right; otherwise the request itself. A text with escapes, or
 * with several possible bodies, has several readings.
 */
export async function rightCapture(
  request: CapturedRequest,
  secret: string,
  readings: Readings,
): Promise<CapturedRequest> {
  const isRight = (each: CapturedRequest): boolean => {
    const reads = readsOf(each, readings);
    return reads !== undefined && rightReading(reads, reads[0].signature, secret) !== undefined;
  };
  if (request.otherReadings === undefined || isRight(request)) return request;
  return (await otherReadings(request)).find(isRight) ?? request;
}

export async function otherReadings(request: CapturedRequest): Promise<readonly CapturedRequest[]> {
  const others = (await request.otherReadings?.()) ?? [];
  return others
    .filter((other) => readsOf(other) !== undefined)
    .map((other) => ({ ...other, notes: [...other.notes, OTHER_READING] }));
}

function readsOf(request: CapturedRequest, readings?: Readings): Reads | undefined {
  try {
    return readRequest(request, readings);
  } catch (error) {
    if (error instanceof MopError) return undefined;
    throw error;
  }
}

const OTHER_READING =
  'the capture has several readings; the verdict is about the one that is shown';

async function foundIn(
  input: string | Uint8Array,
  { headers = [], readFile }: CaptureOptions,
): Promise<Found> {
  const found = await findRequests(input, { headers, readFile });
  if (!found) throw unknownFormat(new Source(input));
  const { text } = new Source(input);
  const outcomes = found.outcomes.map((outcome): Outcome => {
    if ('error' in outcome) return outcome;
    const { request } = outcome;
    return { request: { ...request, sentAt: sentAt(text, signatureOf(request) ?? '') } };
  });
  return { ...found, outcomes };
}

/**
 * Most requests of a recorded page do not go to the platform: an unreadable one counts only if it
 * looks signed, and is not a masked copy of a signed one.
 */
function signedEntries(outcomes: readonly Outcome[]): readonly SignedEntry[] {
  const hasSigned = outcomes.some(isSigned);
  return outcomes.flatMap((outcome, index) => {
    const isIncluded =
      'error' in outcome
        ? outcome.looksSigned && !(outcome.isMasked && hasSigned)
        : isSigned(outcome);
    return isIncluded ? [{ entry: index + 1, read: () => requestOf(outcome) }] : [];
  });
}

function requestOf(outcome: Outcome): CapturedRequest {
  if ('error' in outcome) throw outcome.error;
  return outcome.request;
}

/** Names the first unreadable request, whose signature may be in a file or a variable. */
function noneSigned(format: CaptureFormat, outcomes: readonly Outcome[]): MopError {
  for (const [index, outcome] of outcomes.entries()) {
    if (!('error' in outcome)) continue;
    if (outcomes.length === 1) return outcome.error;
    return captureError(
      format,
      `${unsigned(outcomes.length)}; entry ${index + 1} cannot be read: ${faultOf(outcome.error)}`,
      RECORD_AGAIN,
      outcome.error,
    );
  }
  return captureError(format, unsigned(outcomes.length), RECORD_AGAIN);
}

function unsigned(count: number): string {
  if (count === 0) return 'it contains no request';
  return count === 1 ? 'its request is not signed' : `none of its ${count} requests is signed`;
}

function signedRequestAt(
  entry: number,
  outcomes: readonly Outcome[],
  signed: readonly SignedEntry[],
  format: CaptureFormat,
): CapturedRequest {
  const count = outcomes.length;
  const outcome = outcomes[entry - 1];
  if (outcome === undefined && count === 1) throw captureFault(format, 'one-request', [entry]);
  if (outcome && signed.some((request) => request.entry === entry)) return requestOf(outcome);
  if (signed.length === 0) {
    throw outcome && 'error' in outcome ? outcome.error : noneSigned(format, outcomes);
  }
  const numbers = signed.slice(0, 20).map((request) => request.entry);
  const hint = quoted`choose a signed request with --entry N (signed: ${own(numbers.join(', '))})`;
  if (outcome && 'error' in outcome) throw withDetails(outcome.error, { hint });
  const fault = outcome ? `of ${count} is not signed` : `does not exist, the last is ${count}`;
  throw captureError(format, `entry ${entry} ${fault}`, hint);
}

function unknownFormat({ head, text }: Source): MopError {
  if (isSignedForm(text)) {
    return new MopError('usage', `the request ${URLENCODED_FORM}`, {
      hint: 'send the fields as a JSON object, with Content-Type: application/json; the signature can be verified in such an object',
    });
  }
  const subject =
    head === ''
      ? 'the request is empty'
      : `the request is in an unknown format; it begins with ${shown(head)}`;
  return new MopError('usage', subject, {
    hint: 'pass a JSON body, a HAR file, a copied curl, fetch or PowerShell command, or an HTTP message from its request line on',
  });
}
