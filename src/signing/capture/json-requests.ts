import type { JsonValue } from '../../json/value.ts';
import { member } from '../../json/value.ts';
import { assertObject, captureJson } from './decoding.ts';
import {
  capturedRequest,
  type DescribedRequest,
  describedRequest,
  hasSignature,
  isSignedBody,
} from './described-request.ts';
import type { CaptureReader } from './source.ts';

/** Reads the entries of a HAR file (HTTP Archive 1.2), unsigned ones too. */
export const HAR_FILE: CaptureReader = {
  format: 'har',
  // A truncated HAR file is recognised too; a body may have a field "log".
  isFormat: ({ head, document }) =>
    /^\{\s*"log"\s*:\s*\{/.test(head) &&
    (document === undefined || harEntries(document) !== undefined),
  read: (source) => {
    const document = source.document ?? captureJson(source.textAs('har'), 'the text', 'har');
    return (harEntries(document) ?? []).map((entry) => {
      const request = member(entry, 'request');
      const described = request?.kind === 'object' ? describedRequest(request) : NO_REQUEST;
      return {
        looksSigned: hasSignature(described.headers),
        read: () => capturedRequest(described, 'har'),
      };
    });
  },
};

const NO_REQUEST: DescribedRequest = { headers: [], bodies: [] };

function harEntries(document: JsonValue): readonly JsonValue[] | undefined {
  const entries = member(member(document, 'log'), 'entries');
  return entries?.kind === 'array' ? entries.items : undefined;
}

export const JSON_BODY: CaptureReader = {
  format: 'json',
  isFormat: ({ head, isPeeled }) => !isPeeled && /^[{["]/.test(head),
  read: (source) => [
    {
      looksSigned: true,
      read: () => {
        const body = source.textAs('json');
        assertObject(body, 'the text', 'json');
        return { format: 'json', method: undefined, url: undefined, headers: [], body, notes: [] };
      },
    },
  ],
};

/** Names of members that occur in log lines and descriptions, but not in requests. */
const LOG_MEMBER =
  /^(?:@timestamp|time|ts|level|lvl|severity|msg|message|log|logger|req|request|request_?body|url|uri|method|headers|body)$/i;

/** Whether a body is a list of signed bodies, or contains one in a field: the platform refuses it. */
export function isWrapper(value: JsonValue | undefined): boolean {
  if (value?.kind === 'array') return value.items.length > 0 && value.items.every(isSignedBody);
  if (value?.kind !== 'object' || isSignedBody(value)) return false;
  return (
    value.members.some(({ value: each }) => isSignedBody(each)) &&
    !value.members.some(({ name }) => LOG_MEMBER.test(name))
  );
}
