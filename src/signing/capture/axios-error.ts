import { member } from '../../json/value.ts';
import { captureError } from './capture-error.ts';
import { type CaptureReader, onlyEntry } from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readContent } from './content.ts';
import {
  isLiteralObject,
  type Literal,
  LiteralReader,
  NOT_PRINTED,
  namedTexts,
} from './js-literal.ts';

/** `config: {` as `console.log` prints it, or in JSON. */
const CONFIG = /(?<![\w$])(["']?)config\1:\s*(?=[{[<\w])/;
const AXIOS = /axios|ERR_BAD_|ERR_NETWORK|ECONN|transformRequest|xsrf/i;

/** Reads the request of an axios error: `error.toJSON()`, or the output of `console.log`. */
export const AXIOS_ERROR: CaptureReader = {
  format: 'axios',
  // A body may also have a field "config".
  isFormat: ({ text, head, document }) =>
    CONFIG.test(text) &&
    AXIOS.test(text) &&
    !(/^[{[]/.test(head) && document && member(document, 'sign')),
  read: (capture) =>
    onlyEntry(() => {
      const text = capture.textAs('axios');
      const found = CONFIG.exec(text);
      const start = (found?.index ?? 0) + (found?.[0].length ?? 0);
      return requestOf(new LiteralReader(text, start, 'axios', true).value());
    }),
};

function requestOf(config: Literal): CapturedRequest {
  if (!isLiteralObject(config)) throw notPrinted('settings');
  const { url, baseURL, method, headers = {}, data } = config;
  const named = namedTexts(headers);
  if (named === undefined || headers === NOT_PRINTED) throw notPrinted('headers');
  if (data === NOT_PRINTED || (data !== undefined && typeof data !== 'string')) {
    throw notPrinted('data');
  }
  return {
    format: 'axios',
    method: typeof method === 'string' ? method.toUpperCase() : undefined,
    url: addressOf(url, baseURL),
    headers: named,
    ...readContent(new TextEncoder().encode(data ?? ''), named, 'axios'),
  };
}

function notPrinted(subject: string): ReturnType<typeof captureError> {
  return captureError(
    'axios',
    `its ${subject} were not printed`,
    'print the whole error: console.log(JSON.stringify(error.toJSON()))',
  );
}

function addressOf(url: Literal, base: Literal): string | undefined {
  if (typeof url !== 'string') return undefined;
  if (typeof base !== 'string' || /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(url)) return url;
  return `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}
