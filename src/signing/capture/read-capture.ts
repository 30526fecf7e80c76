import { MopError } from '../../errors.ts';
import { parseMembers } from '../../json/parse.ts';
import { member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { URLENCODED_FORM } from '../body-fault.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { isSignedForm } from '../pasted-canonical.ts';
import { APACHE_LOG } from './apache-log.ts';
import { AXIOS_ERROR } from './axios-error.ts';
import { BURP_FILE } from './burp.ts';
import { captureError, shown } from './capture-error.ts';
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

/** A signed request of a capture. */
export interface SignedEntry {
  /** Its number in the capture, from 1. */
  readonly entry: number;
  /** @throws {MopError} `usage` when it is signed, but cannot be read. */
  read(): CapturedRequest;
}

/** All formats. The first one that recognises a capture reads it. */
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
 * several requests, returns the first signed one, or `entry`.
 *
 * @throws {MopError} `usage` for a capture that cannot be read, with its format and the place of the
 *   fault.
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
  const { signed, failure } = await signedEntries(entries);
  const wanted = options.entry ?? signed[0]?.entry;
  if (wanted === undefined) throw noneSigned(format, entries.length, failure);
  const request = signed.find(({ entry }) => entry === wanted);
  if (request) return request.read();
  throw noSuchEntry(format, wanted, entries.length, signed);
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
  const { signed, failure } = await signedEntries(entries);
  if (signed.length > 0) return signed;
  throw noneSigned(format, entries.length, failure);
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

interface SignedEntries {
  readonly signed: readonly SignedEntry[];
  /** The first unreadable entry that does not look signed. */
  readonly failure: { readonly entry: number; readonly error: MopError } | undefined;
}

async function signedEntries(entries: readonly CaptureEntry[]): Promise<SignedEntries> {
  const signed: SignedEntry[] = [];
  let failure: SignedEntries['failure'];
  for (const [index, { looksSigned, read }] of entries.entries()) {
    const entry = index + 1;
    try {
      const request = await read();
      if (isSigned(request)) signed.push({ entry, read: () => request });
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      const rethrow = (): never => {
        throw error;
      };
      // Most entries of a recorded page are not requests of the platform.
      if (looksSigned) signed.push({ entry, read: rethrow });
      else failure ??= { entry, error };
    }
  }
  return { signed, failure };
}

/** Whether a request has a signature, in a header or in its body. */
function isSigned({ headers, body }: CapturedRequest): boolean {
  if (headerValue(headers, SIGN_HEADERS.sign)) return true;
  return typeof body === 'string'
    ? member(parseMembers(body, 'as-written'), 'sign') !== undefined
    : body.some(({ name }) => name === 'sign');
}

/** A signature may be in a file or a variable, so an unreadable request is possibly signed. */
function noneSigned(
  format: CaptureFormat,
  count: number,
  failure: SignedEntries['failure'],
): MopError {
  if (failure && count === 1) return failure.error;
  const reason = failure?.error.message.replace(/^read as [^:]*: /, '');
  return captureError(
    format,
    `${unsigned(count)}${failure ? `; entry ${failure.entry} cannot be read: ${reason}` : ''}`,
    'record again while the signed request is sent',
    failure?.error,
  );
}

function unsigned(count: number): string {
  if (count === 0) return 'it contains no request';
  return count === 1 ? 'its request is not signed' : `none of its ${count} requests is signed`;
}

function noSuchEntry(
  format: CaptureFormat,
  wanted: number,
  count: number,
  signed: readonly SignedEntry[],
): MopError {
  const exists = wanted > 0 && wanted <= count;
  if (count === 1 && !exists) {
    return captureError(format, `it has no entry ${wanted}, only one request`, 'leave out --entry');
  }
  const state = exists ? `of ${count} is not signed` : `does not exist, the last is ${count}`;
  return captureError(
    format,
    `entry ${wanted} ${state}; ${listed(signed)}`,
    signed.length > 0
      ? 'choose a signed request with --entry N'
      : 'record again while the signed request is sent',
  );
}

function listed(signed: readonly SignedEntry[]): string {
  if (signed.length === 0) return 'no entry is signed';
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
