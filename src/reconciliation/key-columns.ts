import { own, quoted } from '../errors.ts';
import { counted } from '../files/counts.ts';
import type { SideTable } from './side-reader.ts';

/**
 * A note about other columns with common values in the first rows: the key may be the wrong one.
 */
export function otherKeyNote(
  bill: SideTable | undefined,
  records: SideTable | undefined,
): string | undefined {
  const [ourKey, theirKey] = [bill?.key[0], records?.key[0]];
  if (!bill || !records || ourKey === undefined || theirKey === undefined) return undefined;
  const columns = (side: SideTable): number[] => [...side.table.columns.keys()];
  const pairs = [
    ...columns(records).map((column) => [ourKey, column] as const),
    ...columns(bill).map((column) => [column, theirKey] as const),
  ];
  let best = { count: 0, option: '' };
  for (const [ours, theirs] of pairs) {
    if (ours === ourKey && theirs === theirKey) continue;
    const known = new Set(valuesOf(records, theirs));
    const count = valuesOf(bill, ours).filter((value) => known.has(value)).length;
    if (count <= best.count) continue;
    best = { count, option: `${bill.table.columns[ours]}=${records.table.columns[theirs]}` };
  }
  if (best.count === 0) return undefined;
  return quoted`no key matches; ${own(counted(best.count, 'row'))} of the first ${bill.table.samples.length} would match with --key ${best.option}`;
}

/** The values in the first rows that may be keys: amounts and short texts match by chance. */
function valuesOf({ table }: SideTable, column: number): string[] {
  return table.samples.flatMap((row) => {
    const value = row[column] ?? '';
    return value.length > 1 && !/^-?\d+[.,]\d+$/.test(value) ? [value] : [];
  });
}
