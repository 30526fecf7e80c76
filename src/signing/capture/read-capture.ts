import { MopError, withDetails } from '../../errors.ts';
import { parseMembers } from '../../json/parse.ts';
import { member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { URLENCODED_FORM } from '../body-fault.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { isSignedForm } from '../pasted-canonical.ts';
import { APACHE_LOG } from './apache-log.ts';
import { AXIOS_ERROR } from './axios-error.ts';
import { BURP_FILE } from './burp.ts';
import { captureError, faultOf, shown } from './capture-error.ts';
import { Capture, type CaptureEntry, type CaptureReader } from './capture-reader.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';
import type { ReadFile } from './command-files.ts';
import { CURL_COMMAND } from './curl-command.ts';
import { CURL_TRACE } from './curl-trace.ts';
import { CURL_VERBOSE } from './curl-verbose.ts';
import { FETCH_CALL } from './fetch-call.ts';
import { HAR_FILE } from './har.ts';
import { HTTP_FILE } from './http-file.ts';
import { HTTP_MESSAGE } from './http-message.ts';
import { HTTPIE_COMMAND } from './httpie-command.ts';
import { JSON_BODY } from './json-body.ts';
import { LOG_LINES } from './log-lines.ts';
import { OKHTTP_LOG } from './okhttp-log.ts';
import { POSTMAN_COLLECTION } from './postman.ts';
import { POWERSHELL_COMMAND } from './powershell.ts';
import { PSEUDO_HEADERS } from './pseudo-headers.ts';
import { PYTHON_LOG } from './python-log.ts';
import { WGET_COMMAND } from './wget-command.ts';

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

/** A request of a capture that is signed, or that looks signed and cannot be read. */
export interface SignedEntry {
  /** Its number in the capture, from 1. */
  readonly entry: number;
  /** @throws {MopError} `usage` when it cannot be read. */
  read(): CapturedRequest;
}

const RECORD_AGAIN = 'record again while the signed request is sent';

/**
 * All formats. The first one that recognises a capture reads it, so the order matters: a format
 * precedes every format whose test accepts its captures too. {@link JSON_BODY} is last.
 */
const READERS: readonly CaptureReader[] = [
  HTTP_FILE,
  HTTP_MESSAGE,
  HAR_FILE,
  CURL_COMMAND,
  WGET_COMMAND,
  APACHE_LOG,
  OKHTTP_LOG,
  PYTHON_LOG,
  CURL_TRACE,
  CURL_VERBOSE,
  PSEUDO_HEADERS,
  HTTPIE_COMMAND,
  AXIOS_ERROR,
  POWERSHELL_COMMAND,
  FETCH_CALL,
  BURP_FILE,
  POSTMAN_COLLECTION,
  LOG_LINES,
  JSON_BODY,
];

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
  const { format, entries } = await entriesOf(input, options);
  const [only] = entries;
  if (options.entry === undefined && entries.length === 1 && only) return only.read();
  const outcomes = await readEntries(entries);
  const signed = signedEntries(outcomes);
  if (options.entry !== undefined) return signedRequestAt(options.entry, outcomes, signed, format);
  if (signed[0] === undefined) throw noneSigned(format, outcomes);
  return signed[0].read();
}

/**
 * Reads every signed request of a capture.
 *
 * @throws {MopError} `usage` when the capture cannot be read, or none of its requests is signed.
 */
export async function readCaptures(
  input: string | Uint8Array,
  options: Omit<CaptureOptions, 'entry'> = {},
): Promise<readonly SignedEntry[]> {
  const { format, entries } = await entriesOf(input, options);
  const outcomes = await readEntries(entries);
  const signed = signedEntries(outcomes);
  if (signed.length === 0) throw noneSigned(format, outcomes);
  return signed;
}

async function entriesOf(
  input: string | Uint8Array,
  { headers = [], readFile }: CaptureOptions,
): Promise<{ format: CaptureFormat; entries: readonly CaptureEntry[] }> {
  const capture = new Capture(input);
  const reader = READERS.find(({ isFormat }) => isFormat(capture));
  if (reader === undefined) throw unknownFormat(capture);
  const { format } = reader;
  const entries = await reader.read(capture, readFile);
  return {
    format,
    entries: entries.map(({ looksSigned, read }) => ({
      looksSigned,
      read: async () => withHeaders(await read(), headers),
    })),
  };
}

function withHeaders(request: CapturedRequest, added: readonly Header[]): CapturedRequest {
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const kept = request.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...request, headers: [...kept, ...added] };
}

/** The request of an entry, or the reason why it cannot be read. */
type Outcome =
  | { readonly request: CapturedRequest }
  | { readonly error: MopError; readonly looksSigned: boolean };

async function readEntries(entries: readonly CaptureEntry[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { looksSigned, read } of entries) {
    try {
      outcomes.push({ request: await read() });
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      outcomes.push({ error, looksSigned });
    }
  }
  return outcomes;
}

/**
 * Most requests of a recorded page do not go to the platform. An unreadable one is included only if
 * it looks signed.
 */
function signedEntries(outcomes: readonly Outcome[]): readonly SignedEntry[] {
  return outcomes.flatMap((outcome, index) => {
    const isIncluded = 'error' in outcome ? outcome.looksSigned : isSigned(outcome.request);
    return isIncluded ? [{ entry: index + 1, read: () => requestOf(outcome) }] : [];
  });
}

function requestOf(outcome: Outcome): CapturedRequest {
  if ('error' in outcome) throw outcome.error;
  return outcome.request;
}

/** Whether a request has a signature, in a header or in its body. */
function isSigned({ headers, body }: CapturedRequest): boolean {
  if (headerValue(headers, SIGN_HEADERS.sign)) return true;
  return typeof body === 'string'
    ? member(parseMembers(body, 'as-written'), 'sign') !== undefined
    : body.some(({ name }) => name === 'sign');
}

/**
 * The error when no request is signed. It names the first unreadable one, whose signature may be in a
 * file or a variable.
 */
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

/** @throws {MopError} `usage` for an entry that does not exist, is not signed or cannot be read. */
function signedRequestAt(
  entry: number,
  outcomes: readonly Outcome[],
  signed: readonly SignedEntry[],
  format: CaptureFormat,
): CapturedRequest {
  const count = outcomes.length;
  const outcome = outcomes[entry - 1];
  if (outcome === undefined && count === 1) {
    throw captureError(format, `it has no entry ${entry}, only one request`, 'leave out --entry');
  }
  if (count === 0) throw noneSigned(format, outcomes);
  if (outcome && signed.some((request) => request.entry === entry)) return requestOf(outcome);
  const hint =
    signed.length > 0 ? `choose a signed request with --entry N (${listed(signed)})` : RECORD_AGAIN;
  if (outcome && 'error' in outcome) throw withDetails(outcome.error, { hint });
  const fault = outcome ? `of ${count} is not signed` : `does not exist, the last is ${count}`;
  throw captureError(format, `entry ${entry} ${fault}`, hint);
}

function listed(signed: readonly SignedEntry[]): string {
  const numbers = signed.slice(0, 20).map(({ entry }) => entry);
  return `signed: ${numbers.length === 1 ? 'entry' : 'entries'} ${numbers.join(', ')}${signed.length > 20 ? ', …' : ''}`;
}

function unknownFormat({ head, text }: Capture): MopError {
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
