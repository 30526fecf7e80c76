import { MopError } from '../../errors.ts';
import { jsonObject } from '../../json/parse.ts';
import { hasMisplacedSignature } from '../missing-signature.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';
import { WIRE_BEGINNING } from './http-messages.ts';
import { isWrapper } from './json-requests.ts';
import { signatureOf } from './masked-values.ts';
import { objectsIn } from './objects.ts';
import { isSignedForm } from './pasted-canonical.ts';
import { refusal } from './refusals.ts';
import type { Source } from './source.ts';

export type Outcome =
  | { readonly request: CapturedRequest }
  | { readonly error: MopError; readonly looksSigned: boolean; readonly isMasked?: boolean };

export interface Found {
  readonly format: CaptureFormat;
  readonly outcomes: readonly Outcome[];
}

export interface Attempt extends Found {
  readonly source: Source;
}

export function isSigned(outcome: Outcome): boolean {
  return 'request' in outcome && signatureOf(outcome.request) !== undefined;
}

/** A signed request, or a whole text whose fault explains the missing signature, is the answer. */
export function isFound(attempt: Attempt): boolean {
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
export function isCertain({ format, source }: Attempt): boolean {
  if (source.isPeeled || format === 'json' || format === 'log') return false;
  return format !== 'http' || WIRE_BEGINNING.test(source.head);
}

export function bestAttempt(
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
export const MAX_LENGTH = 1_000_000;

export function doubted(attempt: Attempt, best: () => Found | undefined): Attempt {
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
