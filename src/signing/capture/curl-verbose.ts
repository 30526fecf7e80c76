import type { Header } from '../header-mode.ts';
import { captureError } from './capture-error.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  looksLikePlatformRequest,
} from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import { headerOf } from './http-message.ts';

/** curl marks sent lines with `>`, the dump of requests-toolbelt with `<`. */
const REQUEST = /^\s{0,8}([<>]) ([A-Z]{3,10}) (\/\S*|https?:\/\/\S+) HTTP\/\d(?:\.\d)?\s*$/;
const REQUEST_IN_TEXT = /^[ \t]{0,8}[<>] [A-Z]{3,10} (?:\/|https?:\/\/)\S* HTTP\/\d/m;
/** `{ [302 bytes data]` for the body that curl does not print; `* ` for its remarks. */
const NOTICE = /^(?:\* |[{}] \[\d+ bytes data\])/;
/** Insomnia's mark of the body in its timeline. */
const DATA = '| ';

interface PrintedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Header[];
  body: string[] | undefined;
}

/**
 * Reads the requests of a text whose lines are marked with `> ` or `< `. `curl -v` prints no body;
 * requests-toolbelt and the timeline of Insomnia do.
 */
export const CURL_VERBOSE: CaptureReader = {
  format: 'curl-verbose',
  isFormat: ({ text }) => REQUEST_IN_TEXT.test(text),
  read: (capture) => entriesOf(capture.textAs('curl-verbose')),
};

function entriesOf(text: string): readonly CaptureEntry[] {
  return printedRequests(text).map((request) => ({
    looksSigned: looksLikePlatformRequest([request.target, ...request.headers.flat()].join('\n')),
    read: () => captured(request),
  }));
}

function printedRequests(text: string): readonly PrintedRequest[] {
  const requests: PrintedRequest[] = [];
  let current: PrintedRequest | undefined;
  let mark = '';
  for (const line of text.split(/\r?\n/)) {
    const start = REQUEST.exec(line);
    if (start) {
      mark = start[1] ?? '';
      current = { method: start[2] ?? '', target: start[3] ?? '', headers: [], body: undefined };
      requests.push(current);
    } else if (current && !NOTICE.test(line)) {
      if (/^\s*[<>] /.test(line) && line.trimStart()[0] !== mark) current = undefined;
      else addLine(current, line, mark);
    }
  }
  return requests;
}

function addLine(request: PrintedRequest, line: string, mark: string): void {
  const trimmed = line.trimStart();
  const isData = trimmed.startsWith(DATA);
  if (isData) request.body ??= [];
  const content = isData || trimmed[0] === mark ? trimmed.slice(1).replace(/^ /, '') : undefined;
  if (request.body) {
    request.body.push(content ?? line);
  } else if (content?.trim() === '') {
    request.body = [];
  } else {
    const header = headerOf(content ?? '');
    if (header) request.headers.push(header);
  }
}

function captured({ method, target, headers, body = [] }: PrintedRequest): CapturedRequest {
  const text = body.join('\n').trim();
  if (text === '') {
    throw captureError(
      'curl-verbose',
      'curl -v does not print the body',
      'run the command with --trace - instead of -v and pass the output (--trace-ascii keeps ASCII only), or pass the curl command itself',
    );
  }
  const content = readContent(new TextEncoder().encode(text), headers, 'curl-verbose');
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const url = target.startsWith('/') && host ? `https://${host}${target}` : target;
  return { format: 'curl-verbose', method, url, headers, ...content };
}
