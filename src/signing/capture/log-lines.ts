import type { MopError } from '../../errors.ts';
import { printJson } from '../../json/print.ts';
import { type JsonObject, type JsonValue, member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { captureError } from './capture-error.ts';
import type { Capture, CaptureReader } from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { type LoggedObject, MAX_LAYERS, objectsIn } from './log-text.ts';

/** Names of members that occur in log lines, but not in requests. */
const LOG_MEMBER =
  /^(?:@timestamp|time|ts|level|lvl|severity|msg|message|log|logger|req|request|request_?body|url|uri|method|headers)$/i;
/** The names of members that contain the body of a request. */
const BODY_MEMBER = /^(?:request[_ ]?|req_?|http_?)*(?:body|data|payload|content|params|json)$/i;

/** The name of a value in a line: `body=`, `"payload": "`. */
const LABEL = /([A-Za-z_]\w*)\\{0,9}["']?\s?[=:]\s?\\{0,9}["']?$/;
const BODY_LABEL = /body|payload|data|param|content|json|req|sen[dt]|post|info|debug/i;
/** Maximum number of headers, more than any request has. */
const MAX_HEADERS = 100;

/** A header in any notation: `X-TMS-Sign: AB`, `"x-tms-sign":["AB"]`, `http_x_tms_sign=AB`. */
const HEADER =
  /(x)[-_](tms(?:[-_][a-z]+){1,5})\\{0,9}["']?\s{0,4}(?:=>|[:=])\s{0,4}[[({]?\s{0,4}(?:\\{0,9}["']([^"'\\\n]{0,500})|([^\s,;"'\\\])}]{1,500}))/gi;
const ADDRESS =
  /\b([A-Z]{3,10})\\{0,9}["']?[ ,]{1,2}\\{0,9}["']?((?:https?:\/\/|\/)[^\s"'\\,]{0,2000}[^\s"'\\,:])/;
/** A line of an access log, as of nginx or Apache httpd. */
const ACCESS = /"POST \/[^\s"]{0,2000} HTTP\/[\d.]{1,3}" \d{3} /;
const URL_MEMBER =
  /\b(?:url|uri|request_uri|path|endpoint)\\{0,9}["']?\s{0,4}[:=]\s{0,4}\\{0,9}["']?((?:https?:\/\/|\/)[^\s"'\\,]{1,2000})/i;

/** Reads the JSON bodies in the lines of any log, and the `X-TMS-*` headers near them. */
export const LOG_LINES: CaptureReader = {
  format: 'log',
  isFormat: isLog,
  read: (capture) => {
    const text = capture.textAs('log');
    const requests = [...loggedRequests(text)];
    if (requests.length === 0) throw noRequest(text);
    return requests.map((request) => ({ looksSigned: true, read: () => request }));
  },
};

function isLog({ text, start, head, document }: Capture): boolean {
  if (document?.kind === 'object') {
    const isLine = document.members.some(({ name }) => LOG_MEMBER.test(name));
    const isBody = member(document, 'sign') !== undefined;
    return isLine && !isBody && !loggedRequests(text).next().done;
  }
  if (document) return false;
  if (HEX_DUMP.test(text)) return true;
  // An invalid body may also begin with a brace or a bracket; `[10:00:00]` begins a line of a log.
  if (/^(?:[{"]|\[\s*[[{"\]])/.test(head)) return objectsIn(text).next().value?.start === start;
  const hasObject = /\{\s*(?:\\{0,31}["']|\\x22)/.test(text) || JAVA_MAP.test(text);
  return ACCESS.test(text) || (/sign/i.test(text) && hasObject);
}

/** The beginning of a map that `toString()` of Java printed, such as `{api_key=k, sign=A}`. */
const JAVA_MAP = /\{\w{1,100}=/;

/** A row of a hex dump of Netty, such as `|00000000| 50 4f 53`. */
const HEX_DUMP = /^\|[\da-f]{8}\| [\da-f]{2} /m;

/** Logs without a signed request, and the fix; the first pattern that matches applies. */
const FAULTS: readonly { subject: string; hint: string; fits: (text: string) => boolean }[] = [
  {
    subject: 'it contains a hex dump of Netty, which mop does not read',
    hint: 'print text: .wiretap("reactor.netty.http.client.HttpClient", LogLevel.DEBUG, AdvancedByteBufFormat.TEXTUAL)',
    fits: (text) => HEX_DUMP.test(text),
  },
  {
    subject: 'it contains X-TMS-Sign, but the body that it signs was not found',
    hint: 'in a log, print the headers and the JSON body in one line; mop does not run programs: in Postman, choose Code, then cURL, and pass that command',
    fits: (text) => /x-tms-sign(?!-)/i.test(text) && hasJson(text),
  },
  {
    subject: 'its field "sign" is not a string in a JSON body',
    hint: 'log the body as it was sent, with sign as a string',
    fits: (text) => /(["'])sign\1\s*:/.test(text.replaceAll('\\', '')) && hasJson(text),
  },
  {
    subject: 'it contains JSON, but no request with a signature: neither sign nor X-TMS-Sign',
    hint: 'log the whole body unchanged, and in header mode the headers in the same line',
    fits: hasJson,
  },
  {
    subject: 'it contains a dict printed by Python, not the JSON that was sent',
    hint: 'log the text of the body: json.dumps(…), or response.request.body of requests',
    fits: (text) => /\{\s*'[^'\n]{0,200}'\s*:/.test(text),
  },
  {
    subject: 'its JSON is cut off, or is not JSON',
    hint: 'loggers cut long lines: raise the limit, and copy the whole line',
    fits: (text) => /\{\s*(?:\\{0,31}"|\\x22)/.test(text),
  },
  {
    subject: 'it contains a map printed by Java, not the JSON that was sent',
    hint: 'log the text of the body: the string that Jackson or Gson returned',
    fits: (text) => JAVA_MAP.test(text),
  },
];
const NO_BODY = {
  subject: 'the access log does not contain the body',
  hint: 'add $request_body to log_format of nginx, with escape=json; it is empty where nginx wrote the body to a file (client_body_buffer_size)',
};

function hasJson(text: string): boolean {
  return !objectsIn(text).next().done;
}

function noRequest(text: string): MopError {
  const { subject, hint } = FAULTS.find(({ fits }) => fits(text)) ?? NO_BODY;
  return captureError('log', subject, hint);
}

/** The signed requests in a log, in their order. */
function* loggedRequests(text: string): Generator<CapturedRequest> {
  /** The headers after the last request: a logger may print each on its own line. */
  let headers: readonly Header[] = [];
  let address: Address = {};
  let lineEnd = 0;
  for (const { start, end, ...object } of labelledObjects(text)) {
    if (end > lineEnd || lineEnd === 0) {
      const searched = lineEnd;
      const newLine = text.indexOf('\n', end);
      lineEnd = newLine === -1 ? text.length : newLine;
      const found = headersIn(text.slice(searched, lineEnd));
      headers = lastOfEach([...headers, ...found]).slice(-MAX_HEADERS);
      address = addressIn(text.slice(text.lastIndexOf('\n', start) + 1, lineEnd));
    }
    const bodies = signedBodies(object, headers);
    if (bodies.length > 0) headers = [];
    for (const body of bodies) yield captured(body, address);
  }
}

interface Address {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

function addressIn(line: string): Address {
  const [, method, url] = ADDRESS.exec(line) ?? [];
  return { method, url: url ?? URL_MEMBER.exec(line)?.[1] };
}

interface SignedBody {
  readonly text: string;
  readonly headers: readonly Header[];
  /** Whether the logger reformatted the object. */
  readonly isReprinted: boolean;
}

interface LoggedBody {
  readonly value: JsonObject;
  /** Undefined for an object within the object of the line. */
  readonly text?: string | undefined;
  /** Whether its label does not name a body: `context={…}`. */
  readonly hasOtherLabel?: boolean | undefined;
}

function* labelledObjects(text: string): Generator<LoggedBody & LoggedObject> {
  for (const object of objectsIn(text)) {
    const { start } = object;
    const label = LABEL.exec(text.slice(Math.max(0, start - 40), start))?.[1];
    yield { ...object, hasOtherLabel: label !== undefined && !BODY_LABEL.test(label) };
  }
}

/**
 * The signed bodies in an object of a log: the object itself, or objects within its members.
 *
 * @param around The headers in and around the object.
 */
function signedBodies(
  { value, text, hasOtherLabel }: LoggedBody,
  around: readonly Header[],
  depth = 0,
): readonly SignedBody[] {
  if (isRequestBody(value)) return [bodyOf({ value, text }, [])];
  if (depth === MAX_LAYERS) return [];
  const inner = value.members.flatMap(({ value: each }) =>
    nestedBodies(each).flatMap(({ around: own, ...body }) =>
      signedBodies(body, headersIn(own), depth + 1),
    ),
  );
  if (inner.length > 0) return inner;
  if (!headerValue(around, SIGN_HEADERS.sign)) return [];
  const [own] = value.members
    .filter(({ name }) => BODY_MEMBER.test(name))
    .flatMap(({ value: each }) => nestedBodies(each));
  if (own) return [bodyOf(own, around)];
  // The object of the headers is not the body, nor is the object that contains it.
  const isBody = text !== undefined && !hasOtherLabel && headersIn(text).length === 0;
  return isBody ? [bodyOf({ value, text }, around)] : [];
}

/** Whether an object is the body of a request in body mode. */
function isRequestBody(value: JsonObject): boolean {
  return (
    member(value, 'sign')?.kind === 'string' &&
    !value.members.some(({ name }) => /^x-tms-/i.test(name))
  );
}

function bodyOf({ value, text }: LoggedBody, headers: readonly Header[]): SignedBody {
  return { text: text ?? printJson(value), headers, isReprinted: text === undefined };
}

interface NestedBody extends LoggedBody {
  /** The text that may contain its headers. */
  readonly around: string;
}

/** The objects in a value: the value itself, in a list, or in the text of a string. */
function nestedBodies(value: JsonValue): readonly NestedBody[] {
  if (value.kind === 'object') return [{ value, around: printJson(value) }];
  if (value.kind === 'array') return value.items.flatMap((item) => nestedBodies(item));
  if (value.kind !== 'string' || !value.value.includes('{')) return [];
  return [...labelledObjects(value.value)].map((object) => ({ ...object, around: value.value }));
}

function headersIn(text: string): readonly Header[] {
  return lastOfEach(
    [...text.matchAll(HEADER)].map(([, prefix = '', name = '', quoted, bare = '']) => [
      `${prefix}-${name.replaceAll('_', '-')}`,
      quoted ?? bare,
    ]),
  );
}

function lastOfEach(headers: readonly Header[]): readonly Header[] {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}

function captured(
  { text, headers, isReprinted }: SignedBody,
  { method, url }: Address,
): CapturedRequest {
  return {
    format: 'log',
    method,
    url,
    headers,
    body: text,
    notes: isReprinted
      ? ['the logger reformatted the body: numbers such as 1.0 and white space may have changed']
      : [],
  };
}
