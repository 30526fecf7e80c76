import { MopError } from '../../errors.ts';
import type { FormField } from '../../http/multipart.ts';
import { parseJson } from '../../json/parse.ts';
import { type JsonValue, member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { captureError } from './capture-error.ts';
import type { CapturedRequest, Content } from './captured-request.ts';
import { readContent } from './content.ts';

/** Whether a JSON document is a HAR file. */
export function isHar(document: JsonValue): boolean {
  return member(member(document, 'log'), 'entries')?.kind === 'array';
}

/**
 * Reads one request of a HAR file (HTTP Archive 1.2).
 *
 * @param number Which, from 1; default the first that is signed.
 * @throws {MopError} `usage`, which lists the signed entries when the wanted one is none.
 */
export function readHar(document: JsonValue, number: number | undefined): CapturedRequest {
  const requests = items(member(member(document, 'log'), 'entries')).map((entry) =>
    member(entry, 'request'),
  );
  const signed = requests.flatMap((request, index) => (isSigned(request) ? [index + 1] : []));
  const wanted = number ?? signed[0];
  const request = wanted === undefined ? undefined : requests[wanted - 1];
  if (wanted === undefined || !signed.includes(wanted)) {
    const what =
      wanted === undefined
        ? `none of its ${requests.length} requests is signed`
        : `entry ${wanted} of ${requests.length} is ${request ? 'not signed' : 'not there'}; ${listed(signed)}`;
    throw captureError(
      'har',
      what,
      'choose a signed request with --entry N, or record again while the request is sent',
    );
  }
  const headers = readHeaders(request);
  const { body, notes } = readBody(request, headers);
  return {
    format: 'har',
    method: text(member(request, 'method')),
    url: text(member(request, 'url')),
    headers,
    body,
    notes,
  };
}

/** Whether a request carries a signature, in a header or in its body. */
function isSigned(request: JsonValue | undefined): boolean {
  const headers = readHeaders(request);
  if (headerValue(headers, SIGN_HEADERS.sign)) return true;
  try {
    const { body } = readBody(request, headers);
    return typeof body === 'string'
      ? member(parseJson(body), 'sign') !== undefined
      : body.some(({ name }) => name === 'sign');
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    // A body that is no request of the platform: most entries of a recorded page.
    return false;
  }
}

function listed(numbers: readonly number[]): string {
  if (numbers.length === 0) return 'no entry is signed';
  return `signed entries: ${numbers.slice(0, 20).join(', ')}${numbers.length > 20 ? ', …' : ''}`;
}

function readHeaders(request: JsonValue | undefined): readonly Header[] {
  return items(member(request, 'headers')).flatMap((header): Header[] => {
    const name = text(member(header, 'name'));
    // `:method` and the like are HTTP/2's request line.
    if (name === undefined || name.startsWith(':')) return [];
    return [[name, text(member(header, 'value')) ?? '']];
  });
}

function readBody(request: JsonValue | undefined, headers: readonly Header[]): Content {
  const postData = member(request, 'postData');
  const content = text(member(postData, 'text')) ?? '';
  const params = items(member(postData, 'params'));
  if (content === '' && params.length > 0) return readParams(params);
  const isBase64 = /^base64$/i.test(text(member(postData, 'encoding')) ?? '');
  const bytes = new Uint8Array(Buffer.from(content, isBase64 ? 'base64' : 'utf8'));
  // Some tools keep the type with the body alone.
  const mimeType = text(member(postData, 'mimeType')) ?? '';
  const typed: readonly Header[] = [...headers, ['Content-Type', mimeType]];
  const read = readContent(bytes, typed, 'har');
  const files = typeof read.body !== 'string' && read.body.some((field) => 'file' in field);
  if (!files || isBase64) return read;
  return {
    body: read.body,
    notes: [...read.notes, 'a HAR file holds uploaded files damaged or not at all'],
  };
}

function readParams(params: readonly JsonValue[]): Content {
  const body = params.map((param): FormField => {
    const name = text(member(param, 'name')) ?? '';
    const file = text(member(param, 'fileName'));
    return file === undefined
      ? { name, value: text(member(param, 'value')) ?? '' }
      : { name, file };
  });
  const notes = ['the HAR file holds the fields of the form, not the body as it was sent'];
  if (body.some((field) => 'file' in field)) notes.push('a HAR file drops uploaded files');
  return { body, notes };
}

function items(value: JsonValue | undefined): readonly JsonValue[] {
  return value?.kind === 'array' ? value.items : [];
}

function text(value: JsonValue | undefined): string | undefined {
  return value?.kind === 'string' ? value.value : undefined;
}
