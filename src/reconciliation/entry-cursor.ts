import type { Entry } from './entry-reader.ts';

/** A position in entries that come in batches. */
export class EntryCursor {
  readonly #batches: AsyncIterator<Entry[]>;
  #batch: readonly Entry[] = [];
  #index = 0;
  /** Undefined at the end. */
  entry: Entry | undefined;

  private constructor(batches: AsyncIterator<Entry[]>) {
    this.#batches = batches;
  }

  /** A cursor at the first entry. */
  static async open(batches: AsyncGenerator<Entry[]>): Promise<EntryCursor> {
    const cursor = new EntryCursor(batches);
    await cursor.#read();
    return cursor;
  }

  /** Moves to the next entry. Returns a promise only to read a batch: awaiting is slow. */
  advance(): Promise<void> | undefined {
    this.entry = this.#batch[++this.#index];
    return this.entry ? undefined : this.#read();
  }

  async #read(): Promise<void> {
    const { value, done } = await this.#batches.next();
    this.#batch = done ? [] : value;
    this.#index = 0;
    this.entry = this.#batch[0];
  }
}
