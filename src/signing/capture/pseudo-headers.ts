import type { Header } from '../header-mode.ts';
import { captureError } from './capture-error.ts';
import { type CaptureReader, onlyEntry } from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';

/** The request line of HTTP/2. */
const PSEUDO = /^[ \t]*:(authority|method|path|scheme)(?::[ \t]*(.*?))?[ \t]*$/;
const PSEUDO_IN_TEXT = /^[ \t]{0,8}:(?:authority|method|path|scheme)(?::|[ \t]*\r?$)/m;
const NAME = /^([!#$%&'*+.^`|~\w-]+):(?:[ \t]+(.*?))?[ \t]*$/;
const BARE_NAME = /^[a-z][\w-]*:?[ \t]*$/i;
const BODY = /^\s*(?:[{["]|--)/;
/** Titles of the panels, copied with their content. */
const TITLE =
  /^(?:Request Headers|Request Payload|Payload|General|Form Data|view (?:source|parsed|decoded|URL-encoded)|Provisional headers are shown|Raw)\b.{0,40}$/i;

/**
 * Reads the headers of an HTTP/2 request (`:method`, `:path`) and the body after them. A name and
 * its value are in one line or in two.
 */
export const PSEUDO_HEADERS: CaptureReader = {
  format: 'pseudo-headers',
  isFormat: ({ head }) => PSEUDO_IN_TEXT.test(head),
  read: (capture) => onlyEntry(() => requestOf(capture.textAs('pseudo-headers'))),
};

function requestOf(text: string): CapturedRequest {
  const { request, headers, body } = splitLines(text.split(/\r?\n/));
  if (body === '') {
    throw captureError(
      'pseudo-headers',
      'there is no body after the headers',
      'append an empty line and the body (the tab Payload, view source), or use "Copy as cURL"',
    );
  }
  const content = readContent(new TextEncoder().encode(body), headers, 'pseudo-headers');
  const { method, scheme = 'https', authority, path = '' } = request;
  const url = authority === undefined ? path : `${scheme}://${authority}${path}`;
  return { format: 'pseudo-headers', method, url, headers, ...content };
}

interface SplitLines {
  readonly request: Readonly<Record<string, string>>;
  readonly headers: readonly Header[];
  readonly body: string;
}

function splitLines(lines: readonly string[]): SplitLines {
  const request: Record<string, string> = {};
  const headers: Header[] = [];
  let at = lines.findIndex((line) => PSEUDO.test(line));
  // If one pseudo-header has its value in the next line, all of them do.
  const isAlternating = !PSEUDO.exec(lines[at] ?? '')?.[2];
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (BODY.test(line)) break;
    const pseudo = PSEUDO.exec(line);
    const named = pseudo ?? (isAlternating ? BARE_NAME.exec(line.trim()) : NAME.exec(line.trim()));
    if (!named || TITLE.test(line.trim())) continue;
    const name = pseudo?.[1] ?? (isAlternating ? line.trim().replace(/:$/, '') : (named[1] ?? ''));
    const value = isAlternating ? (lines[++at] ?? '').trim() : (named[2] ?? '');
    if (pseudo) request[name] = value;
    else headers.push([name, value]);
  }
  return { request, headers, body: lines.slice(at).join('\n').trim() };
}
