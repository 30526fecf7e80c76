import { MopError } from '../../errors.ts';
import { parseMembers } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import { ADDRESS_PREFIX } from '../../protocol/operations.ts';
import { isUtf8, utf8Bytes } from '../bytes.ts';
import type { CapturedRequest, CaptureFormat } from './captured-request.ts';
import { utf8Text } from './decoding.ts';

/**
 * Reads a file that a command names, relative to the directory of the command.
 *
 * @throws {MopError} `usage` with the name of the file, or any other error.
 */
export type ReadFile = (path: string) => Promise<Uint8Array>;

export interface CaptureReader {
  readonly format: CaptureFormat;
  isFormat(source: Source): boolean;
  /** Every request, unsigned ones too. @throws {MopError} `usage` for an unreadable text. */
  read(
    source: Source,
    readFile: ReadFile | undefined,
  ): readonly CaptureEntry[] | Promise<readonly CaptureEntry[]>;
}

/** One request. Each is read separately: an unreadable one does not affect the others. */
export interface CaptureEntry {
  /** Whether it seems to have a signature, even if {@link read} fails. */
  readonly looksSigned: boolean;
  read(): CapturedRequest | Promise<CapturedRequest>;
}

/** Maximum unreadable calls, because each costs another search of the text. */
export const MAX_UNREADABLE = 50;

/** A part of a text that a pattern found. Its reader sets the end, and whether it is unreadable. */
export interface Statement {
  readonly found: RegExpExecArray;
  readonly start: number;
  end: number;
  isUnreadable: boolean;
}

/**
 * The requests of the statements that a global pattern finds in a text, which need not be a script.
 */
export function statementEntries(
  text: string,
  pattern: RegExp,
  readers: (statement: Statement) => readonly CaptureEntry['read'][],
): readonly CaptureEntry[] {
  const entries: CaptureEntry[] = [];
  let failures = 0;
  pattern.lastIndex = 0;
  for (
    let found = pattern.exec(text);
    found && failures < MAX_UNREADABLE;
    found = pattern.exec(text)
  ) {
    const start = pattern.lastIndex;
    const statement = { found, start, end: start, isUnreadable: false };
    const { reads, failed } = readsOrFailure(() => readers(statement));
    const { end, isUnreadable } = statement;
    if (failed || isUnreadable) failures++;
    const looksSigned = mentionsSignature(text.slice(start, end > start ? end : undefined));
    // As arguments of push, many requests would overflow the stack.
    for (const read of reads) entries.push({ looksSigned, read });
    pattern.lastIndex = end;
  }
  return entries;
}

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

/** Whether a text contains the name of a signature: the header, or the field of a body. */
export function mentionsSignature(text: string): boolean {
  return /x-tms-sign\b|\bsign\b/i.test(text);
}

export function looksLikePlatformRequest(text: string): boolean {
  return (
    mentionsSignature(text) || Object.values(ADDRESS_PREFIX).some((prefix) => text.includes(prefix))
  );
}

/** PowerShell's redirection writes UTF-16. */
const ENCODINGS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

const HEAD = 10_000;

/** A text to read: a whole capture, or the text below some of its layers. */
export class Source {
  /** Without a byte order mark and colours. Bytes that are not UTF-8 became U+FFFD. */
  readonly text: string;
  readonly layers: readonly string[];
  readonly start: number;
  readonly head: string;
  #bytes: Uint8Array | undefined;
  #document: JsonValue | undefined | null = null;

  constructor(input: string | Uint8Array, layers: readonly string[] = []) {
    this.layers = layers;
    ({ text: this.text, bytes: this.#bytes } = decoded(input));
    this.start = this.text.length - this.text.trimStart().length;
    this.head = this.text.slice(this.start, this.start + HEAD);
  }

  /** Whether a layer was opened: the text may contain parts of another notation. */
  get isPeeled(): boolean {
    return this.layers.length > 0;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= utf8Bytes(this.text);
    return this.#bytes;
  }

  get document(): JsonValue | undefined {
    if (this.#document === null) this.#document = documentOf(this.text);
    return this.#document;
  }

  textAs(format: CaptureFormat): string {
    if (this.#bytes) utf8Text(this.#bytes, 'the text', format);
    return this.text;
  }
}

const ESC = '\u001b';
/** The colours of a terminal (SGR), and the erasures that grep adds. */
const COLOUR = new RegExp(`${ESC}\\[[\\d;:]*[mK]`, 'g');

function documentOf(text: string): JsonValue | undefined {
  try {
    return parseMembers(text, 'as-written');
  } catch {
    return undefined;
  }
}

function decoded(input: string | Uint8Array): { text: string; bytes: Uint8Array | undefined } {
  if (typeof input === 'string') {
    return { text: input.replace(COLOUR, '').replace(/^\ufeff/, ''), bytes: undefined };
  }
  // A plain view: a Buffer would appear in the content of files.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const marked = ENCODINGS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  const text = new TextDecoder(marked?.encoding).decode(bytes);
  // In other bytes, an escape may belong to the content of a file.
  if (marked || (text.includes(ESC) && isUtf8(bytes))) return decoded(text);
  return { text, bytes };
}
