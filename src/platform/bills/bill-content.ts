import { MopError } from '../../errors.ts';
import { fileFormat } from '../../files/file-format.ts';
import { decodeText, pageText } from '../../http/page-text.ts';
import { excerpt } from '../../redaction/redact.ts';
import { type BillDigest, type ContentDigests, matchingType, OWN_DIGEST } from './digest.ts';

/** Whether these bytes suffice to recognise a content. More would delay a slow download. */
export function showsKind(head: Uint8Array): boolean {
  return head.length >= 4096 || Buffer.from(head).toString('latin1').trimStart().length >= 8;
}

export interface Beginning {
  /** For a message, such as `it is an HTML page: "busy"` or `it is not gzip but binary data`. */
  readonly description: string;
  /** Whether the content may be a bill: a table of text. */
  readonly mayBeBill: boolean;
}

/** Recognises content that is certainly not a bill: nothing, a page, a document or an archive. */
export function describeBeginning(
  head: Uint8Array,
  contentType: string | undefined,
  secrets: readonly string[],
  lacksGzip: boolean,
): Beginning {
  const kind = kindOf(head, contentType, secrets);
  if (lacksGzip) return { description: `it is not gzip but ${kind}`, mayBeBill: false };
  return { description: `it is ${kind}`, mayBeBill: kind.startsWith(TABLE) };
}

/** Begins the description of a table of text. */
const TABLE = 'starts with ';

function kindOf(
  head: Uint8Array,
  contentType: string | undefined,
  secrets: readonly string[],
): string {
  if (head.length === 0) return 'empty';
  const format = fileFormat(head);
  if (format) return format.name;
  const text = decodeText(head, contentType).replace(/^[\s\u200b\ufeff]+/, '');
  if (text === '') return 'empty';
  const start = excerpt(text, secrets);
  if (/^<(?:!doct|!--|(?:html|head|body|title|meta|h1|div|p|table)[\s>])/i.test(text)) {
    return `an HTML page: ${excerpt(pageText(text) || text, secrets)}`;
  }
  // Some tables have column names in brackets.
  const isColumn = /^(?:<[^\s<>]*>?|\{[^\s{}"]*\}?)[,;|\t]/.test(text);
  if (/^<[?!a-z]/i.test(text) && !isColumn) return `an XML document: ${start}`;
  if (/^(?:\{|\[\s*[{\]"])/.test(text) && !isColumn) return `a JSON document: ${start}`;
  return text.includes('\0') ? 'binary data' : TABLE + start;
}

export interface Received {
  readonly bytes: number;
  /** The digests of the decompressed content. */
  readonly original: ContentDigests;
  /** The digests of the bytes before decompression, if requested. */
  readonly compressed: ContentDigests | undefined;
  readonly beginning: Beginning;
  readonly trailingBytes: number;
}

export interface Download {
  readonly bytes: number;
  readonly hashType: string;
  /** The platform's digest unchanged, or the digest of mop in hex when the platform gave none. */
  readonly hashValue: string;
  /** Whether the content matched a digest of the platform. */
  readonly verified: boolean;
  /** The number of bytes that follow the gzip file, and were ignored. */
  readonly trailingBytes: number;
}

/** Compares a download with the digest of its descriptor (D1 4.1 rule 6); throws `integrity`. */
export function verifyDownload(
  digest: BillDigest | undefined,
  received: Received,
  acceptAny: boolean,
): Download {
  const { bytes, original, compressed, beginning, trailingBytes } = received;
  if (digest === undefined) {
    if (!acceptAny) assertContent(beginning, trailingBytes);
    const hashValue = Buffer.from(original.get(OWN_DIGEST) ?? []).toString('hex');
    return { bytes, hashType: OWN_DIGEST, hashValue, verified: false, trailingBytes };
  }
  const hashType = matchingType(digest, original);
  if (hashType !== undefined) {
    return { bytes, hashType, hashValue: digest.value, verified: true, trailingBytes };
  }
  const mismatch = `the bill does not match its ${digest.type} digest`;
  if (compressed && matchingType(digest, compressed) !== undefined) {
    throw new MopError('integrity', `${mismatch}, but its compressed bytes do`, {
      hint: 'the platform hashed the gzip file instead of the original: report it to the platform',
    });
  }
  throw corrupt(beginning.mayBeBill ? mismatch : `${mismatch}; ${beginning.description}`);
}

/** Throws `integrity` for content that is not a bill, or that only a digest could prove. */
export function assertContent({ mayBeBill, description }: Beginning, trailingBytes: number): void {
  if (mayBeBill && trailingBytes === 0) return;
  const fault = mayBeBill
    ? `${trailingBytes} bytes follow the gzip file, and no digest proves its content`
    : `the download is not a bill; ${description}`;
  throw new MopError('integrity', fault, {
    hint: 'nothing was stored; if the content is right, store it unverified with accept-any-content',
  });
}

export function corrupt(message: string, cause?: unknown): MopError {
  return new MopError('integrity', message, {
    hint: 'no file was replaced; try again, and report it to the platform if it persists',
    cause,
  });
}
