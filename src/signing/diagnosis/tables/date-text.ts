/** A date or time in another form. */
export interface DateForm {
  /** The form and the zone together. */
  readonly title: string;
  /** Such as `as yyyyMMdd`. */
  readonly form: string;
  /** Such as ` in UTC` or `, 8 hours later`; empty for the written wall clock. */
  readonly zone: string;
  readonly text: string;
}

/** The wall clock of a zone. `milliseconds` counts from 1970, as if the zone were UTC. */
interface Wall {
  readonly zone: string;
  readonly milliseconds: number;
}

type Part = (wall: Date) => string;

const digits = (value: number, length = 2): string => String(value).padStart(length, '0');
const year: Part = (wall) => digits(wall.getUTCFullYear(), 4);
const month: Part = (wall) => digits(wall.getUTCMonth() + 1);
const day: Part = (wall) => digits(wall.getUTCDate());
const hours: Part = (wall) => digits(wall.getUTCHours());
const minutes: Part = (wall) => digits(wall.getUTCMinutes());
const seconds: Part = (wall) => digits(wall.getUTCSeconds());
const fraction: Part = (wall) => digits(wall.getUTCMilliseconds(), 3);
const date: Part = (wall) => `${year(wall)}-${month(wall)}-${day(wall)}`;
const time: Part = (wall) => `${hours(wall)}:${minutes(wall)}:${seconds(wall)}`;
const hours12: Part = (wall) => String(wall.getUTCHours() % 12 || 12);
const halfDay: Part = (wall) => (wall.getUTCHours() < 12 ? 'AM' : 'PM');
const weekday: Part = (wall) => wall.toUTCString().slice(0, 3);
const monthName: Part = (wall) => wall.toUTCString().slice(8, 11);

const DAY = 86_400_000;
/** 1970-01-01 as a serial number of Excel. */
const EXCEL_EPOCH = 25_569;

/** The forms that the date types of languages print. */
const FORMS: readonly { readonly title: string; readonly print: Part }[] = [
  { title: 'yyyy-MM-dd HH:mm:ss', print: (wall) => `${date(wall)} ${time(wall)}` },
  { title: 'yyyy-MM-ddTHH:mm:ss', print: (wall) => `${date(wall)}T${time(wall)}` },
  { title: 'yyyy-MM-ddTHH:mm:ssZ', print: (wall) => `${date(wall)}T${time(wall)}Z` },
  { title: 'yyyy-MM-ddTHH:mm:ss.SSSZ', print: (wall) => wall.toISOString() },
  { title: 'yyyy-MM-ddTHH:mm:ss.SSS', print: (wall) => wall.toISOString().slice(0, -1) },
  { title: 'yyyy-MM-ddTHH:mm', print: (wall) => `${date(wall)}T${time(wall).slice(0, 5)}` },
  { title: 'yyyy-MM-dd HH:mm', print: (wall) => `${date(wall)} ${time(wall).slice(0, 5)}` },
  {
    title: 'yyyy-MM-dd HH:mm:ss.SSS',
    print: (wall) => `${date(wall)} ${time(wall)}.${fraction(wall)}`,
  },
  { title: 'yyyy-MM-dd HH:mm:ss.0', print: (wall) => `${date(wall)} ${time(wall)}.0` },
  ...['+08:00', '+00:00', '+0800', '+0000'].map((offset) => ({
    title: `yyyy-MM-ddTHH:mm:ss${offset}`,
    print: (wall: Date) => `${date(wall)}T${time(wall)}${offset}`,
  })),
  ...['+08:00', '+00:00', ' +0800', ' +0000', ' UTC', ' +0000 UTC', ' +0800 CST'].map((offset) => ({
    title: `yyyy-MM-dd HH:mm:ss${offset}`,
    print: (wall: Date) => `${date(wall)} ${time(wall)}${offset}`,
  })),
  { title: 'yyyy-MM-dd', print: date },
  { title: 'yyyy-MM-dd 00:00:00', print: (wall) => `${date(wall)} 00:00:00` },
  { title: 'yyyyMMdd', print: (wall) => date(wall).replaceAll('-', '') },
  { title: 'yyyyMMddHHmmss', print: (wall) => `${date(wall)}${time(wall)}`.replace(/[-:]/g, '') },
  {
    title: 'yyyy/MM/dd HH:mm:ss',
    print: (wall) => `${date(wall).replaceAll('-', '/')} ${time(wall)}`,
  },
  { title: 'yyyy/MM/dd', print: (wall) => date(wall).replaceAll('-', '/') },
  {
    title: 'yyyy/M/d H:mm:ss',
    print: (wall) =>
      `${year(wall)}/${Number(month(wall))}/${Number(day(wall))} ${Number(hours(wall))}:${minutes(wall)}:${seconds(wall)}`,
  },
  ...(
    [
      ['MM/dd/yyyy', (wall) => `${month(wall)}/${day(wall)}/${year(wall)}`],
      ['M/d/yyyy', (wall) => `${Number(month(wall))}/${Number(day(wall))}/${year(wall)}`],
      ['dd.MM.yyyy', (wall) => `${day(wall)}.${month(wall)}.${year(wall)}`],
      ['d.M.yyyy', (wall) => `${Number(day(wall))}.${Number(month(wall))}.${year(wall)}`],
      ['dd/MM/yyyy', (wall) => `${day(wall)}/${month(wall)}/${year(wall)}`],
      ['dd-MM-yyyy', (wall) => `${day(wall)}-${month(wall)}-${year(wall)}`],
      ['yyyy/M/d', (wall) => `${year(wall)}/${Number(month(wall))}/${Number(day(wall))}`],
      ['yyyy-M-d', (wall) => `${year(wall)}-${Number(month(wall))}-${Number(day(wall))}`],
      ['yyyy.MM.dd', (wall) => date(wall).replaceAll('-', '.')],
    ] satisfies readonly (readonly [string, Part])[]
  ).flatMap(([title, print]) => [
    { title, print },
    { title: `${title} HH:mm:ss`, print: (wall: Date) => `${print(wall)} ${time(wall)}` },
  ]),
  {
    title: 'a serial number of Excel',
    print: (wall) => String(wall.getTime() / DAY + EXCEL_EPOCH),
  },
  {
    title: 'M/d/yyyy h:mm:ss AM (.NET, United States)',
    print: (wall) =>
      `${Number(month(wall))}/${Number(day(wall))}/${year(wall)} ${hours12(wall)}:${minutes(wall)}:${seconds(wall)} ${halfDay(wall)}`,
  },
  ...['UTC', 'CST', 'GMT'].map((zone) => ({
    title: `EEE MMM dd HH:mm:ss ${zone} yyyy (Date.toString of Java)`,
    print: (wall: Date) =>
      `${weekday(wall)} ${monthName(wall)} ${day(wall)} ${time(wall)} ${zone} ${year(wall)}`,
  })),
  { title: 'RFC 1123', print: (wall) => wall.toUTCString() },
  ...[
    '+0800 (China Standard Time)',
    '+0800 (中国标准时间)',
    '+0000 (Coordinated Universal Time)',
  ].map((zone) => ({
    title: `Date.toString of JavaScript, GMT${zone}`,
    print: (wall: Date) =>
      `${weekday(wall)} ${monthName(wall)} ${day(wall)} ${year(wall)} ${time(wall)} GMT${zone}`,
  })),
];

const DATE_OR_TIME =
  /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

const HOUR = 3_600_000;
/** The offset of China, the time zone of the platform. */
const CHINA = 8 * HOUR;

/**
 * The other forms of a date or time, as written and in UTC and UTC+8. Empty when the text is
 * neither.
 */
export function dateForms(text: string): readonly DateForm[] {
  return wallsOf(text).flatMap(({ zone, milliseconds }) => {
    const wall = new Date(milliseconds);
    if (Number.isNaN(wall.getTime()) || wall.getUTCFullYear() > 9999) return [];
    const texts = [
      ...FORMS.map(({ title, print }) => ({ form: `as ${title}`, text: print(wall) })),
      { form: 'as Unix seconds', text: String(milliseconds / 1000) },
      { form: 'as Unix milliseconds', text: String(milliseconds) },
    ];
    return texts.map(({ form, text }) => ({ title: form + zone, form, zone, text }));
  });
}

/** The forms of an instant, in milliseconds since 1970, in UTC and UTC+8. */
export function instantForms(milliseconds: number): readonly DateForm[] {
  const instant = new Date(milliseconds);
  return Number.isNaN(instant.getTime()) ? [] : dateForms(instant.toISOString());
}

/** The instant of a date or time in milliseconds since 1970. Without an offset, the text is in UTC. */
export function instantOf(text: string): number | undefined {
  const [, utc] = wallsOf(/[Z+]/i.test(text) ? text : `${text}Z`);
  return utc?.milliseconds;
}

/** The possible wall clocks of a text: as written, then those of its instant. */
function wallsOf(text: string): readonly Wall[] {
  const parts = DATE_OR_TIME.exec(text);
  if (!parts) return [];
  const [, y, mo, d, h = '0', mi = '0', s = '0', part = '0', offset] = parts;
  const written = Date.UTC(
    Number(y),
    Number(mo) - 1,
    Number(d),
    Number(h),
    Number(mi),
    Number(s),
    Number(part.padEnd(3, '0').slice(0, 3)),
  );
  if (new Date(written).toISOString().slice(0, 10) !== `${y}-${mo}-${d}`) return [];
  if (offset === undefined) {
    return [
      { zone: '', milliseconds: written },
      { zone: ' in UTC', milliseconds: written },
      { zone: ' in UTC+8', milliseconds: written },
      { zone: ', 8 hours earlier', milliseconds: written - CHINA },
      { zone: ', 8 hours later', milliseconds: written + CHINA },
    ];
  }
  const utc = written - offsetOf(offset);
  return [
    { zone: '', milliseconds: written },
    { zone: ' in UTC', milliseconds: utc },
    { zone: ' in UTC+8', milliseconds: utc + CHINA },
  ];
}

function offsetOf(offset: string): number {
  if (!/^[+-]/.test(offset)) return 0;
  const plain = offset.replace(/[+:-]/g, '');
  const size = Number(plain.slice(0, 2)) * HOUR + (Number(plain.slice(2)) * HOUR) / 60;
  return offset.startsWith('-') ? -size : size;
}
