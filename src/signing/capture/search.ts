import { MopError } from '../../errors.ts';
import { jsonObject } from '../../json/parse.ts';
import type { Header } from '../header-mode.ts';
import { hasMisplacedSignature } from '../missing-signature.ts';
import {
  type CapturedRequest,
  type CaptureFormat,
  maskedSignature,
  signatureOf,
  withMaskNotes,
} from './captured-request.ts';
import { CURL_COMMAND } from './curl-command.ts';
import { FETCH_CALL } from './fetch-call.ts';
import { HTTP_FILE } from './http-file.ts';
import { HTTP_MESSAGES, WIRE_BEGINNING } from './http-messages.ts';
import { HTTPIE_COMMAND } from './httpie-command.ts';
import { HAR_FILE, isWrapper, JSON_BODY } from './json-requests.ts';
import { LOGGED_REQUESTS } from './logged-requests.ts';
import { objectsIn } from './objects.ts';
import { isSignedForm } from './pasted-canonical.ts';
import { GB18030, textsIn } from './peel.ts';
import { POWERSHELL_COMMAND } from './powershell.ts';
import { refusal } from './refusals.ts';
import { type CaptureEntry, type CaptureReader, type ReadFile, Source } from './source.ts';
import { WGET_COMMAND } from './wget-command.ts';

export type Outcome =
  | { readonly request: CapturedRequest }
  | { readonly error: MopError; readonly looksSigned: boolean; readonly isMasked?: boolean };

export interface Found {
  readonly format: CaptureFormat;
  readonly outcomes: readonly Outcome[];
}

interface Attempt extends Found {
  readonly source: Source;
}

export function isSigned(outcome: Outcome): boolean {
  return 'request' in outcome && signatureOf(outcome.request) !== undefined;
}

/**
 * The first reader that finds a signed request reads the text: a reader precedes every reader that
 * recognises its texts too.
 */
const READERS: readonly CaptureReader[] = [
  HTTP_FILE,
  HTTP_MESSAGES,
  HAR_FILE,
  CURL_COMMAND,
  WGET_COMMAND,
  HTTPIE_COMMAND,
  POWERSHELL_COMMAND,
  FETCH_CALL,
  JSON_BODY,
  LOGGED_REQUESTS,
];

export interface SearchOptions {
  readonly headers: readonly Header[];
  readonly readFile: ReadFile | undefined;
}

/**
 * Finds the signed requests of a capture: in its text, else below one layer of it, else below two;
 * otherwise the unsigned requests of the whole text. Undefined for an unknown form.
 */
export async function findRequests(
  input: string | Uint8Array,
  options: SearchOptions,
): Promise<Found | undefined> {
  const attempts: Attempt[] = [];
  const texts: string[] = [];
  for (const source of textsIn(input)) {
    if (texts.length < MAX_DESCRIBED) texts.push(source.text.slice(0, MAX_LENGTH));
    for await (const attempt of attemptsOn(source, options)) {
      if (isFound(attempt)) return withOtherReadings(attempt, input, options);
      attempts.push(attempt);
    }
  }
  const doubtful = attempts.find(({ outcomes }) => outcomes.some(isSigned));
  const best = () => bestAttempt(attempts, texts, new Source(input));
  return doubtful ? withOtherReadings(doubted(doubtful, best), input, options) : best();
}

async function* attemptsOn(
  source: Source,
  { headers, readFile }: SearchOptions,
): AsyncGenerator<Attempt> {
  let hasForm = false;
  for (const reader of READERS) {
    // A script may contain the body that its command reads from a file.
    const isPossible = !hasForm || reader === LOGGED_REQUESTS;
    if (!isPossible || !reader.isFormat(source)) continue;
    const outcomes: Outcome[] = [];
    try {
      for (const { looksSigned, read } of await reader.read(source, readFile)) {
        outcomes.push(await outcomeOf(read, looksSigned, headers));
      }
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      outcomes.push({ error, looksSigned: false });
    }
    const attempt = { format: reader.format, outcomes, source };
    yield attempt;
    hasForm ||= isCertain(attempt);
  }
}

async function outcomeOf(
  read: CaptureEntry['read'],
  looksSigned: boolean,
  headers: readonly Header[],
): Promise<Outcome> {
  try {
    const request = added(await read(), headers);
    const error = maskedSignature(request);
    return error
      ? { error, looksSigned: true, isMasked: true }
      : { request: withMaskNotes(request) };
  } catch (error) {
    if (!(error instanceof MopError) || error.code !== 'usage') throw error;
    return { error, looksSigned };
  }
}

/** A request with the headers of `-H`. Receivers remove the blanks around a value (RFC 9110 5.5). */
function added(request: CapturedRequest, headers: readonly Header[]): CapturedRequest {
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = request.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  const trimmed = kept.map(
    ([name, value]): Header => [name, value.replace(/^[ \t]+|[ \t]+$/g, '')],
  );
  return { ...request, headers: [...trimmed, ...headers] };
}

const MAX_DESCRIBED = 40;

/**
 * Adds the requests with the same signature in other texts below as many layers. Texts below the
 * escapes of quoted JSON count too, which is often valid before it is decoded. Others do not: the
 * values of a body may be escaped themselves.
 */
function withOtherReadings(
  found: Attempt,
  input: string | Uint8Array,
  options: SearchOptions,
): Attempt {
  let others: Promise<readonly CapturedRequest[]> | undefined;
  const outcomes = found.outcomes.map((outcome): Outcome => {
    if ('error' in outcome) return outcome;
    const { request } = outcome;
    const signature = signatureOf(request);
    const otherReadings = async (): Promise<readonly CapturedRequest[]> => {
      others ??= everyRequest(input, options, found);
      const same = (await others).filter((each) => isPartOf(signatureOf(each), signature));
      const readings = await Promise.all([request, ...same].map(readingsOf));
      return readings.flat().filter((each) => !isSame(each, request));
    };
    const { layers } = found.source;
    const dump = layers.find((name) => name.endsWith('dump') || name === GB18030);
    const notes =
      dump === undefined ? request.notes : [...request.notes, `the request was read from ${dump}`];
    return { request: { ...request, notes, otherReadings } };
  });
  return { ...found, outcomes };
}

/** Whether a signature is another one, or its beginning: joined lines may have made it longer. */
function isPartOf(signature = '', longer = ''): boolean {
  return signature === longer || (signature.length >= 32 && longer.startsWith(signature));
}

async function readingsOf(request: CapturedRequest): Promise<readonly CapturedRequest[]> {
  return [request, ...((await request.otherReadings?.()) ?? [])];
}

/** Layers of a text in quotes. */
const QUOTING = ['doubled quotes', 'backslash escapes', 'sums of strings', 'entities'];
/** Layers of stores and search engines, from which a log or a document may come. */
const OF_STORES = ['numbers of MongoDB', 'highlights'];

async function everyRequest(
  input: string | Uint8Array,
  options: SearchOptions,
  { format, outcomes, source: { layers, text } }: Attempt,
): Promise<readonly CapturedRequest[]> {
  const requests = outcomes.flatMap((each) => ('request' in each ? [each.request] : []));
  const isQuoted = layers.length > 0 || (format === 'log' && hasQuotedObject(text));
  const further = [...(isQuoted ? QUOTING : []), ...(format === 'log' ? OF_STORES : [])];
  if (layers.length === 0 && further.length === 0) return requests;
  for (const source of textsIn(input)) {
    if (!source.layers.slice(layers.length).every((name) => further.includes(name))) continue;
    for await (const { outcomes } of attemptsOn(source, options)) {
      // As arguments of push, many requests would overflow the stack.
      for (const each of outcomes)
        if ('request' in each && isSigned(each)) requests.push(each.request);
    }
  }
  return requests;
}

/** Whether an object follows a quote, or an odd number of quotes in its line. */
function hasQuotedObject(text: string): boolean {
  if (/["'`]\s{0,3}\{/.test(text)) return true;
  const braces = [...text.slice(0, MAX_LENGTH).matchAll(/\{/g)].slice(0, MAX_BRACES);
  return braces.some(({ index }) => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index).slice(-MAX_LINE);
    return ['"', "'", '`'].some((quote) => line.split(quote).length % 2 === 0);
  });
}

const MAX_BRACES = 100;
const MAX_LINE = 2000;

function isSame(a: CapturedRequest, b: CapturedRequest): boolean {
  const headers = (request: CapturedRequest) => JSON.stringify(request.headers);
  return a.body === b.body && headers(a) === headers(b);
}

/** A signed request, or a whole text whose fault explains the missing signature, is the answer. */
function isFound(attempt: Attempt): boolean {
  const { source, format, outcomes } = attempt;
  if (format === 'json' && isWrapper(source.document)) return true;
  return outcomes.some((outcome) => {
    if ('error' in outcome) return outcome.isMasked || (isCertain(attempt) && outcome.looksSigned);
    if (isSigned(outcome)) return outcome.request.doubt === undefined;
    return !source.isPeeled && format !== 'json' && isMisplaced(outcome);
  });
}

function isMisplaced(outcome: Outcome): boolean {
  if ('error' in outcome) return false;
  const { headers, body } = outcome.request;
  const members = typeof body === 'string' ? (jsonObject(body)?.members ?? []) : [];
  return hasMisplacedSignature({ headers, members });
}

/** Whether the form of the whole text is unmistakable, so that a fault in it is the answer. */
function isCertain({ format, source }: Attempt): boolean {
  if (source.isPeeled || format === 'json' || format === 'log') return false;
  return format !== 'http' || WIRE_BEGINNING.test(source.head);
}

function bestAttempt(
  attempts: readonly Attempt[],
  texts: readonly string[],
  root: Source,
): Found | undefined {
  if (isSignedForm(root.text)) return undefined;
  const certain = attempts.find(isCertain);
  if (certain && certain.format !== 'http') return certain;
  const specific = refusal(texts, 'specific');
  if (specific) throw specific;
  if (certain) return certain;
  const json = attempts.find(({ format }) => format === 'json');
  // An object that is cut off or invalid, and not a line of a log.
  const isOneObject = json && root.document === undefined && objectsIn(root.text).next().done;
  if (isOneObject || json?.outcomes.some(isMisplaced)) return json;
  // The start of a large document would look cut off.
  if (json && root.document !== undefined && root.text.length > MAX_LENGTH) return json;
  const messages = attempts.filter(({ format }) => format === 'http');
  const unreadable = messages.find(({ outcomes }) =>
    outcomes.some((outcome) => 'error' in outcome && outcome.looksSigned),
  );
  if (unreadable) return unreadable;
  const general = refusal(texts, 'general');
  if (general) throw general;
  return json ?? messages.find(({ outcomes }) => outcomes.length > 0);
}

/** Maximum characters of a text that a refusal describes. */
const MAX_LENGTH = 1_000_000;

function doubted(attempt: Attempt, best: () => Found | undefined): Attempt {
  let failure: MopError | undefined;
  try {
    failure = best()?.outcomes.flatMap((outcome) => ('error' in outcome ? outcome.error : []))[0];
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    failure = error;
  }
  const outcomes = attempt.outcomes.map((outcome) => {
    if ('error' in outcome || outcome.request.doubt === undefined) return outcome;
    return { request: { ...outcome.request, doubt: failure ?? outcome.request.doubt } };
  });
  return { ...attempt, outcomes };
}
