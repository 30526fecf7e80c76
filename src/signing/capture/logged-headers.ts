import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue, sameName } from '../header-mode.ts';

/** The name, with the quote or the bracket after it. */
const NAME = String.raw`(x)[-_](tms(?:[-_][a-z]+){1,5})["'\]\`]{0,2}\s{0,4}`;
/** Blanks or a line end separate only a name that begins its line; a comma one in quotes or brackets. */
const SEPARATOR = [
  String.raw`(?:=>|->|[:=：|]|\t`,
  String.raw`|(?<=(?:["']|\[x[-_][\w-]{1,40})\s{0,4}),`,
  String.raw`|\r?\n(?=\s{0,20}["']?value\b)`,
  String.raw`|(?<=(?:^|\n)[ \t]{0,8}x[-_][\w-]{1,40}(?:[ \t]{2,30}|[ \t]{0,4}\r?\n))(?!x-))`,
].join('');
/** Characters and words before the value: brackets, `"value": {"stringValue":`, `array(1)`, `[0] =>`. */
const FILLER = String.raw`(?:\s|[-[({|>\`]|\[\]string|(?:array|string)\b(?:\(\d{1,4}\)|:1)?|\[?0\]?\s?=>|["']?\b(?:values?|\w{1,12}Value)["']?\s?:){0,60}`;
const VALUE = String.raw`(?:b?["']([^"'\\\n]{0,500})|([^\s,;；，"'\\\])}<|&{\`]{1,500}))`;
/** A header in any notation: `X-TMS-Sign: AB`, `"x-tms-sign":["AB"]`, `http_x_tms_sign=AB`. */
const HEADER = new RegExp(NAME + SEPARATOR + FILLER + VALUE, 'gi');

export interface HeaderGroup {
  readonly headers: readonly Header[];
  readonly start: number;
  readonly end: number;
}

export function headersIn(text: string): readonly Header[] {
  return lastOfEach(placedHeaders(text).map(({ header }) => header));
}

/** The signed requests whose headers a text contains. A name that occurs again begins the next. */
export function headerGroups(text: string): readonly HeaderGroup[] {
  const groups: HeaderGroup[] = [];
  let headers: Header[] = [];
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (headerValue(headers, SIGN_HEADERS.sign)) groups.push({ headers, start, end });
    headers = [];
  };
  for (const { header, at, length } of placedHeaders(text)) {
    const isOther =
      !headers.some(([name]) => isProtocolHeader(name)) && text.slice(end, at).includes('{');
    if (isOther || headerValue(headers, header[0]) !== undefined) close();
    if (headers.length === 0) start = at;
    headers.push(header);
    end = at + length;
  }
  close();
  return groups;
}

/** Additional headers alone, such as `X-TMS-Trace` of another request, do not begin a request. */
function isProtocolHeader(name: string): boolean {
  return Object.values(SIGN_HEADERS).some((each) => sameName(each, name));
}

function placedHeaders(text: string) {
  return [...text.matchAll(HEADER)].flatMap((match) => {
    const [all, prefix = '', name = '', quoted, bare = ''] = match;
    const header: Header = [`${prefix}-${name.replaceAll('_', '-')}`, quoted ?? bare];
    const isList = PRINTED_LIST.test(header[1]);
    return isList ? [] : [{ header, at: match.index, length: all.length }];
  });
}

/** The beginning of a list of values, as Go, PHP and JavaScript print it. */
const PRINTED_LIST = /^(?:\[|\{|Array\b|array\(|string\(|Object\b|map\[)/;

export function lastOfEach(headers: readonly Header[]): readonly Header[] {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}
