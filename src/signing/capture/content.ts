import { isCompressed } from '../../http/codings.ts';
import type { FormField } from '../../http/multipart.ts';
import { describe, type JsonValue } from '../../json/value.ts';
import { compressedBody, isUrlEncoded, URLENCODED_BODY } from '../body-kind.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import type { CaptureFormat, Content } from './captured-request.ts';
import { captureJson, utf8Text } from './decoding.ts';
import { beginsMultipart, readMultipart } from './form-data.ts';

/**
 * Reads the body of a captured request: a multipart form, a JSON object, or a urlencoded form.
 * The content decides, for curl sends JSON as `application/x-www-form-urlencoded`.
 *
 * @throws {MopError} `usage` when it is none of them.
 */
export function readContent(
  bytes: Uint8Array,
  headers: readonly Header[],
  format: CaptureFormat,
): Content {
  const type = headerValue(headers, 'Content-Type') ?? '';
  if (bytes.length === 0) {
    throw captureError(
      format,
      'the body is empty',
      'the signed operations are POST with a JSON body',
    );
  }
  const compression = headerValue(headers, 'Content-Encoding') ?? '';
  // A proxy may have stored it decoded and left the header.
  const plain = beginsJson(bytes) || beginsMultipart(bytes);
  if (!plain && isCompressed(compression)) {
    throw captureError(
      format,
      compressedBody(shown(compression)),
      'decode it first: most tools can save the decoded request',
    );
  }
  if (/^multipart\/form-data/i.test(type) || beginsMultipart(bytes)) {
    return readMultipart(bytes, type, format);
  }
  const text = utf8Text(bytes, 'the body', format);
  if (beginsJson(bytes) || /[/+]json\b/i.test(type)) {
    assertObject(captureJson(text, 'the body', format), 'the body', format);
    return { body: text, notes: [] };
  }
  if (isUrlEncoded(text)) {
    return {
      body: readUrlEncoded(text.trim(), format),
      notes: [`${URLENCODED_BODY}: its fields were read as text`],
    };
  }
  throw captureError(
    format,
    `the body is neither JSON nor a form, but begins ${shown(text)}`,
    'pass a request with a JSON body',
  );
}

/** @throws {MopError} `usage` unless the value is a JSON object; `what` names its text. */
export function assertObject(value: JsonValue, what: string, format: CaptureFormat): void {
  if (value.kind === 'object') return;
  throw captureError(
    format,
    `${what} is JSON, but not an object (it is ${describe(value)})`,
    'the platform takes an object with the request fields',
  );
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

/** Text of a urlencoded form. A `%` that escapes nothing stays, as servers read it. */
function decoded(text: string, format: CaptureFormat): string {
  const bytes = Buffer.from(text)
    .toString('latin1')
    .replaceAll('+', ' ')
    .replace(/%[\da-f]{2}/gi, (token) => String.fromCharCode(Number.parseInt(token.slice(1), 16)));
  return utf8Text(Buffer.from(bytes, 'latin1'), `the form field ${shown(text)}`, format);
}
