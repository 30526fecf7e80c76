import { expect } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { signBody } from '../../../src/signing/body-mode.ts';
import type { CapturedRequest } from '../../../src/signing/capture/captured-request.ts';
import { type CaptureOptions, readCapture } from '../../../src/signing/capture/read-capture.ts';
import { signHeaders } from '../../../src/signing/header-mode.ts';
import { verifySignature } from '../../../src/signing/verification/verify.ts';

export const JSON_BODY =
  '{"bill_date":"2026-11-19","remark":"it\'s 5 > 3 \\"now\\" \\n","sign":"AB"}';

const FRESH = { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' };

/** A body with every kind of value, signed by the sandbox's account. */
export const SIGNED_BODY = signBody(
  '{"city":"杭州","remark":"it\'s $5 > \\"3\\" `now` \\\\n","lat":30.25,"n":-7,"ok":true,"list":["a",{"b":[]}]}',
  SANDBOX_CREDENTIALS,
  FRESH,
).body;

/** A body for signed headers. */
export const PLAIN_BODY = '{"city":"Hangzhou","lat":30.25,"list":[1,{"b":"c"}]}';
export const SIGNED_HEADERS = Object.entries(
  signHeaders(PLAIN_BODY, SANDBOX_CREDENTIALS, FRESH).headers,
);

/** Reads a capture in any format and asserts that its signature is correct. */
export async function readRight(
  text: string | Uint8Array,
  options?: CaptureOptions,
): Promise<CapturedRequest> {
  const request = await readCapture(text, options);
  const { diagnosis, valid } = verifySignature(request, SANDBOX_CREDENTIALS.secret, {
    now: FRESH.timestamp,
  });
  expect({ valid, diagnosis, body: request.body }).toMatchObject({ valid: true });
  return request;
}

/** Files that a curl command names; any other is missing. */
export const FILES: CaptureOptions = {
  readFile: async (path) => {
    const content = FILE_TEXTS[path];
    if (content === undefined) throw new Error('ENOENT: no such file');
    return new TextEncoder().encode(content);
  },
};
const FILE_TEXTS: Readonly<Record<string, string>> = {
  'body.json': '{"a":1,\r\n"b":2}\n',
  'one-line.json': '{"a":1}',
  'dir/photo.png': 'PNG',
  headers: 'X-TMS-A: 1\r\nX-TMS-Empty;\n',
};

/** Lines of a captured message, with CR LF line ends. */
export function crlf(...lines: readonly string[]): string {
  return lines.join('\r\n');
}

/** The message of a capture's failure, or of its doubt. Asserts a usage error with a hint. */
export async function failure(
  input: string | Uint8Array,
  options?: CaptureOptions,
): Promise<string> {
  const outcome: unknown = await readCapture(input, options).then(
    (request) => request.doubt,
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({
    name: 'MopError',
    code: 'usage',
    details: { hint: expect.any(String) },
  });
  return (outcome as Error).message;
}

/** A captured form, with the content of files as text. */
export function fieldsOf({ body }: CapturedRequest): readonly object[] {
  if (typeof body === 'string') throw new Error(`the body is a text: ${body}`);
  return body.map((field) =>
    'content' in field ? { ...field, content: new TextDecoder().decode(field.content) } : field,
  );
}
