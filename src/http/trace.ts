import { redactFields, redactHeader, redactUrl } from '../redaction/redact.ts';
import { mediaType } from './headers.ts';
import type { HttpRequest } from './request.ts';

/** Receives a line of an exchange. */
export type Trace = (line: string) => void;

export function traceRequest(
  trace: Trace,
  request: Pick<HttpRequest, 'url' | 'body'> & { readonly method: string },
  headers: HttpRequest['headers'],
): void {
  trace(`> ${request.method} ${redactUrl(request.url.href)}`);
  for (const [name, value] of headers) trace(`> ${name}: ${redactHeader(name, value)}`);
  const { body } = request;
  if (typeof body === 'object') trace(`> (${body.length} bytes)`);
  else if (body !== undefined) trace(`> ${redactFields(body)}`);
}

export function traceResponse(
  trace: Trace,
  { status, statusText }: { readonly status: number; readonly statusText: string },
  headers: HttpRequest['headers'],
): void {
  trace(`< ${status} ${statusText}`.trimEnd());
  for (const [name, value] of headers) trace(`< ${name}: ${redactHeader(name, value)}`);
}

/** Whether a body is traced line by line, not as a whole. */
export function isReadInParts(contentType = ''): boolean {
  return ['text/event-stream', 'multipart/mixed'].includes(mediaType(contentType).type);
}

/** The part of a line of a stream that is traced, in characters. */
const MAX_TRACED_LINE = 64 * 1024;

/**
 * Traces a body line by line: a secret may be split between two chunks. The rest of a long line is
 * omitted, because a cut could hide the name of a credential from its value.
 */
export async function* traced(
  body: AsyncIterable<Uint8Array>,
  trace: Trace,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let line = '';
  let length = 0;
  const add = (text: string): void => {
    line += text.slice(0, MAX_TRACED_LINE - line.length);
    length += text.length;
  };
  const show = (): void => {
    if (line !== '') trace(`< ${redactFields(line)}`);
    if (length > line.length) trace(`< (${length - line.length} more characters in this line)`);
    line = '';
    length = 0;
  };
  try {
    for await (const chunk of body) {
      const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
      add(first);
      for (const each of lines) {
        show();
        add(each);
      }
      yield chunk;
    }
  } finally {
    // The reader may stop at the end of the last event, before the end of the body.
    show();
  }
}
