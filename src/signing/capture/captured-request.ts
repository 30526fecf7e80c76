import type { Header, RequestBody } from '../header-mode.ts';

/** The body of a captured request. */
export interface Content {
  readonly body: RequestBody;
  /** Losses and possible changes by the format, a sentence each. */
  readonly notes: readonly string[];
}

/** A captured request, as far as its format preserves it. */
export interface CapturedRequest extends Content {
  readonly format: CaptureFormat;
  /** Undefined when the format does not hold them. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** All headers, in their order, names as the capture spells them. */
  readonly headers: readonly Header[];
}

export type CaptureFormat =
  | 'json'
  | 'curl'
  | 'har'
  | 'http'
  | 'apache'
  | 'okhttp'
  | 'python'
  | 'curl-verbose'
  | 'curl-trace'
  | 'pseudo-headers'
  | 'log';

export const FORMAT_NAMES: { readonly [format in CaptureFormat]: string } = {
  json: 'a JSON body',
  curl: 'a curl command',
  har: 'a HAR file',
  http: 'an HTTP message',
  apache: 'a log of Apache HttpClient',
  okhttp: 'a log of OkHttp',
  python: "a log of Python's http.client",
  'curl-verbose': 'the output of curl -v',
  'curl-trace': 'a trace of curl',
  'pseudo-headers': 'the headers of an HTTP/2 request',
  log: 'a log',
};
