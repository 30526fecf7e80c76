import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileError } from '../../files/file-error.ts';
import { LEDGER_NAME, type LedgerEntry, notRegular, parseLine, subjectOf } from './ledger.ts';
import { statsOf } from './stored-file.ts';

const BLOCK_BYTES = 256 * 1024;
const LINE_BREAK = 0x0a;

interface ReadableFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** The offsets in a file where lines start and end, line breaks included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Receives a line without its line break; undefined for a line of 256 KiB or more. */
type OnLine = (text: string | undefined, range: LineRange) => void;

/**
 * Reads the lines of a file one after the other, in constant memory.
 *
 * @param from The offset of the first line.
 * @param signal Stops reading and throws its reason.
 * @returns The offset after the last line break. A last line without a line break is also passed to
 *   `onLine`.
 */
export async function eachLine(
  file: ReadableFile,
  from: number,
  onLine: OnLine,
  signal?: AbortSignal,
): Promise<number> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let lineStart = from;
  /**
   * The file offset of the first byte in the block. It is after `lineStart` if the line is too long.
   */
  let offset = from;
  let filled = 0;
  const emit = (start: number, end: number, next: number): void => {
    const isWhole = lineStart === offset + start;
    const range = { start: lineStart, end: offset + next };
    onLine(isWhole ? block.toString('utf8', start, end) : undefined, range);
    lineStart = range.end;
  };
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(block, filled, BLOCK_BYTES - filled, offset + filled);
    if (bytesRead === 0) break;
    const seen = filled;
    filled += bytesRead;
    const bytes = block.subarray(0, filled);
    let start = 0;
    let end = bytes.indexOf(LINE_BREAK, seen);
    for (; end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      emit(start, end, end + 1);
      start = end + 1;
    }
    // A line that fills the block is too long: discard its bytes.
    if (start === 0 && filled === BLOCK_BYTES) start = filled;
    block.copyWithin(0, start, filled);
    offset += start;
    filled -= start;
  }
  const whole = lineStart;
  if (offset + filled > lineStart) emit(0, filled, filled);
  return whole;
}

interface NewestLine {
  readonly entry: LedgerEntry;
  readonly range: LineRange;
}

interface LastRead {
  readonly ino: number;
  readonly dev: number;
  /** The offset of the next line. */
  readonly end: number;
  /** Whether the last line ends with a line break. */
  readonly endsWithLineBreak: boolean;
}

/**
 * The newest line about each file, and about each day without a bill. A refresh reads added lines
 * only.
 */
export class Ledger {
  readonly #path: string;
  readonly #signal: AbortSignal | undefined;
  /** The newest line of each subject, oldest first. */
  readonly #newest = new Map<string, NewestLine>();
  /** Lines that are not entries; neighbours are one range. */
  readonly #foreign: LineRange[] = [];
  #damaged: number[] = [];
  #lineCount = 0;
  #supersededCount = 0;
  #read: LastRead | undefined;
  #reading = Promise.resolve();

  constructor(directory: string, signal: AbortSignal | undefined) {
    this.#path = join(directory, LEDGER_NAME);
    this.#signal = signal;
  }

  /** The newest entry of each subject, oldest first. */
  entries(): LedgerEntry[] {
    return [...this.#newest.values()].map(({ entry }) => entry);
  }

  /** The numbers of damaged lines, from 1. */
  get damaged(): readonly number[] {
    return this.#damaged;
  }

  /** The lines that a compaction keeps, in the order of the file, and counts before and after it. */
  condensed(): { readonly ranges: readonly LineRange[]; before: number; after: number } {
    const kept = [...this.#newest.values()].map(({ range }) => range).concat(this.#foreign);
    kept.sort((one, other) => one.start - other.start);
    const ranges: LineRange[] = [];
    for (const range of kept) addRange(ranges, range);
    return { ranges, before: this.#lineCount, after: this.#lineCount - this.#supersededCount };
  }

  /** Reads the lines added since the last call, or all lines when the file was replaced. */
  async refresh(): Promise<void> {
    // One read at a time: bills in flight share the ledger. A failed read does not fail the next.
    this.#reading = this.#reading.catch(() => {}).then(() => this.#readIfChanged());
    await this.#reading;
  }

  async #readIfChanged(): Promise<void> {
    const stats = await statsOf(this.#path, lstat);
    if (stats === undefined) return this.#forget();
    if (!stats.isFile()) throw notRegular(this.#path);
    if (this.#continues(stats) && stats.size === this.#read?.end) return;
    try {
      const file = await open(this.#path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      await this.#readAddedLines(file).finally(() => file.close());
    } catch (error) {
      this.#forget();
      throw fileError(error, `cannot read the ledger ${this.#path}`);
    }
  }

  async #readAddedLines(file: FileHandle): Promise<void> {
    const { ino, dev, ...stats } = await file.stat();
    if (!this.#continues({ ino, dev, size: stats.size })) this.#forget();
    let end = this.#read?.end ?? 0;
    const onLine = (text: string | undefined, range: LineRange): void => {
      this.#add(text, range);
      end = range.end;
    };
    const whole = await eachLine(file, end, onLine, this.#signal);
    this.#read = { ino, dev, end, endsWithLineBreak: whole === end };
  }

  /** Whether the file is unchanged since the last read, except for added lines. */
  #continues({ ino, dev, size }: Pick<Stats, 'ino' | 'dev' | 'size'>): boolean {
    const read = this.#read;
    if (read === undefined || ino !== read.ino || dev !== read.dev) return false;
    // A last line without a line break may have changed since.
    return size === read.end || (size > read.end && read.endsWithLineBreak);
  }

  #forget(): void {
    this.#newest.clear();
    this.#foreign.length = 0;
    this.#damaged = [];
    this.#lineCount = 0;
    this.#supersededCount = 0;
    this.#read = undefined;
  }

  #add(text: string | undefined, range: LineRange): void {
    this.#lineCount++;
    const entry = parseLine(text);
    if (typeof entry === 'string') {
      addRange(this.#foreign, range);
      if (entry === 'damaged') this.#damaged.push(this.#lineCount);
      return;
    }
    const subject = subjectOf(entry);
    // Deleting it first moves it to the end.
    if (this.#newest.delete(subject)) this.#supersededCount++;
    this.#newest.set(subject, { entry, range });
  }
}

/** The ledgers of a run. Each is read as a whole once; later reads add the new lines. */
export class Ledgers {
  readonly #ledgers = new Map<string, Ledger>();
  readonly #signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** The ledger of a directory with its newest lines; empty without a ledger file. */
  async read(directory: string): Promise<Ledger> {
    const path = resolve(directory);
    const ledger = this.#ledgers.get(path) ?? new Ledger(directory, this.#signal);
    this.#ledgers.set(path, ledger);
    await ledger.refresh();
    return ledger;
  }
}

export async function readLedger(directory: string, signal?: AbortSignal): Promise<Ledger> {
  return new Ledgers(signal).read(directory);
}

function addRange(ranges: LineRange[], { start, end }: LineRange): void {
  const last = ranges.at(-1);
  if (last?.end === start) ranges[ranges.length - 1] = { start: last.start, end };
  else ranges.push({ start, end });
}
