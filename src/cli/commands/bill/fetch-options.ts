import type { Shard } from '../../../platform/bills/bill-key.ts';
import type { FetchBillOptions } from '../../../platform/bills/fetch-options.ts';
import type { BillType } from '../../../protocol/operations.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { DateOptions } from './dates.ts';

/** The options of `mop bill fetch`. Options of a single bill are passed on unchanged. */
export interface BillFetchOptions
  extends DateOptions,
    Pick<
      FetchBillOptions,
      | 'tar'
      | 'keepGzip'
      | 'maxBytes'
      | 'overwrite'
      | 'requireHash'
      | 'acceptUnknownHash'
      | 'acceptAnyContent'
      | 'acceptUnverified'
    > {
  readonly keepGoing?: boolean;
  readonly missing?: boolean;
  readonly type?: readonly BillType[];
  readonly out?: string;
  readonly name?: string;
  readonly allProfiles?: boolean;
  readonly concurrency?: number;
  readonly shard?: Shard;
  /** Minutes. */
  readonly wait?: number;
  /** Each as `Name: value`. */
  readonly downloadHeader?: readonly string[];
}

/** @throws {MopError} `usage` for options that contradict each other. */
export function checkOptions(dates: readonly string[], options: BillFetchOptions): void {
  const { from, to, last, missing, out, keepGzip, tar } = options;
  const { requireHash, acceptUnknownHash, acceptAnyContent } = options;
  const { overwrite, acceptUnverified } = options;
  const selections = [
    dates.length > 0 && 'DATE',
    (from !== undefined || to !== undefined) && '--from/--to',
    last !== undefined && '--last',
    missing && '--missing',
  ].filter((selection) => selection);
  const combined = selections.join(' and ');
  assertNoConflict([
    [selections.length > 1, `${combined} cannot be combined`, 'use only one of them'],
    [out === '', '-o is empty', 'name a directory, a file or -'],
    [to !== undefined && from === undefined, '--to needs --from', 'add the first day: --from DATE'],
    [
      out === '-' && isBatch(dates, options),
      'only one bill can go to standard output',
      'choose one date and one type, or name a directory with -o DIR/',
    ],
    [
      keepGzip && tar === 'stream',
      '--keep-gzip needs the gzip form, and --tar stream requests another',
    ],
    [
      requireHash && acceptUnknownHash,
      '--require-hash and --accept-unknown-hash contradict each other',
    ],
    [
      requireHash && acceptAnyContent,
      '--require-hash and --accept-any-content contradict each other',
    ],
    [
      acceptUnverified && !overwrite,
      '--accept-unverified needs --overwrite',
      'add --overwrite, or leave it out',
    ],
  ]);
}

/** Whether the options ask for several bills, even when they select one or none. */
export function isBatch(
  dates: readonly string[],
  { from, last, missing, shard, allProfiles, type = [] }: BillFetchOptions,
): boolean {
  const ranges = [from, last, missing, shard, allProfiles];
  return ranges.some((range) => range) || dates.length > 1 || type.length > 1;
}
