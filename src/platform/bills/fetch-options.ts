import type { MopError } from '../../errors.ts';
import { type BillSchedule, DEFAULT_SCHEDULE } from '../../protocol/bill-calendar.ts';
import { DEFAULT_AUTH_HEADER } from '../../protocol/defaults.ts';
import { DEFAULT_TAR, type TarType } from '../../protocol/operations.ts';
import type { BillKey } from './bill-key.ts';
import type { BillOwner } from './ledger.ts';
import { Ledgers } from './read-ledger.ts';

/** A bill to fetch, and the path of its file. */
export interface BillJob extends BillKey {
  readonly target: string;
}

export interface BillDescriptorOptions {
  /** Default: Asia/Shanghai, ready at 10:00, late after 12 hours. */
  readonly schedule?: BillSchedule | undefined;
  /** Result codes that mean "there is no bill", besides a success without a link. Default none. */
  readonly noBillCodes?: readonly number[] | undefined;
  /** Ask the platform even before the bill can be ready. */
  readonly force?: boolean | undefined;
}

export interface FetchBillOptions extends BillDescriptorOptions {
  /** Default gzip. */
  readonly tar?: TarType | undefined;
  /** Keep the file compressed. Only with `tar: 'gzip'`. */
  readonly keepGzip?: boolean | undefined;
  /**
   * The header that carries the authorization of a download: its name, or a whole line such as
   * `Authorization: Bearer {authorization}`. Default `Authorization`.
   */
  readonly authHeader?: string | undefined;
  /**
   * Other headers of the download request. Like the authorization, they are sent to the origin of
   * `download_url` only, and to no other after a redirect. Default none.
   */
  readonly downloadHeaders?: readonly (readonly [name: string, value: string])[] | undefined;
  /**
   * Maximum size of the decompressed content, of the stored file, and of compressed data without
   * content. Default 64 GiB.
   */
  readonly maxBytes?: number | undefined;
  /** Permissions of the stored file and the ledger. Default 0o600. */
  readonly fileMode?: number | undefined;
  /** Refuse a bill without a digest. */
  readonly requireHash?: boolean | undefined;
  /** Store a bill with an unknown digest, unverified. Default: it is refused with `integrity`. */
  readonly acceptUnknownHash?: boolean | undefined;
  /** Store any content without a digest. Default: a page, a document or an archive is refused. */
  readonly acceptAnyContent?: boolean | undefined;
  /** Replace a file that differs from the bill. */
  readonly overwrite?: boolean | undefined;
  /** With `overwrite`, replace a verified bill by one without a digest. Default: it is refused. */
  readonly acceptUnverified?: boolean | undefined;
  /** Maximum wait for a bill that is not ready yet. Default 0. */
  readonly waitMs?: number | undefined;
  /** Owner of the bills, for the ledger beside the file. Default: no ledger is kept. */
  readonly ledger?: BillOwner | undefined;
  /** Stops hashing an existing file and waiting for the ledger; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the wait for a bill and for the next attempt; its reason is thrown. */
  readonly waitSignal?: AbortSignal | undefined;
  /** Receives the progress. */
  readonly onEvent?: ((event: BillEvent) => void) | undefined;
}

export type BillEvent =
  | { readonly kind: 'attempt'; readonly number: number }
  | { readonly kind: 'progress'; readonly received: number; readonly total: number | undefined }
  | { readonly kind: 'retry'; readonly error: MopError; readonly waitMs: number }
  /** `until` is a time of the platform's clock, such as `2026-11-20 10:00`. */
  | { readonly kind: 'wait'; readonly until: string };

const DEFAULTS = {
  schedule: DEFAULT_SCHEDULE,
  noBillCodes: [] as readonly number[],
  force: false,
  tar: DEFAULT_TAR as TarType,
  keepGzip: false,
  authHeader: DEFAULT_AUTH_HEADER as string,
  downloadHeaders: [] as NonNullable<FetchBillOptions['downloadHeaders']>,
  maxBytes: 64 * 1024 ** 3,
  fileMode: 0o600,
  requireHash: false,
  acceptUnknownHash: false,
  acceptAnyContent: false,
  overwrite: false,
  acceptUnverified: false,
  waitMs: 0,
  onEvent: (() => {}) as (event: BillEvent) => void,
};

/** The options of a fetch, each with a value: every step reads the same ones. */
export interface ResolvedOptions
  extends Readonly<typeof DEFAULTS>,
    Pick<FetchBillOptions, 'ledger' | 'signal' | 'waitSignal'> {
  /** The end of the wait, in milliseconds since 1970. */
  readonly deadline: number;
  /** Each ledger is read once in a run. */
  readonly ledgers: Ledgers;
}

export function resolveOptions(
  given: FetchBillOptions,
  now: number,
  ledgers = new Ledgers(given.signal),
): ResolvedOptions {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const options = { ...DEFAULTS, ...set } as typeof DEFAULTS & FetchBillOptions;
  return { ...options, ledgers, deadline: now + options.waitMs } as ResolvedOptions;
}
