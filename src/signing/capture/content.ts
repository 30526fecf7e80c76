import { appliedCodings, isCompressed } from '../../http/codings.ts';
import type { FormField } from '../../http/multipart.ts';
import { decompress } from '../../runtime/decompress.ts';
import { bytesFault, compressedBody, isUrlEncoded, URLENCODED_FORM } from '../body-fault.ts';
import { latin1Bytes, latin1Text, utf8Bytes } from '../bytes.ts';
import { type Header, headerValue, sameName } from '../header-mode.ts';
import {
  type CaptureFormat,
  type Content,
  captureError,
  captureFault,
  shown,
} from './captured-request.ts';
import { assertObject, utf8Text } from './decoding.ts';
import { beginsMultipart, readMultipart } from './form-data.ts';

/**
 * Reads a multipart form, a JSON object or a urlencoded form. The content decides, because curl
 * sends JSON as `application/x-www-form-urlencoded`.
 */
export function readContent(
  bytes: Uint8Array,
  headers: readonly Header[],
  format: CaptureFormat,
): Content {
  const type = headerValue(headers, 'Content-Type') ?? '';
  if (bytes.length === 0) {
    throw captureFault(format, 'empty-body');
  }
  const compression = headerValue(headers, 'Content-Encoding') ?? '';
  // A proxy may have stored the decoded body and kept the header.
  const isPlain = beginsJson(bytes) || beginsMultipart(bytes);
  if (!isPlain && isCompressed(compression)) {
    const plain = decompressed(bytes, compression, format);
    const content = readContent(
      plain,
      headers.filter(([name]) => !sameName(name, 'Content-Encoding')),
      format,
    );
    const note = `${compressedBody(shown(compression))}; the documents do not say whether the platform accepts that`;
    return { ...content, notes: [note, ...content.notes] };
  }
  if (/^multipart\/form-data/i.test(type) || beginsMultipart(bytes)) {
    return readMultipart(bytes, type, format);
  }
  const fault = bytesFault(bytes);
  if (fault) throw captureError(format, `the body ${fault.form}`, fault.hint);
  const text = utf8Text(bytes, 'the body', format);
  if (!beginsJson(bytes) && !/[/+]json\b/i.test(type) && isUrlEncoded(text)) {
    return {
      body: readUrlEncoded(text.trim(), format),
      notes: [`the body ${URLENCODED_FORM}: its fields were read as text`],
    };
  }
  assertObject(text, 'the body', format);
  return { body: text, notes: lostCharacters(text) };
}

const MAX_BYTES = 8 * 1024 * 1024;
/** With more, a small body could take much time. */
const MAX_CODINGS = 2;

function decompressed(
  body: Uint8Array,
  contentEncoding: string,
  format: CaptureFormat,
): Uint8Array {
  const codings = appliedCodings(contentEncoding).reverse();
  try {
    // An unknown coding has a better message than too many ones.
    const known = codings.length <= MAX_CODINGS ? codings : [''];
    return known.reduce((bytes, coding) => decompress(coding, bytes, MAX_BYTES), body);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw captureFault(
      format,
      'undecodable',
      [compressedBody(shown(contentEncoding)), reason],
      error,
    );
  }
}

/** Encoders replace unsupported characters with `?` or U+FFFD. */
function lostCharacters(text: string): readonly string[] {
  const lost = /"\?{2,}"|"[^"\n]{0,1000}\ufffd/.exec(text)?.[0];
  if (lost === undefined) return [];
  return [
    `the body has ${shown(lost)} in place of lost characters: the client probably signed the original text and sent it in Latin-1 (PowerShell 5.1 does so without charset=utf-8)`,
  ];
}

function beginsJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  return first !== undefined && '{["'.includes(String.fromCharCode(first));
}

function readUrlEncoded(text: string, format: CaptureFormat): readonly FormField[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name: decoded(name, format), value: decoded(value.join('='), format) };
    });
}

/** Text of a urlencoded form. A `%` without two hex digits is kept, as servers do. */
function decoded(text: string, format: CaptureFormat): string {
  const bytes = latin1Text(utf8Bytes(text))
    .replaceAll('+', ' ')
    .replace(/%[\da-f]{2}/gi, (token) => String.fromCharCode(Number.parseInt(token.slice(1), 16)));
  return utf8Text(latin1Bytes(bytes), `the form field ${shown(text)}`, format);
}
