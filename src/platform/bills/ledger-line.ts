import type { BillKey } from './bill-key.ts';
import { type BillOwner, isStored, parseEntry } from './ledger.ts';

const TEXT = '"[^"\\\\\\0-\\x1f]*"';
const FILE = '"(?!\\.{1,2}")[^"\\\\/:\\0-\\x1f]+"';
const COUNT = '(?:0|[1-9]\\d*)';

/** A line as mop writes it, subject first: matching takes a third of the time of parsing. */
const OWN_LINE = new RegExp(
  `^(\\{"date":${TEXT},"type":${TEXT},"profile":${TEXT},"environment":${TEXT},` +
    `"status":(?:"stored","file":${FILE}(?=,"bytes":\\d)|"no-bill","file":null)),` +
    `(?:"bytes":${COUNT},"hash_type":${TEXT},"hash_value":${TEXT}` +
    '|"bytes":null,"hash_type":null,"hash_value":null)' +
    `,"verified":(?:true|false),"seq_id":${TEXT},"time":${TEXT}\\}\\r?$`,
);

/**
 * Returns the subject of a line: a newer line with the same subject supersedes it. Undefined for a
 * line that is not an entry.
 */
export function subjectOfLine(line: string): string | undefined {
  const own = OWN_LINE.exec(line)?.[1];
  if (own !== undefined) return own;
  const entry = parseEntry(line);
  return entry && subjectOf(entry, entry, isStored(entry) ? entry.file : null);
}

/**
 * The subject of the lines about a bill in a file: the start of each line that mop writes.
 *
 * @param file Null for a line without a stored bill.
 */
export function subjectOf(
  { profile, environment }: BillOwner,
  { date, type }: BillKey,
  file: string | null,
): string {
  const status = file === null ? 'no-bill' : 'stored';
  return JSON.stringify({ date, type, profile, environment, status, file }).slice(0, -1);
}

/** The part of a subject that all files of a bill share. */
export function withoutFile(subject: string): string {
  return subject.slice(0, subject.lastIndexOf('"file":'));
}
