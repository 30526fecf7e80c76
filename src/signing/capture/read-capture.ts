import { MopError } from '../../errors.ts';
import type { Header } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import type { ReadFile } from './command-files.ts';
import { assertObject } from './content.ts';
import { readCurl } from './curl-command.ts';
import { captureJson, utf8Text } from './decoding.ts';
import { isHar, readHar } from './har.ts';
import { isHttpMessage, readHttpMessage } from './http-message.ts';

export interface CaptureOptions {
  /** Which entry of a HAR file, from 1; default the first signed one. */
  readonly entry?: number | undefined;
  /** Headers given beside the capture (`-H`); each replaces one of the same name, case ignored. */
  readonly headers?: readonly Header[] | undefined;
  /** Reads a file that a curl command names (`-d @FILE`). Absent: such a command is a usage error. */
  readonly readFile?: ReadFile | undefined;
}

/** Text before curl in a paste. */
const COMMENT_LINES = /(?:#[^\n]*\n\s*)*/;
const PROMPT =
  /(?:(?:\+|[\w.-]*(?:@[\w.-]*)?(?::[^\s'"$>#%]*)?[$>#%]|PS [^>\n]*>|[A-Za-z]:\\[^>\n]*>)\s*)?/;
const QUOTED = /(?:'[^']*'|"[^"]*")/;
const ASSIGNMENT = new RegExp(`[A-Za-z_]\\w*=[^\\s'"]*(?:${QUOTED.source}[^\\s'"]*)*`);
const PREFIXES = new RegExp(`(?:(?:sudo|env|time|${ASSIGNMENT.source})\\s+)*`);
const DIRECTORY = /(?:[^\s"']*[/\\]|[A-Za-z]:[^"\n]*\\)?/;
const CURL = new RegExp(
  `^${COMMENT_LINES.source}${PROMPT.source}${PREFIXES.source}"?${DIRECTORY.source}curl(?:\\.exe)?"?(?=\\s|$)`,
  'i',
);

const UTF_8_MARK = [0xef, 0xbb, 0xbf];
/** PowerShell's redirection writes it. */
const UTF_16 = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Characters read to recognise the format. */
const HEAD = 10_000;

/**
 * Reads a signed request as people have it at hand: a JSON body, a curl command, a HAR file or an
 * HTTP message. The content tells which.
 *
 * @throws {MopError} `usage`: the message names the format that the input was taken for and where
 *   it broke.
 */
export async function readCapture(
  input: string | Uint8Array,
  options: CaptureOptions = {},
): Promise<CapturedRequest> {
  const request = await readByFormat(input, options);
  if (options.entry !== undefined && request.format !== 'har') {
    throw captureError(request.format, 'only a HAR file has entries', 'leave out --entry');
  }
  const added = options.headers ?? [];
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const kept = request.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...request, headers: [...kept, ...added] };
}

async function readByFormat(
  input: string | Uint8Array,
  { entry, readFile }: CaptureOptions,
): Promise<CapturedRequest> {
  const { text, bytes } = decoded(input);
  const blank = text.length - text.trimStart().length;
  const head = text.slice(blank, blank + HEAD);

  if (isHttpMessage(head)) {
    const start = Buffer.byteLength(text.slice(0, blank));
    return readHttpMessage(bytes.subarray(start));
  }
  const curl = CURL.exec(head);
  if (curl) {
    utf8Text(bytes, 'the text', 'curl');
    return readCurl(text, blank + curl[0].length, readFile);
  }
  if (/^[{["]/.test(head)) {
    const format = /^\{\s*"log"\s*:\s*\{/.test(head) ? 'har' : 'json';
    utf8Text(bytes, 'the text', format);
    const document = captureJson(text, 'the text', format);
    if (isHar(document)) return readHar(document, entry);
    assertObject(document, 'the text', 'json');
    return {
      format: 'json',
      method: undefined,
      url: undefined,
      headers: [],
      body: text,
      notes: [],
    };
  }
  throw new MopError(
    'usage',
    head === ''
      ? 'the request is empty'
      : `the request is in no known format: it begins ${shown(head)}`,
    {
      hint: 'pass a JSON body, a curl command, a HAR file, or an HTTP message from its request line on',
    },
  );
}

/** The input without a byte order mark, as text and as UTF-8. What is not UTF-8 becomes U+FFFD. */
function decoded(input: string | Uint8Array): { text: string; bytes: Uint8Array } {
  if (typeof input === 'string') {
    const text = input.replace(/^\ufeff/, '');
    return { text, bytes: new TextEncoder().encode(text) };
  }
  const begins = (mark: readonly number[]) => mark.every((byte, index) => input[index] === byte);
  const utf16 = UTF_16.find(({ mark }) => begins(mark));
  if (utf16) return decoded(new TextDecoder(utf16.encoding).decode(input));
  // A plain view: a Buffer's would show in the content of files.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return {
    text: new TextDecoder().decode(bytes),
    bytes: begins(UTF_8_MARK) ? bytes.subarray(UTF_8_MARK.length) : bytes,
  };
}
