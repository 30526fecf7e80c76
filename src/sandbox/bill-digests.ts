import { createHash, getHashes } from 'node:crypto';
import { type Bill, billContent } from './bill-content.ts';

/** More than a window of bills of each type. */
const MAX_KEPT = 512;

/** Digests of the original content of bills. Each takes a pass over it, so they are kept. */
export class BillDigests {
  readonly #rows: number;
  readonly #closing: AbortSignal;
  readonly #kept = new Map<string, Promise<string>>();

  /**
   * @param rows Orders per day.
   * @param closing Ends the passes under way.
   */
  constructor(rows: number, closing: AbortSignal) {
    this.#rows = rows;
    this.#closing = closing;
  }

  /**
   * The digest of a bill, in lower-case hex.
   *
   * @param algorithm A name that `node:crypto` knows.
   */
  of(bill: Bill, algorithm: string): Promise<string> {
    const key = `${bill.date} ${bill.type} ${algorithm}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const digest = this.#compute(bill, algorithm);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
    this.#kept.set(key, digest);
    return digest;
  }

  async #compute(bill: Bill, algorithm: string): Promise<string> {
    const hash = createHash(algorithm);
    for await (const chunk of billContent(bill, this.#rows)) {
      this.#closing.throwIfAborted();
      hash.update(chunk);
    }
    return hash.digest('hex');
  }
}

/** What `node:crypto` calls a digest, matched without case, dashes or underscores. */
export function cryptoName(hashType: string): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
  return getHashes().find((name) => plain(name) === plain(hashType));
}
