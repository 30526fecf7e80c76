import type { Header } from '../header-mode.ts';

/** A header in any notation: `X-TMS-Sign: AB`, `"x-tms-sign":["AB"]`, `http_x_tms_sign=AB`. */
const HEADER =
  /(x)[-_](tms(?:[-_][a-z]+){1,5})["'\]]{0,2}\s{0,4}(?:=>|->|[:=：]|(?<=["']\s{0,4}),)\s{0,40}(?:- )?[[({]?\s{0,4}(?:b?["']([^"'\\\n]{0,500})|([^\s,;；，"'\\\])}<|&{]{1,500}))/gi;

/** The `X-TMS-*` headers in a text, the last one of each name. */
export function headersIn(text: string): readonly Header[] {
  return lastOfEach(
    [...text.matchAll(HEADER)].map(([, prefix = '', name = '', quoted, bare = '']) => [
      `${prefix}-${name.replaceAll('_', '-')}`,
      quoted ?? bare,
    ]),
  );
}

export function lastOfEach(headers: readonly Header[]): readonly Header[] {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}
