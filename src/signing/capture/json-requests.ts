import type { JsonValue } from '../../json/value.ts';
import { member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';
import { assertObject, captureJson } from './decoding.ts';
import {
  bodyRequest,
  capturedRequest,
  type DescribedRequest,
  describedRequest,
  hasSignature,
  isSignedBody,
  signedRequests,
} from './described-request.ts';
import { headersIn, lastOfEach, signaturesIn } from './logged-headers.ts';
import { type FoundObject, objectsIn } from './objects.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  MAX_UNREADABLE,
  mentionsSignature,
  type Source,
} from './source.ts';

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
      return entryOf(described, 'har', hasSignature(described.headers));
    });
  },
};

const NO_REQUEST: DescribedRequest = { headers: [], body: undefined };

function harEntries(document: JsonValue): readonly JsonValue[] | undefined {
  const entries = member(member(document, 'log'), 'entries');
  return entries?.kind === 'array' ? entries.items : undefined;
}

function entryOf(
  request: DescribedRequest,
  format: CaptureFormat,
  looksSigned = true,
): CaptureEntry {
  return { looksSigned, read: () => capturedRequest(request, format) };
}

/** Reads a text that is one JSON value as the body of a request. */
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

/** Reads the signed requests in the JSON objects of any text, with the headers near them. */
export const JSON_OBJECTS: CaptureReader = {
  format: 'log',
  isFormat: ({ text }) => mentionsSignature(text.replaceAll('_', '-')) && text.includes('{'),
  read: (source) => {
    const requests = [...loggedRequests(source)];
    const found = requests.length > 0 ? requests : bodyBeforeHeaders(source);
    const entries = found.map((request) => entryOf(request, 'log'));
    return found.length > 0 ? [...entries, ...withoutBody(source, found)] : entries;
  },
};

/** An entry for each signature of a header whose body was not found: no request is dropped. */
function withoutBody(
  { text }: Source,
  found: readonly DescribedRequest[],
): readonly CaptureEntry[] {
  const judged = new Set(found.map(({ headers }) => headerValue(headers, SIGN_HEADERS.sign)));
  const lost = signaturesIn(text).filter((signature) => !judged.has(signature));
  return lost.slice(0, MAX_UNREADABLE).map((signature) => ({
    looksSigned: true,
    read: () => {
      throw captureError(
        'log',
        `the body that ${SIGN_HEADERS.sign} ${shown(signature)} signs was not found`,
        'in a log, print the headers and the JSON body of a request in one line',
      );
    },
  }));
}

/** The name of a value in a line: `body=`, `"payload": "`. */
const LABEL = /([A-Za-z_]\w*)["']?\s?[=:：]\s?["']?$/;
const BODY_LABEL =
  /body|^(?:string|value)$|payload|data|param|content|json|req|sen[dt]|post|info|debug/i;
/** Maximum number of characters between an address and its body. */
const MAX_DISTANCE = 4000;
/** Maximum number of headers, more than any request has. */
const MAX_HEADERS = 100;
const ADDRESS =
  /\b([A-Z]{3,10})["']?[ ,]{1,2}["']?((?:https?:\/\/|\/)[^\s"'\\,]{0,2000}[^\s"'\\,:])/;
const URL_MEMBER =
  /\b(?:url|uri|request_uri|path|endpoint)["']?\s{0,4}[:=]\s{0,4}["']?((?:https?:\/\/|\/)[^\s"'\\,]{1,2000})/i;

function* loggedRequests({ text }: Source): Generator<DescribedRequest> {
  /** The headers after the last request: a logger may print each on its own line. */
  let headers: readonly Header[] = [];
  let address: Address = {};
  let lineEnd = 0;
  for (const object of objectsIn(text)) {
    const { start, end } = object;
    if (end > lineEnd || lineEnd === 0) {
      const searched = lineEnd;
      const newLine = text.indexOf('\n', end);
      lineEnd = newLine === -1 ? text.length : newLine;
      const found = headersIn(text.slice(searched, lineEnd));
      headers = lastOfEach([...headers, ...found]).slice(-MAX_HEADERS);
      const line = addressIn(text.slice(text.lastIndexOf('\n', start) + 1, lineEnd));
      const before = text.slice(Math.max(searched, start - MAX_DISTANCE), start);
      address = line.url === undefined ? { ...addressIn(before), ...line } : line;
    }
    const requests = requestsOf(object, headers, text);
    // Headers within a string of an object belong to a text below a layer.
    const hasText = /x-tms-sign/i.test(object.text) && !/"x-tms-sign/i.test(object.text);
    if (requests.length > 0 || hasText) headers = [];
    for (const { method, url, ...request } of requests) {
      yield { ...request, method: method ?? address.method, url: url ?? address.url };
    }
  }
}

/** The request of a text in which the headers follow the body, such as a cassette of VCR. */
function bodyBeforeHeaders({ text }: Source): readonly DescribedRequest[] {
  for (const object of objectsIn(text)) {
    const label = LABEL.exec(text.slice(Math.max(0, object.start - 40), object.start))?.[1];
    if (!/^(?:request_?)?(?:body|string|payload|data)$/i.test(label ?? '')) continue;
    const headers = headersIn(text.slice(object.end, object.end + MAX_DISTANCE));
    const [request] = requestsOf(object, headers, text);
    if (request) return [{ ...addressIn(text.slice(0, object.start)), ...request }];
  }
  return [];
}

/** The requests in an object of a log, or the request to which the object and the headers belong. */
function requestsOf(
  { value, text, start, isInner }: FoundObject,
  around: readonly Header[],
  log: string,
): readonly DescribedRequest[] {
  const before = log.slice(Math.max(0, start - 40), start);
  const signed = signedRequests(value, text);
  if (signed.length > 0) return signed;
  if (!hasSignature(around) || (isInner && /(?:[[,]|"\s*:)\s*$/.test(before))) return [];
  const { body } = describedRequest(value);
  if (body) return [{ headers: around, body }];
  // The object of the headers is not the body, nor is an object with another label.
  const label = LABEL.exec(before)?.[1];
  const isBody = (label === undefined || BODY_LABEL.test(label)) && headersIn(text).length === 0;
  return isBody ? [{ ...bodyRequest(value, text), headers: around }] : [];
}

interface Address {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

function addressIn(text: string): Address {
  const [, method, url] = ADDRESS.exec(text) ?? [];
  const found = url ?? URL_MEMBER.exec(text)?.[1];
  return found === undefined ? {} : { method, url: found };
}
