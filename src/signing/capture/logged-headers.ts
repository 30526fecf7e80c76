import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, sameName } from '../header-mode.ts';

/** A header in any notation: `X-TMS-Sign: AB`, `"x-tms-sign":["AB"]`, `http_x_tms_sign=AB`. */
const HEADER =
  /(x)[-_](tms(?:[-_][a-z]+){1,5})["'\]]{0,2}\s{0,4}(?:=>|->|[:=：]|(?<=["']\s{0,4}),)\s{0,40}(?:- )?(?:\[\]string\{|(?:string|array)\(\d{1,4}\)\s{0,2}|[[({])?\s{0,4}(?:b?["']([^"'\\\n]{0,500})|([^\s,;；，"'\\\])}<|&{]{1,500}))/gi;

/** The `X-TMS-*` headers in a text, the last one of each name. */
export function headersIn(text: string): readonly Header[] {
  return lastOfEach(allHeadersIn(text));
}

/** The different signatures in the headers of a text. */
export function signaturesIn(text: string): readonly string[] {
  const signs = allHeadersIn(text).filter(([name]) => sameName(name, SIGN_HEADERS.sign));
  return [...new Set(signs.map(([, value]) => value))];
}

function allHeadersIn(text: string): readonly Header[] {
  const found = [...text.matchAll(HEADER)].map(
    ([, prefix = '', name = '', quoted, bare = '']): Header => [
      `${prefix}-${name.replaceAll('_', '-')}`,
      quoted ?? bare,
    ],
  );
  return found.filter(([, value]) => !PRINTED_LIST.test(value));
}

/** The beginning of a list of values, as Go, PHP and JavaScript print it. */
const PRINTED_LIST = /^(?:\[|\{|Array\b|array\(|string\(|Object\b|map\[)/;

export function lastOfEach(headers: readonly Header[]): readonly Header[] {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}
