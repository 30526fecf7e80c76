import DATE_FORMS from './date-forms.txt?raw';

export interface DateForm {
  /** Such as `as yyyyMMdd`. */
  readonly form: string;
  /** Such as ` in UTC` or `, 8 hours later`; empty for the written wall clock. */
  readonly zone: string;
  readonly text: string;
}

/** The forms of languages, in the letters of Java's DateTimeFormatter. Text in quotes stays. */
const FORMS = DATE_FORMS.trim().split('\n');

/** Unix times, and the serial number of Excel, whose day 25569 is 1970-01-01. */
const NUMBERS: Readonly<Record<string, (milliseconds: number) => number>> = {
  'Unix seconds': (milliseconds) => milliseconds / 1000,
  'Unix milliseconds': (milliseconds) => milliseconds,
  'a serial number of Excel': (milliseconds) => milliseconds / 86_400_000 + 25_569,
};

function printed(form: string, wall: Date): string {
  const [weekday = '', , month = ''] = wall.toUTCString().split(' ');
  const parts: Readonly<Record<string, string | number>> = {
    ...{ y: wall.getUTCFullYear(), M: wall.getUTCMonth() + 1, d: wall.getUTCDate() },
    ...{ H: wall.getUTCHours(), h: wall.getUTCHours() % 12 || 12, m: wall.getUTCMinutes() },
    ...{
      s: wall.getUTCSeconds(),
      S: wall.getUTCMilliseconds(),
      a: wall.getUTCHours() < 12 ? 'AM' : 'PM',
    },
    ...{ EEE: weekday.slice(0, 3), MMM: month },
  };
  return form.replace(/'([^']*)'|([A-Za-z])\2*/g, (letters, quoted?: string) => {
    const part = parts[letters] ?? parts[letters.charAt(0)] ?? letters;
    return quoted ?? String(part).padStart(letters.length, '0');
  });
}

const DATE_OR_TIME =
  /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

const HOUR = 3_600_000;
const CHINA = 8 * HOUR;

/** The other forms of a date or time, as written and in UTC and UTC+8; empty for another text. */
export function dateForms(text: string): readonly DateForm[] {
  return wallsOf(text).flatMap(([zone, milliseconds]) => {
    const wall = new Date(milliseconds);
    if (Number.isNaN(wall.getTime()) || wall.getUTCFullYear() > 9999) return [];
    const texts = [
      ...FORMS.map((form) => [form.replaceAll("'", ''), printed(form, wall)]),
      ...Object.entries(NUMBERS).map(([name, of]) => [name, String(of(milliseconds))]),
    ] as const;
    return texts.map(([name = '', text = '']) => ({ form: `as ${name}`, zone, text }));
  });
}

export function instantForms(milliseconds: number): readonly DateForm[] {
  const instant = new Date(milliseconds);
  return Number.isNaN(instant.getTime()) ? [] : dateForms(instant.toISOString());
}

/** The instant of a date or time in milliseconds since 1970. Without an offset, the text is in UTC. */
export function instantOf(text: string): number | undefined {
  const [, utc] = wallsOf(/[Z+]/i.test(text) ? text : `${text}Z`);
  return utc?.[1];
}

/**
 * The possible wall clocks, in milliseconds as if in UTC: as written, then those of the instant.
 */
function wallsOf(text: string): readonly (readonly [zone: string, milliseconds: number])[] {
  const [, y, mo, d, h = '0', mi = '0', s = '0', part = '0', offset] =
    DATE_OR_TIME.exec(text) ?? [];
  if (y === undefined) return [];
  const [year = 0, month = 0, ...rest] = [y, mo, d, h, mi, s].map(Number);
  const fraction = Number(part.padEnd(3, '0').slice(0, 3));
  const written = Date.UTC(year, month - 1, ...rest, fraction);
  if (new Date(written).toISOString().slice(0, 10) !== `${y}-${mo}-${d}`) return [];
  const utc = written - offsetOf(offset);
  return offset === undefined
    ? [
        ['', written],
        [' in UTC', written],
        [' in UTC+8', written],
        [', 8 hours earlier', written - CHINA],
        [', 8 hours later', written + CHINA],
      ]
    : [
        ['', written],
        [' in UTC', utc],
        [' in UTC+8', utc + CHINA],
      ];
}

function offsetOf(offset = ''): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const size = (Number(hours ?? 0) + Number(minutes ?? 0) / 60) * HOUR;
  return sign === '-' ? -size : size;
}
