import { isUtf8 } from 'node:buffer';
import {
  isMilliseconds,
  MAX_CLOCK_SKEW_SECONDS,
  NONCE_LENGTH,
  unixSeconds,
} from '../../protocol/limits.ts';
import {
  ADDRESS_PREFIX,
  COMMON_FIELDS,
  HEADER_OF_FIELD,
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../../protocol/operations.ts';
import { TIMESTAMP_INVALID } from '../../protocol/result-codes.ts';
import { allTexts } from '../diagnosis/values.ts';
import { sameName } from '../header-mode.ts';
import { documentedName } from '../header-name.ts';
import { claimed, type ReceivedRequest, type SignedContent } from '../received-request.ts';

/** What the platform checks besides the signature, and what may happen to it on the way. */

/** The timestamp of a request and the time, in Unix seconds. */
export interface ClockCheck {
  /** Null when the request has none that is a number. */
  readonly timestamp: number | null;
  readonly now: number;
  /** Above 0 when the timestamp is ahead. */
  readonly skewSeconds: number | null;
  readonly withinLimit: boolean | null;
}

/** Compares the timestamp of a request with the time; all in seconds. */
export function checkClock(content: SignedContent, now: number, limit: number): ClockCheck {
  const text = claimed(content, 'timestamp');
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    return { timestamp: null, now, skewSeconds: null, withinLimit: null };
  }
  const timestamp = unixSeconds(Number(text));
  const skewSeconds = timestamp - now;
  return { timestamp, now, skewSeconds, withinLimit: Math.abs(skewSeconds) <= limit };
}

/** Warnings about the timestamp; `limit` is in seconds. */
export function clockWarnings({ skewSeconds, withinLimit }: ClockCheck, limit: number): string[] {
  if (skewSeconds === null) return ['the request has no timestamp that is a number'];
  if (withinLimit) return [];
  const direction = skewSeconds > 0 ? 'ahead of' : 'behind';
  const isRefused = Math.abs(skewSeconds) > MAX_CLOCK_SKEW_SECONDS;
  const refusal = isRefused ? `: the platform refuses that with code ${TIMESTAMP_INVALID}` : '';
  return [
    `the timestamp is ${Math.abs(skewSeconds)} s ${direction} the clock, more than ${limit} s${refusal}`,
  ];
}

/** Warnings about changes on the network. */
export function transportWarnings({ url }: ReceivedRequest, content: SignedContent): string[] {
  const { mode, fields, namesRestored } = content;
  const warnings: string[] = [];
  const headers = fields.filter(({ source }) => source === 'header');
  if (namesRestored) {
    warnings.push(
      'the header names are in lower case, as HTTP/2 writes them: they were read as documented (X-TMS-Api-Key). If they were sent like this over HTTP/1.1, the platform signs them in lower case',
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

/** Warnings about requests that the platform refuses even with the right signature. */
export function contentWarnings(content: SignedContent): string[] {
  const { mode, fields, signature } = content;
  const warnings: string[] = [];
  if (mode === 'header') {
    const version = fields.find(({ name }) => sameName(name, SIGN_HEADERS.version))?.value;
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
  const misread = allTexts(fields).find(isMisreadUtf8);
  if (misread !== undefined) {
    warnings.push(
      `${JSON.stringify(misread.slice(0, 20))} looks like UTF-8 that was read as Latin-1: if the capture did that, the verdict is about another text than was sent`,
    );
  }
  if (signature.trim() !== signature) warnings.push('the signature has white space around it');
  return warnings;
}

/** Whether the characters of a text, taken for bytes, are UTF-8 of another text. */
function isMisreadUtf8(text: string): boolean {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return false;
  return isUtf8(Buffer.from(text, 'latin1'));
}
