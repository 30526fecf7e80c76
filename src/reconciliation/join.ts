import { areTextsEqual, type Entries } from './entry-store.ts';

/** Receives the entries with one key: their indexes on both sides. */
export interface JoinVisitor {
  /** One entry on each side. */
  onPair(bill: number, records: number): void;
  /** Any other number of entries, on one side possibly 0. */
  onGroup(bill: readonly number[], records: readonly number[]): void;
}

/** Joins two partitions by their keys, with a hash table. The keys come in the order of the bill. */
export function joinEntries(bill: Entries, records: Entries, visitor: JoinVisitor): void {
  const table = new KeyTable(bill, records);
  for (let index = 0; index < bill.length; index++) table.insert(bill, index, 0);
  for (let index = 0; index < records.length; index++) table.insert(records, index, 1);
  for (let key = 0; key < table.size; key++) {
    const [ours, theirs] = [table.single(key, 0), table.single(key, 1)];
    if (ours !== -1 && theirs !== -1) visitor.onPair(ours, theirs);
    else visitor.onGroup(table.entries(key, 0), table.entries(key, 1));
  }
}

type Side = 0 | 1;

/** A hash table with open addressing, of keys with a list of entries on each side. */
class KeyTable {
  size = 0;
  readonly #mask: number;
  /** The number of a key, plus 1; 0 in a free slot. */
  readonly #slots: Int32Array;
  /** An entry of each key, with its side in the lowest bit. */
  readonly #example: Int32Array;
  /** The first and the last entry of each key, plus 1, by side. */
  readonly #first: readonly [Int32Array, Int32Array];
  readonly #last: readonly [Int32Array, Int32Array];
  /** The next entry with the same key, plus 1, by side. */
  readonly #next: readonly [Int32Array, Int32Array];
  readonly #sides: readonly [Entries, Entries];

  constructor(bill: Entries, records: Entries) {
    const keys = bill.length + records.length;
    const slots = 2 ** Math.ceil(Math.log2(Math.max(2, 1.5 * keys)));
    this.#mask = slots - 1;
    this.#slots = new Int32Array(slots);
    this.#example = new Int32Array(keys);
    this.#first = [new Int32Array(keys), new Int32Array(keys)];
    this.#last = [new Int32Array(keys), new Int32Array(keys)];
    this.#next = [new Int32Array(bill.length), new Int32Array(records.length)];
    this.#sides = [bill, records];
  }

  insert(entries: Entries, index: number, side: Side): void {
    const hash = entries.hash(index);
    let slot = hash & this.#mask;
    for (;;) {
      const key = (this.#slots[slot] as number) - 1;
      if (key === -1) {
        this.#slots[slot] = ++this.size;
        this.#example[this.size - 1] = 2 * index + side;
        this.#first[side][this.size - 1] = index + 1;
        this.#last[side][this.size - 1] = index + 1;
        return;
      }
      if (this.#hasKey(key, entries, index, hash)) {
        this.#append(key, index, side);
        return;
      }
      slot = (slot + 1) & this.#mask;
    }
  }

  #hasKey(key: number, entries: Entries, index: number, hash: number): boolean {
    const example = this.#example[key] as number;
    const other = this.#sides[(example & 1) as Side];
    const at = example >> 1;
    return (
      other.hash(at) === hash &&
      areTextsEqual(entries.bytes, entries.texts(index), other.bytes, other.texts(at))
    );
  }

  #append(key: number, index: number, side: Side): void {
    const last = (this.#last[side][key] as number) - 1;
    if (last === -1) this.#first[side][key] = index + 1;
    else this.#next[side][last] = index + 1;
    this.#last[side][key] = index + 1;
  }

  /** The only entry of a key on a side; -1 for 0 or several. */
  single(key: number, side: Side): number {
    const first = this.#first[side][key] as number;
    return first === this.#last[side][key] ? first - 1 : -1;
  }

  entries(key: number, side: Side): number[] {
    const found: number[] = [];
    const next = this.#next[side];
    for (
      let entry = this.#first[side][key] as number;
      entry > 0;
      entry = next[entry - 1] as number
    ) {
      found.push(entry - 1);
    }
    return found;
  }
}
