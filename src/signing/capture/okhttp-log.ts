import { jsonValue } from '../../json/parse.ts';
import type { Header } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  looksLikePlatformRequest,
} from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import { headerOf } from './http-message.ts';
import { messageReader } from './log-prefix.ts';

/** Feign writes one more dash. */
const REQUEST =
  /-{2,3}> ([A-Z]{3,10}) ((?:https?:\/\/|\/)\S*)(?: (?:[A-Za-z][\w./]*))?(?: \([^()\n]{1,100}\))?\s*$/;
const REQUEST_IN_TEXT = /-{2,3}> [A-Z]{3,10} (?:https?:\/\/|\/)\S/;
const END = /^-{2,3}> END [A-Z]+(?: \((.{0,200})\))?/;
const RESPONSE = /^<-{2,3} /;

/** The header of each message of logcat -v long, with the empty line after the previous message. */
const LONG_FORMAT = /(?:\n\n|^)\[ \d\d-\d\d [\d:.]{8,12} +\d+: *\d+ [A-Z]\/[^\]\n]{0,100}\]\n/g;

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Header[];
  /** Undefined before the empty line after the headers. */
  body: BodyLine[] | undefined;
  /** Undefined when the log is cut off. */
  end: string | undefined;
}

interface BodyLine {
  readonly text: string;
  /** Whether the line has no prefix: a later line of one message, or another logger's. */
  readonly isBare: boolean;
}

/**
 * Reads the requests of a log of OkHttp's HttpLoggingInterceptor (or of Feign), plain or from
 * Android's logcat, which splits long lines.
 */
export const OKHTTP_LOG: CaptureReader = {
  format: 'okhttp',
  isFormat: ({ text }) => REQUEST_IN_TEXT.test(text),
  read: (capture) => entriesOf(capture.textAs('okhttp')),
};

function entriesOf(text: string): readonly CaptureEntry[] {
  return loggedRequests(text).map((request) => ({
    looksSigned: looksLikePlatformRequest([request.url, ...request.headers.flat()].join('\n')),
    read: () => captured(request),
  }));
}

function loggedRequests(text: string): readonly LoggedRequest[] {
  const requests: LoggedRequest[] = [];
  let current: LoggedRequest | undefined;
  let message = messageReader('');
  for (const line of text.replaceAll('\r\n', '\n').replace(LONG_FORMAT, '\n').split('\n')) {
    const start = REQUEST.exec(line);
    if (start) {
      const [, method = '', url = ''] = start;
      message = messageReader(line.slice(0, start.index));
      current = { method, url, headers: [], body: undefined, end: undefined };
      requests.push(current);
    } else if (current) {
      const content = message(line);
      if (content !== undefined && (END.test(content) || RESPONSE.test(content))) {
        current.end = END.exec(content)?.[1] ?? '';
        current = undefined;
      } else {
        addLine(current, content, line);
      }
    }
  }
  return requests;
}

function addLine(request: LoggedRequest, content: string | undefined, line: string): void {
  if (request.body) {
    request.body.push({ text: content ?? line, isBare: content === undefined });
  } else if (content?.trim() === '') {
    request.body = [];
  } else {
    const header = headerOf(content?.trim() ?? '');
    if (header) request.headers.push(header);
  }
}

function captured({ method, url, headers, body, end }: LoggedRequest): CapturedRequest {
  const hidden = headers.find(([, value]) => /^█+$/.test(value));
  if (hidden) {
    throw captureError(
      'okhttp',
      `the log hides the header ${hidden[0]}`,
      `remove redactHeader("${hidden[0]}") from the interceptor, or pass the header with -H`,
    );
  }
  if (end === undefined && body === undefined) {
    throw captureError('okhttp', 'the log is cut off in the headers', 'copy it up to --> END');
  }
  const { text, notes } = bodyText(body ?? [], end ?? '');
  if (text === '') {
    const reason = end === undefined || end === '' ? '' : `: ${shown(end)}`;
    throw captureError(
      'okhttp',
      `the log does not contain the body${reason}`,
      'set the level of HttpLoggingInterceptor to BODY (Feign: Logger.Level.FULL)',
    );
  }
  const content = readContent(new TextEncoder().encode(text), headers, 'okhttp');
  return {
    format: 'okhttp',
    method,
    url,
    headers,
    body: content.body,
    notes: [...notes, ...content.notes],
  };
}

/**
 * Joins the lines of a body. Logcat splits at line ends and every 4,000 characters. The byte count
 * after the request distinguishes the two.
 */
function bodyText(
  lines: readonly BodyLine[],
  end: string,
): { text: string; notes: readonly string[] } {
  const own = lines.filter(({ isBare }) => !isBare).map(({ text }) => text);
  const all = lines.map(({ text }) => text);
  const candidates = [own.join('\n'), own.join(''), all.join('\n')].map((text) => text.trimEnd());
  const [first = ''] = candidates;
  const count = /(\d+)-byte/.exec(end)?.[1];
  const exact = candidates.find((text) => String(Buffer.byteLength(text)) === count);
  if (exact !== undefined) return { text: exact, notes: [] };
  const text = candidates.find((candidate) => jsonValue(candidate) !== undefined) ?? first;
  const differs = count !== undefined && text !== '';
  return {
    text,
    notes: differs
      ? [`the body has ${Buffer.byteLength(text)} bytes, but the log counts ${count}`]
      : [],
  };
}
