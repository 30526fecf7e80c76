import { MopError, own, quoted } from '../../errors.ts';
import { isFileName } from '../../files/file-name.ts';
import { type BillSchedule, billWindow, dayNumber, today } from '../../protocol/bill-calendar.ts';
import { BILL_WINDOW_MONTHS } from '../../protocol/limits.ts';
import { BILL_TYPES, type BillType } from '../../protocol/operations.ts';

/** One bill of the platform: a day and a kind of orders. */
export interface BillKey {
  readonly date: string;
  readonly type: BillType;
}

/** A worker's share of many bills: worker `index` of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Every type of every date, in order, without repetitions. */
export function billKeys(dates: readonly string[], types: readonly BillType[]): BillKey[] {
  const uniqueTypes = [...new Set(types)];
  return [...new Set(dates)].flatMap((date) => uniqueTypes.map((type) => ({ date, type })));
}

/** Whether a worker fetches a bill. Depends on the bill and its profile alone, not on the list. */
export function inShard({ date, type }: BillKey, { index, count }: Shard, profile = ''): boolean {
  const profileOffset = [...profile].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  return (dayNumber(date) + BILL_TYPES[type] + profileOffset - index) % count === 0;
}

/** Throws `usage` for a day older than the window, or in the future. */
export function assertInWindow(date: string, schedule: BillSchedule, now: number): void {
  const { first } = billWindow(schedule, now);
  const last = today(schedule, now);
  if (date >= first && date <= last) return;
  const fault =
    date < first
      ? `is older than ${BILL_WINDOW_MONTHS} months: bills go back to ${first}`
      : `is in the future: today is ${last} in ${schedule.timeZone}`;
  throw new MopError('usage', `${date} ${fault}`, {
    hint: 'choose another date, or add --force to ask the platform anyway',
  });
}

/** The file name of a bill; throws `usage` for a name that would leave the directory. */
export function billFileName(template: string, values: Record<string, string>): string {
  const byPlaceholder = new Map(
    Object.entries(values).map(([name, value]) => [`{${name}}`, value]),
  );
  const name = template.replace(/\{[^{}]*\}?|\}/g, (placeholder) => {
    const value = byPlaceholder.get(placeholder);
    if (value !== undefined) return value;
    const known = own([...byPlaceholder.keys()].join(', '));
    const fault = /^\{.*\}$/.test(placeholder)
      ? `the unknown placeholder ${placeholder}`
      : `an unmatched brace: ${placeholder}`;
    throw new MopError('usage', `the file name ${JSON.stringify(template)} has ${fault}`, {
      hint: quoted`correct --name or bill_name; placeholders: ${known}`,
    });
  });
  if (!isFileName(name)) {
    throw new MopError('usage', `${JSON.stringify(name)} is not a valid file name`, {
      hint: 'use letters, digits, - and _ around the placeholders; -o chooses the directory',
    });
  }
  return name;
}

/** Whether mop uses the name for its own files, also on a disk that ignores case. */
export function isReservedName(name: string): boolean {
  return /^(?:\.mop-|bills\.jsonl$)/i.test(name);
}
