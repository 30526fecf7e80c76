import { createHash, getHashes } from 'node:crypto';
import { resultCache } from '../server/result-cache.ts';
import { type Bill, billContent } from './bill-content.ts';

/** More than the bills of each type in a window. */
const MAX_DIGESTS = 512;

/** The digest of the original content of a bill, in lower-case hex; `algorithm` is Node's name. */
export type BillDigest = (bill: Bill, algorithm: string) => Promise<string>;

/**
 * Computes and caches digests of bills: each takes a pass over the content.
 *
 * @param rows Orders per day.
 * @param closing Aborts running passes.
 */
export function billDigests(rows: number, closing: AbortSignal): BillDigest {
  const digests = resultCache<Promise<string>>(MAX_DIGESTS);
  return (bill, algorithm) =>
    digests(`${bill.date} ${bill.type} ${algorithm}`, async () => {
      const hash = createHash(algorithm);
      for await (const chunk of billContent(bill, rows)) {
        closing.throwIfAborted();
        hash.update(chunk);
      }
      return hash.digest('hex');
    });
}

/** Node's name of a digest, matched without case, dashes or underscores. */
export function cryptoName(hashType: string): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
  return getHashes().find((name) => plain(name) === plain(hashType));
}
