import { MopError } from '../../../errors.ts';
import type { FetchBillOptions } from '../../../platform/bills/fetch-options.ts';
import type { Shard } from '../../../platform/bills/selection.ts';
import type { BillType } from '../../../protocol/operations.ts';
import type { DateOptions } from './dates.ts';

/** The options of `mop bill fetch`. Those that concern one bill are passed on as they are. */
export interface BillFetchOptions
  extends DateOptions,
    Pick<FetchBillOptions, 'tar' | 'keepGzip' | 'maxBytes' | 'overwrite' | 'requireHash'> {
  readonly missing?: boolean;
  readonly type?: readonly BillType[];
  readonly out?: string;
  readonly name?: string;
  readonly allProfiles?: boolean;
  readonly concurrency?: number;
  readonly shard?: Shard;
  /** Minutes. */
  readonly wait?: number;
}

/** @throws {MopError} `usage` for options that contradict each other. */
export function checkOptions(dates: readonly string[], options: BillFetchOptions): void {
  const { from, to, last, missing, out, allProfiles, shard, type, keepGzip, tar } = options;
  const selections = [
    dates.length > 0 && 'DATE',
    (from !== undefined || to !== undefined) && '--from/--to',
    last !== undefined && '--last',
    missing && '--missing',
  ].filter((selection) => selection);
  if (selections.length > 1) {
    throw new MopError('usage', `${selections.join(' and ')} cannot be combined`, {
      hint: 'choose the days in one way',
    });
  }
  if (out === '') {
    throw new MopError('usage', '-o names nothing', { hint: 'name a directory, a file or -' });
  }
  if (to !== undefined && from === undefined) {
    throw new MopError('usage', '--to needs --from', { hint: 'say where the days begin' });
  }
  const many = missing || allProfiles || shard || dates.length > 1 || (type?.length ?? 1) > 1;
  if (out === '-' && many) {
    throw new MopError('usage', 'only one bill goes to standard output', {
      hint: 'ask for one date and one type, or name a directory with -o DIR/',
    });
  }
  if (keepGzip && tar === 'stream') {
    throw new MopError('usage', '--keep-gzip needs the gzip form, and --tar stream asks for none', {
      hint: 'leave out one of the two',
    });
  }
}

/** Whether the options ask for several bills, even when they select one or none. */
export function isBatch(
  dates: readonly string[],
  { from, last, missing, shard, allProfiles, type = [] }: BillFetchOptions,
): boolean {
  const ranges = [from, last, missing, shard, allProfiles];
  return ranges.some((range) => range) || dates.length > 1 || type.length > 1;
}
