import { concatBytes, hexBytes } from '../../bytes.ts';
import { captureFault } from '../capture-fault.ts';

/** A row of xxd, hexdump -C, Wireshark, tcpdump -X, Netty or curl --trace, after any prefix. */
const ROW =
  /^(?:.{0,200}?\W)??\|?(?:0x)?([\da-f]{4,8})(?::|\||)[ \t]{1,4}((?:[\da-f]{2}){1,2}(?: {1,2}(?:[\da-f]{2}){1,2})*)(?![\da-f])/i;
const LAST_ROW = /^(?:.{0,200}?\W)??([\da-f]{4,8})[ \t]*$/i;
/** The line above each piece of a trace of curl; only sent pieces of HTTP count. */
const PIECE = /(?:=>|<=|==) (?:(Send (?:header|data),)|[A-Z])/;
const WIDTH = 16;

interface Row {
  readonly offset: number;
  readonly digits: string;
}

export function withoutHexDump(text: string): readonly Uint8Array[] {
  const rows: Row[] = [];
  let isSent = true;
  for (const line of text.split(/\r?\n/)) {
    const piece = PIECE.exec(line);
    if (piece) isSent = piece[1] !== undefined;
    const [, offset, digits = ''] = ROW.exec(line) ?? LAST_ROW.exec(line) ?? [];
    if (offset === undefined || !isSent) continue;
    const row = { offset: Number.parseInt(offset, 16), digits: digits.replace(/ /g, '') };
    const distance = row.offset - (rows.at(-1)?.offset ?? Number.NaN);
    // Other lines may also begin with digits: a dump begins at 0, and its offsets increase.
    if (row.offset === 0 || (distance > 0 && distance <= 2 * WIDTH)) rows.push(row);
  }
  if (!rows.some(({ digits }) => digits !== '')) return [];
  return [
    concatBytes(
      rows.flatMap((row, index) => {
        const bytes = rowBytes(row, rows[index + 1]);
        return isRequestLine(row) ? [LINE_FEED, bytes] : [bytes];
      }),
    ),
  ];
}

const LINE_FEED = Uint8Array.of(0x0a);

/** Whether a row begins a packet with an upper-case word, the method of a request. */
function isRequestLine({ offset, digits }: Row): boolean {
  return offset === 0 && /^(?:4[1-9a-f]|5[\da]){3}/i.test(digits);
}

/** A row has as many bytes as its distance to the next row; the text column may look like digits. */
function rowBytes({ offset, digits }: Row, next: Row | undefined): Uint8Array {
  const distance = (next?.offset ?? 0) - offset;
  const count = distance > 0 && distance <= 2 * WIDTH ? distance : WIDTH;
  return hexBytes(digits.slice(0, 2 * count));
}

const TEXT_ROW = /^([\da-f]{4,8}): ?(.*)$/i;
const TEXT_WIDTH = 64;

/**
 * The text of `curl --trace-ascii`, whose lines end at a line end or after 64 characters; the
 * offset of the next line distinguishes the two.
 */
export function withoutTextDump(text: string): readonly string[] {
  if (!/=> Send (?:header|data), \d+ bytes? \(0x/.test(text)) return [];
  let result = '';
  let isHex = true;
  let size = 0;
  let isSent = false;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const piece = PIECE.exec(line);
    if (piece) {
      isSent = piece[1] !== undefined;
      size = Number(/, (\d+) bytes?/.exec(line)?.[1] ?? 0);
    }
    const [, offset, content = ''] = TEXT_ROW.exec(line) ?? [];
    if (offset === undefined || !isSent) continue;
    isHex &&= ROW.test(line);
    const next = TEXT_ROW.exec(lines[index + 1] ?? '')?.[1];
    const end = next === undefined ? size : Number.parseInt(next, 16);
    const length = end - Number.parseInt(offset, 16);
    const hasLineEnd = length === content.length + 2;
    result += hasLineEnd ? `${content}\r\n` : content.padEnd(Math.min(length, TEXT_WIDTH + 2));
  }
  return isHex ? [] : [withLineFeeds(result)];
}

/**
 * Replaces the dots between values, which can only be line feeds; several in a row are lost bytes.
 */
function withLineFeeds(text: string): string {
  const [head = '', ...rest] = text.split(/(?<=\r\n\r\n)/);
  let isString = false;
  const body = rest.join('').replace(/\\.|"|\d\.(?=\d)|\./g, (token) => {
    if (token === '"') isString = !isString;
    return token === '.' && !isString ? '\n' : token;
  });
  const dots = /\.{2,}/.exec(body)?.[0];
  if (dots === undefined) return head + body;
  throw captureFault('log', 'lost-bytes', [dots.length]);
}
