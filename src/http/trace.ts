import { redactHeader, redactJson, redactUrl } from './redact.ts';
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
  else if (body !== undefined) trace(`> ${redactJson(body)}`);
}

export function traceResponse(
  trace: Trace,
  { statusCode, statusText }: { readonly statusCode: number; readonly statusText: string },
  headers: Iterable<readonly [name: string, value: string | readonly string[] | undefined]>,
): void {
  trace(`< ${statusCode} ${statusText}`.trimEnd());
  for (const [name, value] of headers) {
    for (const each of [value ?? []].flat()) trace(`< ${name}: ${redactHeader(name, each)}`);
  }
}

/** Whether a body is traced line by line, not as a whole. */
export function isReadInParts(contentType = ''): boolean {
  return /^(?:text\/event-stream|multipart\/mixed)\b/i.test(contentType);
}

/** The limit for buffering a line of a stream for a trace, in characters. */
const MAX_TRACED_LINE = 1024 * 1024;

/**
 * Passes a body on and traces it line by line: a secret may be split between two chunks.
 */
export async function* traced(
  body: AsyncIterable<Uint8Array>,
  trace: Trace,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let rest = '';
  const show = (text: string): void => {
    if (text !== '') trace(`< ${redactJson(text)}`);
  };
  try {
    for await (const chunk of body) {
      const text = rest + decoder.decode(chunk, { stream: true });
      const end = text.length > MAX_TRACED_LINE ? text.length : text.lastIndexOf('\n') + 1;
      show(text.slice(0, end));
      rest = text.slice(end);
      yield chunk;
    }
  } finally {
    // The reader may stop at the end of the last event, before the end of the body.
    show(rest);
  }
}
