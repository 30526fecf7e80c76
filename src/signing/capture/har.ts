import type { FormField } from '../../http/multipart.ts';
import { type JsonValue, member, memberItems, memberText } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue } from '../header-mode.ts';
import type { CaptureReader } from './capture-reader.ts';
import type { Content } from './captured-request.ts';
import { readContent } from './content.ts';
import { captureJson } from './decoding.ts';

/** Reads the entries of a HAR file (HTTP Archive 1.2). */
export const HAR_FILE: CaptureReader = {
  format: 'har',
  // A truncated HAR file is recognised too; a body may have a field "log".
  isFormat: ({ head, document }) =>
    /^\{\s*"log"\s*:\s*\{/.test(head) &&
    (document === undefined || entriesOf(document) !== undefined),
  read: (capture) => {
    const document = capture.document ?? captureJson(capture.textAs('har'), 'the text', 'har');
    return (entriesOf(document) ?? []).map((entry) => {
      const request = member(entry, 'request');
      const headers = readHeaders(request);
      return {
        looksSigned: headerValue(headers, SIGN_HEADERS.sign) !== undefined,
        read: () => ({
          format: 'har',
          method: memberText(request, 'method'),
          url: memberText(request, 'url'),
          headers,
          ...readBody(request, headers),
        }),
      };
    });
  },
};

function entriesOf(document: JsonValue): readonly JsonValue[] | undefined {
  const entries = member(member(document, 'log'), 'entries');
  return entries?.kind === 'array' ? entries.items : undefined;
}

function readHeaders(request: JsonValue | undefined): readonly Header[] {
  return memberItems(request, 'headers').flatMap((header): Header[] => {
    const name = memberText(header, 'name');
    // `:method` and similar names are the request line of HTTP/2.
    if (name === undefined || name.startsWith(':')) return [];
    return [[name, memberText(header, 'value') ?? '']];
  });
}

function readBody(request: JsonValue | undefined, headers: readonly Header[]): Content {
  const postData = member(request, 'postData');
  const content = memberText(postData, 'text') ?? '';
  const params = memberItems(postData, 'params');
  if (content === '' && params.length > 0) return readParams(params);
  const isBase64 = /^base64$/i.test(memberText(postData, 'encoding') ?? '');
  const bytes = new Uint8Array(Buffer.from(content, isBase64 ? 'base64' : 'utf8'));
  // Some tools store the type only with the body.
  const mimeType = memberText(postData, 'mimeType') ?? '';
  const typed: readonly Header[] = [...headers, ['Content-Type', mimeType]];
  const read = readContent(bytes, typed, 'har');
  const files = typeof read.body !== 'string' && read.body.some((field) => 'file' in field);
  if (!files || isBase64) return read;
  return {
    body: read.body,
    notes: [...read.notes, 'a HAR file corrupts or omits uploaded files'],
  };
}

function readParams(params: readonly JsonValue[]): Content {
  const body = params.map((param): FormField => {
    const name = memberText(param, 'name') ?? '';
    const file = memberText(param, 'fileName');
    return file === undefined ? { name, value: memberText(param, 'value') ?? '' } : { name, file };
  });
  const notes = ['the HAR file contains the fields of the form, not the body as sent'];
  if (body.some((field) => 'file' in field)) notes.push('a HAR file omits uploaded files');
  return { body, notes };
}
