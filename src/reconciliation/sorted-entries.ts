import { deserialize, serialize } from 'node:v8';
import TinyQueue from 'tinyqueue';
import { TemporaryFile } from '../files/temporary-file.ts';
import { EntryCursor } from './entry-cursor.ts';
import type { Entry, EntryColumns } from './entry-reader.ts';

/** Entries in memory before they are stored as a sorted run. */
const RUN_ENTRIES = 25_000;
/** The same limit in characters, because entries may contain long rows. */
const RUN_CHARACTERS = 16 * 1024 ** 2;
/** Maximum entries of a block, the unit of storing and reading: a merge holds a block of each run. */
const BLOCK_ENTRIES = 150;
/** The same limit in characters, because entries may contain long rows. */
const BLOCK_CHARACTERS = 64 * 1024;

/** A part of the temporary file, in bytes. */
interface Block {
  readonly position: number;
  readonly length: number;
}

/**
 * Sorts entries by key, then by line, in memory that does not grow with their number: sorted runs
 * are stored in a temporary file and merged.
 */
export class SortedEntries {
  readonly #columns: EntryColumns;
  #entries: Entry[] = [];
  #characters = 0;
  readonly #runs: (readonly Block[])[] = [];
  #file: TemporaryFile | undefined;

  /** @param columns The columns of the keys and amounts of the entries. */
  constructor(columns: EntryColumns) {
    this.#columns = columns;
  }

  /** @throws {MopError} `io` when the temporary file cannot be written. */
  async add(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#characters += charactersOf(entry);
    }
    const { length } = this.#entries;
    if (length >= RUN_ENTRIES || this.#characters >= RUN_CHARACTERS) await this.#storeRun();
  }

  async #storeRun(): Promise<void> {
    this.#file ??= await TemporaryFile.open('sorted rows');
    const encoded: Uint8Array[] = [];
    const run: Block[] = [];
    let position = this.#file.bytes;
    for (const entries of blocksOf(this.#entries.sort(compareEntries))) {
      const block = encode(entries);
      encoded.push(block);
      run.push({ position, length: block.length });
      position += block.length;
    }
    await this.#file.append(Buffer.concat(encoded));
    this.#runs.push(run);
    this.#entries = [];
    this.#characters = 0;
  }

  /**
   * All entries in order, in batches.
   *
   * @throws {MopError} `io` when the temporary file cannot be read.
   */
  sorted(): AsyncGenerator<Entry[]> {
    const last = this.#entries.sort(compareEntries);
    const file = this.#file;
    if (!file) return inOneBatch(last);
    const stored = this.#runs.map((run) => this.#storedBatches(run, file));
    return merged([...stored, inOneBatch(last)]);
  }

  async *#storedBatches(run: readonly Block[], file: TemporaryFile): AsyncGenerator<Entry[]> {
    for (const { position, length } of run) {
      yield decode(await file.read(position, length), this.#columns);
    }
  }

  /** Removes the temporary file. */
  async close(): Promise<void> {
    await this.#file?.close();
  }
}

function* blocksOf(entries: readonly Entry[]): Generator<Entry[]> {
  let block: Entry[] = [];
  let characters = 0;
  for (const entry of entries) {
    block.push(entry);
    characters += charactersOf(entry);
    if (block.length < BLOCK_ENTRIES && characters < BLOCK_CHARACTERS) continue;
    yield block;
    block = [];
    characters = 0;
  }
  if (block.length > 0) yield block;
}

function compareEntries(a: Entry, b: Entry): number {
  if (a.sortKey === b.sortKey) return a.line - b.line;
  return a.sortKey < b.sortKey ? -1 : 1;
}

async function* inOneBatch(entries: Entry[]): AsyncGenerator<Entry[]> {
  if (entries.length > 0) yield entries;
}

/** Merges runs, each of which is in order. */
async function* merged(runs: readonly AsyncGenerator<Entry[]>[]): AsyncGenerator<Entry[]> {
  const cursors = await Promise.all(runs.map((run) => EntryCursor.open(run)));
  const queue = new TinyQueue(
    cursors.filter(({ entry }) => entry),
    (a, b) => compareEntries(a.entry as Entry, b.entry as Entry),
  );
  let batch: Entry[] = [];
  for (let first = queue.pop(); first; first = queue.pop()) {
    batch.push(first.entry as Entry);
    const nextBatch = first.advance();
    if (nextBatch) await nextBatch;
    if (first.entry) queue.push(first);
    if (batch.length < BLOCK_ENTRIES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The parts of all entries in one flat array, because serializing objects is slower. */
function encode(entries: readonly Entry[]): Uint8Array {
  return serialize(
    entries.flatMap(({ sortKey, line, row, key, amounts }) => [
      sortKey,
      line,
      row,
      ...key,
      ...amounts,
    ]),
  );
}

function decode(block: Uint8Array, { key, amounts }: EntryColumns): Entry[] {
  // Texts and numbers in the order of `encode`; the intersection avoids a cast for each part.
  const parts: (string & number)[] = deserialize(block);
  const entries: Entry[] = [];
  for (let start = 0; start < parts.length; ) {
    const keyStart = start + 3;
    const amountsStart = keyStart + key.length;
    const end = amountsStart + amounts.length;
    entries.push({
      sortKey: parts[start] ?? '',
      line: parts[start + 1] ?? 0,
      row: parts[start + 2] ?? '',
      key: parts.slice(keyStart, amountsStart),
      amounts: parts.slice(amountsStart, end),
    });
    start = end;
  }
  return entries;
}

function charactersOf({ sortKey, row, amounts }: Entry): number {
  return amounts.reduce((sum, amount) => sum + amount.length, sortKey.length + row.length);
}
