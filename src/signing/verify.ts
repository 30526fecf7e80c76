import { MopError } from '../errors.ts';
import {
  isMilliseconds,
  MAX_CLOCK_SKEW_SECONDS,
  NONCE_LENGTH,
  unixSeconds,
} from '../protocol/limits.ts';
import {
  ADDRESS_PREFIX,
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../protocol/operations.ts';
import { Draft, RIGHT_STEPS } from './diagnosis/draft.ts';
import type { DiagnosisId, NamedSecret } from './diagnosis/mistake.ts';
import { RIGHT_STYLE } from './diagnosis/print-style.ts';
import { type Diagnosis, findMistakes } from './diagnosis/search.ts';
import { explainContent } from './explain.ts';
import { documentedName } from './header-name.ts';
import {
  claimed,
  type ReceivedRequest,
  type SignedContent,
  signedContent,
} from './received-request.ts';
import { freshFields } from './request-fields.ts';

export interface VerifyOptions {
  /** The time to compare the timestamp with, in Unix seconds; default the system's clock. */
  readonly now?: number | undefined;
  /** How far the timestamp may be from it, in seconds; default 60 (D1 4.1 rule 1). */
  readonly maxSkewSeconds?: number | undefined;
  /** How much the search for mistakes may compute; default about a second of work. */
  readonly effort?: number | undefined;
}

/** What there is to say about the signature of a request. */
export interface Verdict {
  readonly valid: boolean;
  readonly mode: SignatureMode;
  /** The signature that came with the request. */
  readonly received: string;
  /** The right one: 32 upper-case hex digits. */
  readonly expected: string;
  /** `src1` of D1 section 5, without the secret. */
  readonly canonical: string;
  /** The mistakes that were made together, proved by computing the received signature with them. */
  readonly diagnosis: readonly Diagnosis[];
  /** Other mistakes that give the same bytes with this request. */
  readonly alternatives: readonly DiagnosisId[];
  /** How many ways to sign were tried. */
  readonly candidates: number;
  /** False when the request is so large that the search ended early. */
  readonly complete: boolean;
  readonly clock: ClockCheck;
  /** What the platform would refuse besides, and what remains uncertain. */
  readonly warnings: readonly string[];
  /** The signer that gives the received signature; undefined when none was found. */
  readonly signer: Draft | undefined;
}

/** The timestamp of a request and the time, in Unix seconds. */
export interface ClockCheck {
  /** Null when the request has none that is a number. */
  readonly timestamp: number | null;
  readonly now: number;
  /** Above 0 when the timestamp is ahead. */
  readonly skewSeconds: number | null;
  readonly withinLimit: boolean | null;
}

/**
 * Verifies the signature of a received request (D1 section 5) and, when it is wrong, finds out
 * what its signer did. Nothing is guessed: a diagnosis is what gives the received signature when
 * it is done again.
 *
 * @param secrets First the secret that belongs to the api_key of the request, then those of other
 *   accounts that the signer may have mixed up.
 * @throws {MopError} `usage` when the request carries no signature or cannot be one.
 */
export function verifySignature(
  request: ReceivedRequest,
  secrets: string | readonly NamedSecret[],
  options: VerifyOptions = {},
): Verdict {
  const [own, ...others] = typeof secrets === 'string' ? [{ name: '', secret: secrets }] : secrets;
  if (own === undefined) {
    throw new MopError('usage', 'there is no secret to verify with', { hint: 'pass at least one' });
  }
  const { content, asWritten } = readingOf(request, own.secret);
  const { canonical, signature: expected } = explainContent(content, own.secret);
  const { mode, signature: received } = content;
  const right = rightDraft(content, own.secret);
  const found =
    received === expected
      ? { diagnosis: [], draft: right, alternatives: [], candidates: 1, complete: true }
      : findMistakes(
          right,
          { ...content, secret: own.secret, otherSecrets: others },
          options.effort,
        );
  const { diagnosis, draft, alternatives, candidates, complete } = found;
  const clock = clockCheck(content, options);
  return {
    valid: received === expected,
    mode,
    received,
    expected,
    canonical,
    diagnosis,
    alternatives,
    candidates,
    complete,
    clock,
    warnings: [
      ...transportWarnings(request, content, asWritten),
      ...contentWarnings(content),
      ...clockWarnings(clock, options),
    ],
    signer: draft,
  };
}

/**
 * How the request is to be read. Where the case of header names was lost, they are taken as
 * documented, unless only the names as they are written fit the signature.
 */
function readingOf(
  request: ReceivedRequest,
  secret: string,
): { readonly content: SignedContent; readonly asWritten: boolean } {
  const content = signedContent(request);
  if (content.namesRestored && explainContent(content, secret).signature !== content.signature) {
    const written = signedContent({ ...request, headerCaseKept: true });
    if (explainContent(written, secret).signature === written.signature) {
      return { content: written, asWritten: true };
    }
  }
  return { content, asWritten: false };
}

/** The signer who makes no mistake, to make mistakes with. */
function rightDraft({ mode, fields, signatureName }: SignedContent, secret: string): Draft {
  const isSigned = (source: string): boolean => mode === 'header' || source !== 'header';
  return new Draft({
    ...RIGHT_STEPS,
    // Sorted once, so that sorting their pairs again and again is quick.
    fields: fields
      .filter(({ name, source }) => name !== signatureName && isSigned(source))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    style: { ...RIGHT_STYLE, nullText: mode === 'header' ? '' : undefined },
    secret,
  });
}

function clockCheck(content: SignedContent, options: VerifyOptions): ClockCheck {
  const now = options.now ?? Math.floor(freshFields.now() / 1000);
  const text = claimed(content, 'timestamp');
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    return { timestamp: null, now, skewSeconds: null, withinLimit: null };
  }
  const timestamp = unixSeconds(Number(text));
  const skewSeconds = timestamp - now;
  const limit = options.maxSkewSeconds ?? MAX_CLOCK_SKEW_SECONDS;
  return { timestamp, now, skewSeconds, withinLimit: Math.abs(skewSeconds) <= limit };
}

function clockWarnings({ skewSeconds, withinLimit }: ClockCheck, options: VerifyOptions): string[] {
  if (skewSeconds === null) return ['the request has no timestamp that is a number'];
  if (withinLimit) return [];
  const limit = options.maxSkewSeconds ?? MAX_CLOCK_SKEW_SECONDS;
  const direction = skewSeconds > 0 ? 'ahead of' : 'behind';
  return [
    `the timestamp is ${Math.abs(skewSeconds)} s ${direction} the clock; more than ${limit} s is refused with code 1055`,
  ];
}

/** What the way that the request takes does to it. */
function transportWarnings(
  { url }: ReceivedRequest,
  content: SignedContent,
  asWritten: boolean,
): string[] {
  const { mode, fields, namesRestored } = content;
  const warnings: string[] = [];
  const headers = fields.filter(({ source }) => source === 'header');
  if (namesRestored) {
    warnings.push(
      'the header names are in lower case, as HTTP/2 writes them: they were read as documented (X-TMS-Api-Key). If they were sent like this over HTTP/1.1, the platform signs them in lower case',
    );
  } else if (asWritten) {
    warnings.push(
      'the header names were signed in lower case, as they are written: the documents spell them X-TMS-Api-Key, and a proxy may restore that',
    );
  } else if (mode === 'header') {
    const odd = headers.filter(({ name }) => name !== documentedName(name));
    if (odd.length > 0) {
      const names = odd.map(({ name }) => name).join(', ');
      warnings.push(`not spelled as in the documents, and signed as spelled: ${names}`);
    }
  }
  const other: SignatureMode = mode === 'body' ? 'header' : 'body';
  if (url?.includes(`${ADDRESS_PREFIX[other]}/`)) {
    warnings.push(
      `the request is of ${mode} mode, but ${ADDRESS_PREFIX[other]} is the address of ${other} mode`,
    );
  }
  return warnings;
}

/** What the platform would refuse even with the right signature. */
function contentWarnings(content: SignedContent): string[] {
  const { mode, fields, signature } = content;
  const warnings: string[] = [];
  if (mode === 'header') {
    const version = fields.find(
      ({ name }) => name.toLowerCase() === SIGN_HEADERS.version.toLowerCase(),
    )?.value;
    if (version?.kind !== 'string' || version.value !== PROTOCOL_VERSION.header) {
      warnings.push(
        `the header ${SIGN_HEADERS.version}: ${PROTOCOL_VERSION.header} is ${version ? 'another one' : 'missing'}; without it the platform refuses the request`,
      );
    }
  }
  for (const field of COMMON_FIELDS) {
    const isOptional = mode === 'header' && field === 'nonce';
    if (!isOptional && claimed(content, field) === undefined) {
      const name = mode === 'body' ? field : HEADER_OF_FIELD[field];
      warnings.push(`the request has no ${name}, which belongs to every request`);
    }
  }
  const nonce = claimed(content, 'nonce');
  if (nonce !== undefined && [...nonce].length !== NONCE_LENGTH) {
    warnings.push(
      `the nonce has ${[...nonce].length} characters; the platform wants ${NONCE_LENGTH}`,
    );
  }
  if (mode === 'body' && isMilliseconds(Number(claimed(content, 'timestamp')))) {
    warnings.push('the timestamp is in milliseconds; body mode wants seconds');
  }
  if (signature.trim() !== signature) warnings.push('the signature has white space around it');
  return warnings;
}
