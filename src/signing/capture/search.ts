import { MopError } from '../../errors.ts';
import { jsonObject } from '../../json/parse.ts';
import type { Header } from '../header-mode.ts';
import { hasMisplacedSignature } from '../missing-signature.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';
import { CURL_COMMAND } from './curl-command.ts';
import { FETCH_CALL } from './fetch-call.ts';
import { HTTP_FILE } from './http-file.ts';
import { BEGINNING, HTTP_MESSAGES } from './http-messages.ts';
import { HTTPIE_COMMAND } from './httpie-command.ts';
import { HAR_FILE, isWrapper, JSON_BODY, JSON_OBJECTS } from './json-requests.ts';
import { signatureOf, withMaskNotes } from './masked-values.ts';
import { isSignedForm } from './pasted-canonical.ts';
import { textsIn } from './peel.ts';
import { POWERSHELL_COMMAND } from './powershell.ts';
import { refusal } from './refusals.ts';
import type { CaptureReader, ReadFile, Source } from './source.ts';
import { WGET_COMMAND } from './wget-command.ts';

/**
 * All readers. The first one that finds a signed request in a text reads it, so the order matters: a
 * reader precedes every reader that recognises its texts too.
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
  JSON_OBJECTS,
];

/** The request of an entry, or the reason why it cannot be read. */
export type Outcome =
  | { readonly request: CapturedRequest }
  | { readonly error: MopError; readonly looksSigned: boolean };

/** The requests that a reader found in a text. */
export interface Found {
  readonly format: CaptureFormat;
  readonly outcomes: readonly Outcome[];
}

interface Attempt extends Found {
  readonly source: Source;
}

export interface SearchOptions {
  readonly headers: readonly Header[];
  readonly readFile: ReadFile | undefined;
}

/**
 * Finds the signed requests of a capture: in its text, else below one layer of it, else below two.
 *
 * @returns Unsigned requests of the whole text when no text has a signed one; undefined for a text in
 *   an unknown form.
 * @throws {MopError} `usage` for a text without a readable request in a form that can be named.
 */
export async function findRequests(
  input: string | Uint8Array,
  options: SearchOptions,
): Promise<Found | undefined> {
  const attempts: Attempt[] = [];
  const sources: Source[] = [];
  let doubtful: Attempt | undefined;
  for (const source of textsIn(input)) {
    if (sources.length < MAX_DESCRIBED) sources.push(source);
    for await (const attempt of attemptsOn(source, options)) {
      if (isFound(attempt)) {
        if (!isDoubtful(attempt)) return withOtherReadings(attempt, input, options);
        doubtful ??= attempt;
      }
      attempts.push(attempt);
    }
  }
  return doubtful ? withOtherReadings(doubtful, input, options) : bestAttempt(attempts, sources);
}

/** Maximum number of texts that are compared with the forms of {@link refusal}. */
const MAX_DESCRIBED = 40;

async function* attemptsOn(
  source: Source,
  { headers, readFile }: SearchOptions,
): AsyncGenerator<Attempt> {
  for (const reader of READERS) {
    if (!reader.isFormat(source)) continue;
    const outcomes: Outcome[] = [];
    try {
      for (const { looksSigned, read } of await reader.read(source, readFile)) {
        outcomes.push(
          await outcomeOf(async () => withMaskNotes(added(await read(), headers)), looksSigned),
        );
      }
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      outcomes.push({ error, looksSigned: false });
    }
    const attempt = { format: reader.format, outcomes, source };
    yield attempt;
    if (!source.isPeeled && isCertain(attempt)) return;
  }
}

async function outcomeOf(
  read: () => Promise<CapturedRequest>,
  looksSigned: boolean,
): Promise<Outcome> {
  try {
    return { request: await read() };
  } catch (error) {
    if (!(error instanceof MopError) || error.code !== 'usage') throw error;
    return { error, looksSigned };
  }
}

function added(request: CapturedRequest, headers: readonly Header[]): CapturedRequest {
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = request.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...request, headers: [...kept, ...headers] };
}

export function isSigned(outcome: Outcome): boolean {
  return 'request' in outcome && signatureOf(outcome.request) !== undefined;
}

/** Formats that are recognised with certainty, so that a fault in them is the answer. */
const CERTAIN: readonly CaptureFormat[] = [
  ...(['curl', 'wget', 'httpie', 'powershell', 'fetch', 'http-file', 'har'] as const),
];

/**
 * Whether an attempt is the answer: it has a signed request, or the whole text is a request whose
 * fault explains the missing signature.
 */
function isFound({ source, format, outcomes }: Attempt): boolean {
  if (format === 'json' && isWrapper(source.document)) return true;
  if (outcomes.some(isSigned)) return true;
  if (source.isPeeled)
    return outcomes.some((outcome) => 'error' in outcome && isMask(outcome.error));
  const isAnswer = isCertain({ format, source, outcomes });
  return outcomes.some((outcome) =>
    'error' in outcome
      ? isMask(outcome.error) || (isAnswer && outcome.looksSigned)
      : format !== 'json' && isMisplaced(outcome.request),
  );
}

/** Whether no signature in the lines of a log is a digest: the text may be escaped. */
function isDoubtful({ format, outcomes }: Attempt): boolean {
  return (
    format === 'log' &&
    !outcomes.some(
      (outcome) => 'error' in outcome || DIGEST.test(signatureOf(outcome.request) ?? ''),
    )
  );
}

const DIGEST = /^[\da-f]{32}$/i;

function isMisplaced({ headers, body }: CapturedRequest): boolean {
  const members = typeof body === 'string' ? (jsonObject(body)?.members ?? []) : [];
  return hasMisplacedSignature({ headers, members });
}

function isMask({ message }: MopError): boolean {
  return message.includes('masks the signature');
}

/** Whether the whole text is in a form that is recognised with certainty. */
function isCertain({ format, source }: Attempt): boolean {
  const isMessage = BEGINNING.test(source.head);
  return CERTAIN.includes(format) || (format === 'http' && isMessage);
}

/** The attempt or the error that describes a capture without a signed request best. */
function bestAttempt(attempts: readonly Attempt[], sources: readonly Source[]): Found | undefined {
  const texts = sources.map(({ text }) => text);
  if (isSignedForm(texts.find((_, index) => !sources[index]?.isPeeled) ?? '')) return undefined;
  const own = attempts.filter(({ source }) => !source.isPeeled);
  const certain = own.find(isCertain);
  if (certain) return certain;
  const json = own.find(({ format }) => format === 'json');
  const isBroken = json && json.source.document === undefined && !isSeveral(json);
  if (isBroken) return json;
  const specific = refusal(texts, 'specific');
  if (specific) throw specific;
  const message = attempts.find(
    ({ format, outcomes }) =>
      format === 'http' && outcomes.some((outcome) => 'error' in outcome && outcome.looksSigned),
  );
  if (message) return message;
  const general = refusal(texts, 'general');
  if (general) throw general;
  return json ?? attempts.find(({ format, outcomes }) => format === 'http' && outcomes.length > 0);
}

function isSeveral({ outcomes }: Attempt): boolean {
  return outcomes.some((each) => 'error' in each && /several JSON/.test(each.error.message));
}

/**
 * Adds to each request the requests of the other texts with the same signature: a body in an escaped
 * text is often valid JSON before it is decoded.
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
      others ??= everyRequest(input, options);
      return (await others).filter(
        (each) => signatureOf(each) === signature && !isSame(each, request),
      );
    };
    const { layers } = found.source;
    const dump = layers.find((name) => name.endsWith('dump'));
    const notes =
      dump === undefined ? request.notes : [...request.notes, `the request was read from ${dump}`];
    return { request: { ...request, notes, otherReadings } };
  });
  return { ...found, outcomes };
}

async function everyRequest(
  input: string | Uint8Array,
  options: SearchOptions,
): Promise<readonly CapturedRequest[]> {
  const requests: CapturedRequest[] = [];
  for (const source of textsIn(input)) {
    for await (const { outcomes } of attemptsOn(source, options)) {
      // As arguments of push, many requests would overflow the stack.
      for (const each of outcomes)
        if ('request' in each && isSigned(each)) requests.push(each.request);
    }
  }
  return requests;
}

function isSame(a: CapturedRequest, b: CapturedRequest): boolean {
  const headers = (request: CapturedRequest) => JSON.stringify(request.headers);
  return a.body === b.body && headers(a) === headers(b);
}
