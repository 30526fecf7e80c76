/** A time in ISO 8601 with its zone. A local time without a zone says nothing about the hour. */
const TIME = String.raw`(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\s?(?:Z|UTC|[+-]\d\d:?\d\d))`;
const PREFIX = new RegExp(`^\\W{0,4}(?:\\w{1,20}[=:]\\W{0,2})?${TIME}`);
const MEMBER = new RegExp(
  `\\\\?"(?:@timestamp|timestamp|time|ts|datetime|startedDateTime|start_time)\\\\?"\\s*:\\s*\\\\?"${TIME}`,
  'g',
);
/** A member further away belongs to another request. */
const MAX_DISTANCE = 20_000;

/** Unix seconds, stated at the beginning of the line of a signature, or in a member before it. */
export function sentAt(text: string, signature: string): number | undefined {
  const at = signature.length < MIN_SIGNATURE ? -1 : text.indexOf(signature);
  if (at < 0) return undefined;
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const [, prefix] = PREFIX.exec(text.slice(lineStart, Math.min(at, lineStart + 100))) ?? [];
  const before = text.slice(Math.max(0, at - MAX_DISTANCE), at);
  const member = [...before.matchAll(MEMBER)].at(-1)?.[1];
  const time = prefix ?? member;
  if (time === undefined) return undefined;
  const iso = time
    .replace(' ', 'T')
    .replace(',', '.')
    .replace(/\s?UTC$/, 'Z')
    .replace(/\s/, '');
  return unixTime(iso);
}

/** The Unix seconds of a time with its zone, in ISO 8601 or as in the header `Date`. */
export function unixTime(text: string): number | undefined {
  const seconds = Math.floor(Date.parse(text) / 1000);
  return Number.isNaN(seconds) ? undefined : seconds;
}

/** A shorter text may occur by chance. */
const MIN_SIGNATURE = 16;
