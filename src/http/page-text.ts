import { isUtf8 } from 'node:buffer';
import { entityCharacter } from '../notations/entities.ts';

/** The names of charsets in `Content-Type`, in HTML and in an XML declaration. */
const CHARSET = /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i;
const XML_ENCODING = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i;

/**
 * Decodes an answer, possibly cut. Bytes that are not UTF-8 have the charset of their byte order
 * mark, of `Content-Type` or of their own declaration; the default is GB18030.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const mark = /^(?:\xff\xfe|\xfe\xff)/.exec(start)?.[0];
  if (mark) return new TextDecoder(mark === '\xff\xfe' ? 'utf-16le' : 'utf-16be').decode(bytes);
  const declared = CHARSET.exec(contentType) ?? XML_ENCODING.exec(start) ?? CHARSET.exec(start);
  if (!/^utf-?16/i.test(declared?.[1] ?? '') && (isUtf8(bytes) || isUtf8Start(bytes))) {
    return new TextDecoder().decode(bytes);
  }
  return decoder(declared?.[1] ?? 'gb18030').decode(bytes);
}

/** Whether the bytes are UTF-8 that may end within a character. */
function isUtf8Start(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function decoder(charset: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(charset);
  } catch {
    // An unknown charset.
    return new TextDecoder();
  }
}

/** The start of an element whose content is not shown, or of a comment. */
const HIDDEN_START = /<(?:(script|style|head(?=[\s>]))|!--)/gi;
/** The text that a person reads in an HTML page, in one line; its title if the page shows none. */
export function pageText(page: string): string {
  const title = /<title[^<>]*>([^<]*)/i.exec(page)?.[1] ?? '';
  return textOf(withoutHidden(page)) || textOf(title);
}

/** Without scripts, styles, heads and comments. One that does not end is shown. */
function withoutHidden(page: string): string {
  let shown = '';
  let from = 0;
  const neverEnds = new Set<string>();
  for (const { index, 1: name = '' } of page.matchAll(HIDDEN_START)) {
    const kind = name.toLowerCase();
    if (index < from || neverEnds.has(kind)) continue;
    const end = kind === '' ? /-->/g : new RegExp(`</${kind}\\s*>`, 'gi');
    end.lastIndex = index;
    if (end.test(page)) {
      shown += `${page.slice(from, index)} `;
      from = end.lastIndex;
    } else neverEnds.add(kind);
  }
  return shown + page.slice(from);
}

function textOf(html: string): string {
  return html
    .replace(/<\/?wbr\s*\/?>|\u00ad/gi, '')
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(#?\w{2,40});/g, (all, name) => entityCharacter(name) ?? all)
    .replace(/\s+/g, ' ')
    .trim();
}
