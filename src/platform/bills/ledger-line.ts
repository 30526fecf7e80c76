import type { BillKey } from './bill-key.ts';
import { type BillOwner, isStored, type LedgerEntry, parseEntry } from './ledger.ts';

/** What a line is about. A newer line about the same supersedes it. */
export interface LineSubject {
  /** The {@link billText} of its bill. */
  readonly bill: string;
  /** The {@link fileText} of its file. */
  readonly file: string;
}

const TEXT = '"[^"\\\\\\0-\\x1f]*"';
const FILE = '"(?!\\.{1,2}")[^"\\\\/:\\0-\\x1f]+"';
const COUNT = '(?:0|[1-9]\\d*)';

/** A line as we write it: matching it takes a third of the time of parsing it. */
const OWN_LINE = new RegExp(
  `^(\\{"date":${TEXT},"type":${TEXT},"profile":${TEXT},"environment":${TEXT}),"status":` +
    `(?:"stored","file":(${FILE}),"bytes":${COUNT},"hash_type":${TEXT},"hash_value":${TEXT}` +
    '|"no-bill","file":(null),"bytes":null,"hash_type":null,"hash_value":null)' +
    `,"verified":(?:true|false),"seq_id":${TEXT},"time":${TEXT}\\}\\r?$`,
);

/** The subject of a line; undefined for a line that is not an entry. */
export function subjectOf(line: string): LineSubject | undefined {
  const [, bill, file = 'null'] = OWN_LINE.exec(line) ?? [];
  if (bill !== undefined) return { bill, file };
  const entry = parseEntry(line);
  return entry && { bill: billText(entry, entry), file: fileText(entry) };
}

/** The text that our lines about a bill start with. */
export function billText({ profile, environment }: BillOwner, { date, type }: BillKey): string {
  return JSON.stringify({ date, type, profile, environment }).slice(0, -1);
}

/** The file of a stored bill as JSON; any other line has the same text. */
function fileText(entry: LedgerEntry): string {
  return JSON.stringify(isStored(entry) ? entry.file : null);
}
