import { constants, readSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileError } from '../../files/file-error.ts';
import { eachLine, type LineRange } from '../../files/lines.ts';
import type { BillKey } from './bill-key.ts';
import {
  type BillOwner,
  isStored,
  LEDGER_NAME,
  type LedgerEntry,
  notRegular,
  parseEntry,
  type StoredEntry,
} from './ledger.ts';
import { subjectOf, subjectOfLine, withoutFile } from './ledger-line.ts';
import { statsOf } from './stored-file.ts';

/** Lines read in one turn of the event loop, about 10 ms: signals are handled between turns. */
const LINES_PER_TURN = 4096;

/** The newest line of a subject. */
interface NewestLine {
  start: number;
  end: number;
  /**
   * Read after the scan: most lines are superseded, and storing each text doubles time and memory.
   */
  text: string;
}

/** The state of the file at the last read. */
interface LastRead {
  readonly ino: number;
  readonly dev: number;
  /** The offset of the next line. */
  readonly end: number;
  /** Whether the last line ends with a line break. */
  readonly endsWithLineBreak: boolean;
}

/** The lines of a ledger that a compaction keeps. */
export interface CondensedLedger {
  /** In the order of the file. */
  readonly ranges: readonly LineRange[];
  /** The number of lines in the ledger. */
  readonly lines: number;
  /** The number of lines that are kept. */
  readonly kept: number;
}

/**
 * The ledger of a directory: the newest line about each file of a bill, and about each day without a
 * bill. A refresh reads only added lines. Memory grows with the number of bills, not of lines.
 */
class Ledger {
  readonly #path: string;
  /** The newest line of each subject. */
  readonly #newest = new Map<string, NewestLine>();
  /** The part of each subject that precedes its file. */
  readonly #subjectStarts = new Set<string>();
  /** Lines that are not entries; neighbours are one range. */
  readonly #foreign: LineRange[] = [];
  #lineCount = 0;
  #supersededCount = 0;
  #read: LastRead | undefined;
  #reading = Promise.resolve();
  readonly #signal: AbortSignal | undefined;

  constructor(directory: string, signal: AbortSignal | undefined) {
    this.#path = join(directory, LEDGER_NAME);
    this.#signal = signal;
  }

  /** The newest entry of each subject, oldest first. */
  entries(): LedgerEntry[] {
    return parseLines([...this.#newest.values()]);
  }

  /** The newest entry about a bill in a file; with null, about a day without the bill. */
  newest(owner: BillOwner, bill: BillKey, file: string | null): LedgerEntry | undefined {
    const line = this.#newest.get(subjectOf(owner, bill, file));
    return line && parseEntry(line.text);
  }

  /** Whether a bill was ever stored. */
  wasStored(owner: BillOwner, bill: BillKey): boolean {
    return this.#subjectStarts.has(withoutFile(subjectOf(owner, bill, '')));
  }

  /** The newest entry about a stored file, of any profile. */
  newestOfFile(file: string): StoredEntry | undefined {
    const end = JSON.stringify(file);
    const about = [...this.#newest].filter(([subject]) => subject.endsWith(end));
    const entries = parseLines(about.map(([, line]) => line)).filter(isStored);
    return entries.findLast((entry) => entry.file === file);
  }

  /** The lines that a compaction keeps. */
  condensed(): CondensedLedger {
    const kept = [...this.#newest.values(), ...this.#foreign].sort(byStart);
    const ranges: LineRange[] = [];
    for (const range of kept) addRange(ranges, range);
    const lines = this.#lineCount;
    return { ranges, lines, kept: lines - this.#supersededCount };
  }

  /**
   * Reads the lines added since the last call, or all lines when the file was replaced.
   *
   * @throws {MopError} `io`
   * @throws The signal's reason.
   */
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
    const stats = await file.stat();
    if (!this.#continues(stats)) this.#forget();
    const from = this.#read?.end ?? 0;
    let end = from;
    const unread = new Set<NewestLine>();
    const onLine = (text: string | undefined, range: LineRange): void => {
      const line = this.#add(text, range);
      if (line) unread.add(line);
      end = range.end;
    };
    const whole = await eachLine(file, from, onLine, this.#signal);
    let texts = 0;
    for (const line of unread) {
      line.text = textOf(line, file);
      if (++texts % LINES_PER_TURN === 0) await nextTurn();
      this.#signal?.throwIfAborted();
    }
    this.#read = { ino: stats.ino, dev: stats.dev, end, endsWithLineBreak: whole === end };
  }

  /** Whether the file is unchanged since the last read, except for added lines. */
  #continues({ ino, dev, size }: Stats): boolean {
    const read = this.#read;
    if (read === undefined || ino !== read.ino || dev !== read.dev) return false;
    // A last line without a line break may have changed since.
    return size === read.end || (size > read.end && read.endsWithLineBreak);
  }

  #forget(): void {
    this.#newest.clear();
    this.#subjectStarts.clear();
    this.#foreign.length = 0;
    this.#lineCount = 0;
    this.#supersededCount = 0;
    this.#read = undefined;
  }

  /** Records a line. Returns the newest line of its subject; undefined for a text that is not an entry. */
  #add(text: string | undefined, { start, end }: LineRange): NewestLine | undefined {
    this.#lineCount++;
    const subject = text === undefined ? undefined : subjectOfLine(text);
    if (subject === undefined) {
      addRange(this.#foreign, { start, end });
      return undefined;
    }
    const known = this.#newest.get(subject);
    if (known) {
      this.#supersededCount++;
      known.start = start;
      known.end = end;
      return known;
    }
    const line = { start, end, text: '' };
    // A copy: a substring would keep the whole line in memory.
    const copy = Buffer.from(subject).toString();
    this.#newest.set(copy, line);
    this.#subjectStarts.add(withoutFile(copy));
    return line;
  }
}

/** The ledgers of a run. Each is read as a whole once; later reads add the new lines. */
export class Ledgers {
  readonly #ledgers = new Map<string, Ledger>();
  readonly #signal: AbortSignal | undefined;

  /** @param signal Stops reading a long ledger; its reason is thrown. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * The ledger of a directory with its newest lines; empty without a ledger file.
   *
   * @throws {MopError} `io`
   */
  async read(directory: string): Promise<Ledger> {
    const path = resolve(directory);
    const ledger = this.#ledgers.get(path) ?? new Ledger(directory, this.#signal);
    this.#ledgers.set(path, ledger);
    await ledger.refresh();
    return ledger;
  }
}

/**
 * The newest entries of a directory's ledger, oldest first: one about each bill in each of its files,
 * and one about each day without a bill. Empty without a ledger.
 *
 * @throws {MopError} `io`
 * @throws The signal's reason.
 */
export async function readLedger(directory: string, signal?: AbortSignal): Promise<LedgerEntry[]> {
  return (await new Ledgers(signal).read(directory)).entries();
}

/** Synchronous: reading a line takes microseconds; an asynchronous read takes ten times as long. */
function textOf({ start, end }: LineRange, file: FileHandle): string {
  const bytes = Buffer.alloc(end - start);
  const length = readSync(file.fd, bytes, 0, bytes.length, start);
  return bytes.toString('utf8', 0, length);
}

/** The entries of lines, oldest first. */
function parseLines(lines: NewestLine[]): LedgerEntry[] {
  return lines.sort(byStart).flatMap(({ text }) => parseEntry(text) ?? []);
}

function byStart(one: LineRange, other: LineRange): number {
  return one.start - other.start;
}

/** Adds a range, or extends the last one. */
function addRange(ranges: LineRange[], { start, end }: LineRange): void {
  const last = ranges.at(-1);
  if (last?.end === start) ranges[ranges.length - 1] = { start: last.start, end };
  else ranges.push({ start, end });
}
