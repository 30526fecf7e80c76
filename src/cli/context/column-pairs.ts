import { MopError } from '../../errors.ts';
import type { ColumnPair } from '../../reconciliation/compare-options.ts';

/**
 * A `COL[=THEIRS]` of `bill compare`, split at the first `=`. Without `=` both columns have the
 * same name.
 */
export function columnPair(text: string): ColumnPair {
  const pair = splitPair(text);
  if (isComplete(pair)) return pair;
  throw new MopError('usage', `a column is missing in ${JSON.stringify(text)}`, {
    hint: 'write COL, or COL=THEIRS if the column has another name in your records',
  });
}

/** The pairs of a setting, separated by commas. White space around a pair is ignored. */
export function columnPairList(text: string): ColumnPair[] {
  return partsOf(text).map(columnPair);
}

/** The reason why {@link columnPairList} rejects a text, or undefined. */
export function columnListFault(text: string): string | undefined {
  const isList = partsOf(text).every((part) => isComplete(splitPair(part)));
  return isList ? undefined : 'it is not a list of columns such as order_id=id,city';
}

function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function splitPair(text: string): ColumnPair {
  const at = text.indexOf('=');
  if (at < 0) return { bill: text, records: text };
  return { bill: text.slice(0, at), records: text.slice(at + 1) };
}

function isComplete({ bill, records }: ColumnPair): boolean {
  return bill.trim() !== '' && records.trim() !== '';
}
