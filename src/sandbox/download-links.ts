import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DOWNLOAD_LINK_SECONDS } from '../protocol/limits.ts';
import type { TarType } from '../protocol/operations.ts';
import type { Bill } from './bill-content.ts';

export const DOWNLOAD_PATH = '/download/bill';

export interface BillFile extends Bill {
  readonly tar: TarType;
}

export interface DownloadLink {
  /** The path and query below the sandbox's address. */
  readonly path: string;
  /** The value for the header `Authorization`. */
  readonly authorization: string;
}

/**
 * Links to bills, valid for 30 seconds and only with their authorization (D1 2.3, 4.1 rule 6).
 * Stateless: a link contains its parameters, and the authorization signs them.
 */
export class DownloadLinks {
  readonly #key = randomBytes(32);

  /** @param now The start of the 30 seconds, in milliseconds since 1970. */
  issue({ date, type, tar }: BillFile, now: number): DownloadLink {
    const expires = String(now + DOWNLOAD_LINK_SECONDS * 1000);
    return {
      path: `${DOWNLOAD_PATH}?${new URLSearchParams({ date, type, tar, expires })}`,
      authorization: this.#authorization({ date, type, tar, expires }),
    };
  }

  /**
   * The file that a request may download, or the reason of the refusal.
   *
   * @param query The query of the link.
   * @param authorization The value of the header, if present.
   * @param now Milliseconds since 1970.
   */
  redeem(
    query: Readonly<Record<string, string>>,
    authorization: string | undefined,
    now: number,
  ): BillFile | string {
    const expected = Buffer.from(this.#authorization(query));
    const given = Buffer.from(authorization ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return 'not authorized: send the authorization of this link in the header Authorization';
    }
    if (now > Number(query.expires)) return 'the link has expired: request a new one';
    // Only issued links have a valid authorization.
    return { date: query.date, type: query.type, tar: query.tar } as BillFile;
  }

  #authorization({ date, type, tar, expires }: Readonly<Record<string, string>>): string {
    const content = JSON.stringify([date, type, tar, expires]);
    return createHmac('sha256', this.#key).update(content).digest('base64url');
  }
}
