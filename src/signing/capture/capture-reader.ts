import { isUtf8 } from 'node:buffer';
import { MopError } from '../../errors.ts';
import { parseMembers } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import { ADDRESS_PREFIX } from '../../protocol/operations.ts';
import { withoutColours } from '../log-escapes.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';
import type { ReadFile } from './command-files.ts';
import { utf8Text } from './decoding.ts';

/** Recognises and reads one format of captures. */
export interface CaptureReader {
  readonly format: CaptureFormat;
  isFormat(capture: Capture): boolean;
  /**
   * Every request of the capture in order, unsigned ones too.
   *
   * @throws {MopError} `usage` when the capture as a whole cannot be read.
   */
  read(
    capture: Capture,
    readFile: ReadFile | undefined,
  ): readonly CaptureEntry[] | Promise<readonly CaptureEntry[]>;
}

/**
 * One request of a capture. Each is read separately: an unreadable one does not affect the others.
 */
export interface CaptureEntry {
  /** Whether it seems to have a signature, even if {@link read} fails. */
  readonly looksSigned: boolean;
  /** @throws {MopError} `usage` */
  read(): CapturedRequest | Promise<CapturedRequest>;
}

/** Maximum unreadable calls, because each costs another search of the text. */
export const MAX_UNREADABLE = 50;

/** The readers of a call's requests. For an unreadable call, one reader that throws the error. */
export function readsOrFailure(prepare: () => readonly CaptureEntry['read'][]): {
  readonly reads: readonly CaptureEntry['read'][];
  readonly failed: boolean;
} {
  try {
    return { reads: prepare(), failed: false };
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    return { reads: [() => Promise.reject(error)], failed: true };
  }
}

/** The entry for a format with exactly one request. */
export function onlyEntry(read: CaptureEntry['read']): readonly CaptureEntry[] {
  return [{ looksSigned: true, read }];
}

/** Whether a text contains the name of a signature: the header, or the field of a body. */
export function mentionsSignature(text: string): boolean {
  return /x-tms-sign\b|\bsign\b/i.test(text);
}

/** Whether an unreadable request in a log looks like a request to the platform. */
export function looksLikePlatformRequest(text: string): boolean {
  return (
    mentionsSignature(text) || Object.values(ADDRESS_PREFIX).some((prefix) => text.includes(prefix))
  );
}

const UTF_8_MARK = [0xef, 0xbb, 0xbf];
/** PowerShell's redirection writes UTF-16. */
const UTF_16 = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Characters read to recognise the format. */
const HEAD = 10_000;

/** The text of a capture, without a byte order mark and without the colours of a terminal. */
export class Capture {
  /** Bytes that are not UTF-8 became U+FFFD. */
  readonly text: string;
  /** In UTF-8. */
  readonly bytes: Uint8Array;
  /** The offset after leading white space in {@link text}. */
  readonly start: number;
  /** Its first characters from {@link start} on. */
  readonly head: string;
  #document: JsonValue | undefined | null = null;

  constructor(input: string | Uint8Array) {
    ({ text: this.text, bytes: this.bytes } = decoded(input));
    this.start = this.text.length - this.text.trimStart().length;
    this.head = this.text.slice(this.start, this.start + HEAD);
  }

  /** Its JSON value; undefined when it is not JSON. */
  get document(): JsonValue | undefined {
    if (this.#document === null) this.#document = documentOf(this.text);
    return this.#document;
  }

  /** @throws {MopError} `usage` when the text is not UTF-8. */
  textAs(format: CaptureFormat): string {
    utf8Text(this.bytes, 'the text', format);
    return this.text;
  }
}

function documentOf(text: string): JsonValue | undefined {
  try {
    return parseMembers(text, 'as-written');
  } catch {
    return undefined;
  }
}

function decoded(input: string | Uint8Array): { text: string; bytes: Uint8Array } {
  if (typeof input === 'string') {
    const text = withoutColours(input).replace(/^\ufeff/, '');
    return { text, bytes: new TextEncoder().encode(text) };
  }
  const begins = (mark: readonly number[]) => mark.every((byte, index) => input[index] === byte);
  const utf16 = UTF_16.find(({ mark }) => begins(mark));
  if (utf16) return decoded(new TextDecoder(utf16.encoding).decode(input));
  // A plain view: a Buffer would appear in the content of files.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const text = new TextDecoder().decode(bytes);
  // In other bytes, an escape may belong to the content of a file.
  if (text.includes('\u001b') && isUtf8(bytes)) return decoded(text);
  return {
    text,
    bytes: begins(UTF_8_MARK) ? bytes.subarray(UTF_8_MARK.length) : bytes,
  };
}
