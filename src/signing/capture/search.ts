import { MopError } from '../../errors.ts';
import type { Header } from '../header-mode.ts';
import {
  type Attempt,
  bestAttempt,
  doubted,
  type Found,
  isCertain,
  isFound,
  isSigned,
  MAX_LENGTH,
  type Outcome,
} from './attempt.ts';
import type { CapturedRequest } from './captured-request.ts';
import { CURL_COMMAND } from './curl-command.ts';
import { FETCH_CALL } from './fetch-call.ts';
import { HTTP_FILE } from './http-file.ts';
import { HTTP_MESSAGES } from './http-messages.ts';
import { HTTPIE_COMMAND } from './httpie-command.ts';
import { HAR_FILE, JSON_BODY } from './json-requests.ts';
import { LOGGED_REQUESTS } from './logged-requests.ts';
import { maskedSignature, signatureOf, withMaskNotes } from './masked-values.ts';
import { GB18030, textsIn } from './peel.ts';
import { POWERSHELL_COMMAND } from './powershell.ts';
import { type CaptureEntry, type CaptureReader, type ReadFile, Source } from './source.ts';
import { WGET_COMMAND } from './wget-command.ts';

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
