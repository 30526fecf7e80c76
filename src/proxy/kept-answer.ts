import { decodeText } from '../http/page-text.ts';
import { type KeptAnswer, MAX_BODY_BYTES } from '../server/requests/history.ts';
import { type Header, headerValue } from '../signing/header-mode.ts';

/** Keeps the start of an answer while the answer is forwarded. */
export class AnswerKeeper {
  readonly #headers: readonly Header[];
  readonly #isText: boolean;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(headers: readonly Header[]) {
    this.#headers = headers;
    this.#isText = isText(headers);
  }

  add(chunk: Uint8Array): void {
    if (this.#isText && this.#bytes < MAX_BODY_BYTES) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  get answer(): KeptAnswer {
    const body = this.#isText
      ? decodeText(
          Buffer.concat(this.#chunks).subarray(0, MAX_BODY_BYTES),
          headerValue(this.#headers, 'Content-Type'),
        )
      : undefined;
    return { headers: this.#headers, body, isTruncated: this.#bytes > MAX_BODY_BYTES };
  }
}

function isText(headers: readonly Header[]): boolean {
  const coding = headerValue(headers, 'Content-Encoding') ?? 'identity';
  return coding === 'identity' && /json|text|xml/i.test(headerValue(headers, 'Content-Type') ?? '');
}

/** The result code of an envelope (D1 2.2); undefined for any other answer. */
export function resultCode({ body, isTruncated }: KeptAnswer): number | undefined {
  if (body === undefined || isTruncated) return undefined;
  try {
    const { code } = JSON.parse(body) as { readonly code?: unknown };
    return typeof code === 'number' ? code : undefined;
  } catch {
    return undefined;
  }
}
