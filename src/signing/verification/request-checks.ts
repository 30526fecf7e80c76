import { quoted } from '../../errors.ts';
import { MAX_CLOCK_SKEW_SECONDS, unixSeconds } from '../../protocol/limits.ts';
import {
  ADDRESS_PREFIX,
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  isSignedHeaderName,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../../protocol/operations.ts';
import {
  type AllReadings,
  DEFAULT_READINGS,
  type Readings,
  readingEntries,
} from '../../protocol/readings.ts';
import { TIMESTAMP_INVALID } from '../../protocol/result-codes.ts';
import { isUtf8, latin1Bytes } from '../bytes.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import { nonceWarning, timestampWarning, typeWarnings } from '../field-limits.ts';
import { type Header, headerValue, sameName } from '../header-mode.ts';
import { plainName } from '../header-name.ts';
import {
  commonFieldText,
  headersOf,
  type ReceivedRequest,
  type SignedContent,
} from '../received-request.ts';
import { valueText } from '../value-text.ts';

/** The timestamp of a request, compared with the clock; in Unix seconds. */
export interface ClockCheck {
  /** Null when it is missing or not a number. */
  readonly timestamp: number | null;
  readonly now: number;
  /** Positive when the timestamp is ahead. */
  readonly skewSeconds: number | null;
  readonly withinLimit: boolean | null;
}

/** Compares the timestamp of a request with the clock. `now` and `limit` are in seconds. */
export function checkClock(content: SignedContent, now: number, limit: number): ClockCheck {
  const text = commonFieldText(content, 'timestamp') ?? '';
  const timestamp = /^\d{1,15}$/.test(text) ? unixSeconds(Number(text)) : null;
  const skewSeconds = timestamp === null ? null : timestamp - now;
  const withinLimit = skewSeconds === null ? null : Math.abs(skewSeconds) <= limit;
  return { timestamp, now, skewSeconds, withinLimit };
}

/** The certain reason for which the platform refuses a request with a right signature. */
export interface PlatformRefusal {
  readonly reason: string;
  readonly fix: string;
}

/** The refusal of a timestamp, when `clock.now` is the time of sending (D1 4.1 rule 1). */
export function timestampRefusal({
  skewSeconds,
  withinLimit,
}: ClockCheck): PlatformRefusal | undefined {
  const limit = MAX_CLOCK_SKEW_SECONDS;
  if (skewSeconds === null || withinLimit || Math.abs(skewSeconds) <= limit) return undefined;
  const zone = zoneMistake(skewSeconds);
  return {
    reason: `the timestamp is ${skewText(skewSeconds, 'the time of sending')}${zone}; the platform accepts ${limit} s, and answers ${TIMESTAMP_INVALID}`,
    fix: zone
      ? 'use Unix time, which has no time zone: time.time() (Python), Date.now() / 1000 (JavaScript), Instant.now() (Java), DateTimeOffset.UtcNow (.NET)'
      : 'set the clock of the sender, and sign each request just before it is sent, a retry too',
  };
}

/** Warnings about the timestamp; `limit` is in seconds. */
export function clockWarnings({ skewSeconds, withinLimit }: ClockCheck, limit: number): string[] {
  if (skewSeconds === null) return ['the request has no numeric timestamp'];
  if (withinLimit) return [];
  const warning = `the timestamp is ${skewText(skewSeconds, 'the clock')}, more than ${limit} s`;
  const answer = `: if the request was sent at that time, the platform answers ${TIMESTAMP_INVALID}`;
  return [Math.abs(skewSeconds) > MAX_CLOCK_SKEW_SECONDS ? warning + answer : warning];
}

/** The distance of a time, such as `5 s ahead of the clock`. */
export function skewText(seconds: number, other: string): string {
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${other}`;
}

/** The mistake with a time zone that explains whole hours; empty for another difference. */
function zoneMistake(seconds: number): string {
  const hours = Math.round(Math.abs(seconds) / 3600);
  const rest = Math.abs(seconds) - hours * 3600;
  if (hours < 1 || hours > MAX_ZONE_HOURS || Math.abs(rest) > MAX_CLOCK_SKEW_SECONDS) return '';
  const amount = hours === 1 ? '1 hour' : `${hours} hours`;
  return seconds > 0
    ? ` (${amount} ahead: a local time of UTC+${hours} was read as UTC)`
    : ` (${amount} behind: a time in UTC was read as a local time of UTC+${hours})`;
}

const MAX_ZONE_HOURS = 14;

/** The reasons to refuse a request regardless of its signature. */
export function refusals(
  { url = '' }: ReceivedRequest,
  content: SignedContent,
): readonly Diagnosis[] {
  const { mode } = content;
  const wentTo = (other: SignatureMode): boolean => url.includes(`${ADDRESS_PREFIX[other]}/`);
  const found = [
    wentTo(otherMode(mode)) && !wentTo(mode) ? wrongAddress(mode) : undefined,
    mode === 'header' ? wrongVersion(headersOf(content)) : misnamedFields(content),
  ];
  return found.filter((diagnosis) => diagnosis !== undefined);
}

/** Common fields of body mode in a spelling that the platform does not recognise. */
function misnamedFields({ fields }: SignedContent): Diagnosis | undefined {
  const names = fields.map(({ name }) => name);
  const misnamed = COMMON_FIELDS.filter((field) => !names.includes(field))
    .map((field) => ({ field, sent: similarName(field, names) ?? '' }))
    .filter(({ sent }) => sent !== '');
  if (misnamed.length === 0) return undefined;
  const list = misnamed.map(({ field, sent }) => `${sent} for ${field}`).join(', ');
  const title = `common fields are sent under other names: ${list}`;
  const fix = `send and sign the common fields as ${COMMON_FIELDS.join(', ')}`;
  return { id: 'names-changed', title, fields: misnamed.map(({ sent }) => sent), fix };
}

/**
 * For header mode. The sandbox answers with the title, which therefore has at most 64 characters.
 */
export function wrongVersion(headers: readonly Header[]): Diagnosis | undefined {
  const name = SIGN_HEADERS.version;
  const wanted = PROTOCOL_VERSION.header;
  const version = headerValue(headers, name);
  if (version === wanted) return undefined;
  const title = version === undefined ? `${name} is missing` : `${name} is not ${wanted}`;
  const fix = `send the header ${name}: ${wanted}, and sign it like any other field`;
  return { id: 'version', title, fields: [name], fix };
}

export function wrongAddress(mode: SignatureMode): Diagnosis {
  const other = otherMode(mode);
  const title = `a request of ${mode} mode was sent to ${ADDRESS_PREFIX[other]}, the address of ${other} mode`;
  const fix = `send it to ${ADDRESS_PREFIX[mode]}, or sign it by the rules of ${other} mode`;
  return { id: 'wrong-scheme', title, fields: [], fix };
}

function otherMode(mode: SignatureMode): SignatureMode {
  return mode === 'body' ? 'header' : 'body';
}

/** The message for a missing field or header. Mentions a similar name, or the name in the other mode. */
export function missingName(name: string, present: Iterable<string>): string {
  const names = [...present].filter((other) => other !== name);
  const similar = similarName(name, names);
  if (similar !== undefined) return `${name} is missing, but ${similar} was sent`;
  const mode = isSignedHeaderName(name) ? 'header' : 'body';
  const counterparts = COUNTERPARTS.filter((pair) => pair[mode] === name);
  const misplaced = names.find((other) =>
    counterparts.some((pair) => sameName(pair[otherMode(mode)], other)),
  );
  const note = misplaced && `: ${misplaced} belongs to ${ADDRESS_PREFIX[otherMode(mode)]}`;
  return `${name} is missing${note ?? ''}`;
}

function similarName(name: string, names: readonly string[]): string | undefined {
  return names.find((other) => plainName(other) === plainName(name));
}

const COUNTERPARTS = [
  ...COMMON_FIELDS.map((field) => ({ body: field, header: HEADER_OF_FIELD[field] })),
  { body: 'sign', header: SIGN_HEADERS.sign },
  { body: 'sign', header: SIGN_HEADERS.version },
];

/** Warns about readings that a right signature depends on, except default and chosen ones. */
export function readingWarnings(readings: Readings, chosen: Readings = {}): string[] {
  return readingEntries(readings)
    .filter(([name, value]) => value !== DEFAULT_READINGS[name])
    .filter(([name]) => (chosen[name] ?? 'any') === 'any')
    .map(
      ([name, value]) =>
        quoted`the signature is right under the reading ${name}=${value}; the documents leave this open (mop help readings)`,
    );
}

export function nameWarnings({ mode, respelled }: SignedContent): string[] {
  if (mode === 'body' || respelled.length === 0) return [];
  const names = respelled.map(({ sent, signed }) => `${sent} as ${signed}`).join(', ');
  return [
    `header names arrived in another case and were read as documented (reading header-names=documented): ${names}`,
  ];
}

export function contentWarnings(
  request: ReceivedRequest,
  content: SignedContent,
  readings: AllReadings,
  isRight: boolean,
): string[] {
  const { mode, fields, signature } = content;
  const names = fields.map(({ name }) => name);
  const required = COMMON_FIELDS.filter((field) => mode === 'body' || field !== 'nonce');
  const missing = required.filter((field) => commonFieldText(content, field) === undefined);
  const timestamp = timestampWarning(commonFieldText(content, 'timestamp'), mode);
  const version = mode === 'body' && headerValue(headersOf(content), SIGN_HEADERS.version);
  const misread = fields.flatMap(({ name, value }) => [name, valueText(value)]).find(isMisreadUtf8);
  const warnings: readonly (string | false | undefined)[] = [
    ...missing.map((field) => {
      const name = mode === 'body' ? field : HEADER_OF_FIELD[field];
      return `${missingName(name, names)}; every request needs it`;
    }),
    nonceWarning(commonFieldText(content, 'nonce'), mode, readings.nonce),
    timestamp && timestamp + (isRight ? `: code ${TIMESTAMP_INVALID} is likely` : ''),
    ...(mode === 'body' ? typeWarnings(fields, readings.types) : []),
    readings.types === 'strict' && contentTypeWarning(request),
    misread &&
      `${JSON.stringify(/[\x80-\xff].{0,19}/s.exec(misread)?.[0])} looks like UTF-8 that was read as Latin-1: if the capture did that, the verdict does not apply to the sent text`,
    version &&
      version !== PROTOCOL_VERSION.body &&
      `${SIGN_HEADERS.version} is ${version}, but the signature is in the body (protocol 1.0), where this header has no meaning`,
    signature.trim() !== signature && 'the signature has white space around it',
  ];
  return warnings.filter((warning) => typeof warning === 'string');
}

/** Only for the reading types=strict (D1 section 1). */
function contentTypeWarning({ headers = [], body }: ReceivedRequest): string | undefined {
  const type = headerValue(headers, 'Content-Type');
  // If only signed headers are given, the others were probably not captured.
  const isComplete = headers.some(([name]) => !isSignedHeaderName(name));
  const isJson = /^application\/json\s*(?:;|$)/i.test(type ?? '');
  if (typeof body !== 'string' || !isComplete || isJson) return undefined;
  return `Content-Type is ${type ?? 'missing'}; the documents require application/json (reading types=strict)`;
}

function isMisreadUtf8(text: string): boolean {
  return /[\x80-\xff]/.test(text) && !/[^\0-\xff]/.test(text) && isUtf8(latin1Bytes(text));
}
