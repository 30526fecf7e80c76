import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { withDetails } from '../errors.ts';
import { badRequest, DISCARDED_BYTES } from './request-body.ts';
import { ownTurn } from './turns.ts';

export type FormPart = { readonly name: string; readonly value: string } | FormFile;

export interface FormFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** The digest of the content, in lower-case hex. */
  readonly md5: string;
  /** Kept up to the limit `keptBytes`. */
  readonly content?: Uint8Array;
}

export interface FormLimits {
  /** The total size of all files; default 64 MiB. */
  readonly maxFileBytes?: number;
  /** Keeps the content of files up to this total size; default 0. */
  readonly keptBytes?: number;
}

const MAX_PARTS = 1000;
const MAX_TEXT_BYTES = 1024 * 1024;
/** Boundaries, headers of parts, and a chunk of a file that the parser still buffers. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

/**
 * Reads a multipart form as it streams in (D1 5.2), and keeps the digest of each file.
 *
 * @throws {MopError} `usage` when it is incomplete or exceeds a limit (`httpStatus` 413).
 */
export async function readForm(incoming: IncomingMessage): Promise<readonly FormPart[]> {
  // Ending the iteration must not end the connection: the answer needs it.
  return readFormChunks(incoming.headers, incoming.iterator({ destroyOnReturn: false }));
}

/** Like {@link readForm}, for a body that the caller reads. */
export async function readFormChunks(
  headers: IncomingHttpHeaders,
  chunks: AsyncIterable<Buffer>,
  limits: FormLimits = {},
): Promise<readonly FormPart[]> {
  const parser = openParser(headers);
  const form = new Form(limits);
  parser.on('field', (name, value, _, truncated) => form.addText(name, value, truncated));
  parser.on('file', (name, content, fileName) => form.addFile(name, fileName, content));
  parser.on('partsLimit', () => form.refuse(`has more than ${MAX_PARTS} fields`));

  const finished = once(parser, 'finish');
  // It may reject while the loop waits for a chunk, before anything awaits it.
  finished.catch(() => {});
  parser.on('error', () => {});
  try {
    for await (const chunk of chunks) {
      form.count(chunk.length);
      if (form.isAbandoned) break;
      if (form.fault !== undefined) continue;
      // A chunk may contain hundreds of files.
      await ownTurn();
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), finished]);
    }
    if (form.fault === undefined) {
      parser.end();
      await finished;
    }
  } catch (error) {
    throw badRequest('the form ends before its last boundary', error);
  }
  if (form.fault !== undefined) {
    throw withDetails(badRequest(`the form ${form.fault}`), { httpStatus: form.status });
  }
  return form.close();
}

function openParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // Like the signer: a part with a file name is a file, and its name stays unchanged.
      isPartAFile: (_, __, fileName) => fileName !== undefined,
      preservePath: true,
      limits: { parts: MAX_PARTS, fieldSize: MAX_TEXT_BYTES },
    });
  } catch (error) {
    throw badRequest('the Content-Type of the form has no usable boundary', error);
  }
}

class Form {
  fault: string | undefined;
  status: number | undefined;
  readonly #parts: (() => FormPart)[] = [];
  readonly #limits: Required<FormLimits>;
  #bytes = 0;
  /** The number of bytes read before the refusal. */
  #faultAt = 0;
  #textBytes = 0;
  #fileBytes = 0;

  constructor({ maxFileBytes = MAX_FILE_BYTES, keptBytes = 0 }: FormLimits) {
    this.#limits = { maxFileBytes, keptBytes };
  }

  refuse(fault: string, status = 413): void {
    if (this.fault === undefined) this.#faultAt = this.#bytes;
    this.fault ??= fault;
    this.status ??= status;
  }

  /** Whether to stop reading a refused form. */
  get isAbandoned(): boolean {
    return this.fault !== undefined && this.#bytes > this.#faultAt + DISCARDED_BYTES;
  }

  /** Counts bytes; those outside files are texts, names or boundaries. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes - this.#fileBytes > MAX_TEXT_BYTES + MAX_FRAME_BYTES) {
      this.refuse('has more than 3 MiB besides its files');
    }
  }

  addText(name: string | undefined, value: string, truncated: boolean): void {
    const part = { name: this.#readName(name), value };
    this.#countText(truncated ? MAX_TEXT_BYTES + 1 : Buffer.byteLength(value));
    this.#parts.push(() => part);
  }

  addFile(name: string | undefined, fileName: string, content: Readable): void {
    const part = { name: this.#readName(name), file: this.#readName(fileName) };
    const { maxFileBytes, keptBytes } = this.#limits;
    const digest = createHash('md5');
    const kept: Buffer[] = [];
    let bytes = 0;
    content.on('data', (chunk: Buffer) => {
      digest.update(chunk);
      bytes += chunk.length;
      this.#fileBytes += chunk.length;
      if (this.#fileBytes <= keptBytes) kept.push(chunk);
      else kept.length = 0;
      if (this.#fileBytes > maxFileBytes) {
        this.refuse(`has more than ${maxFileBytes / 1024 ** 2} MiB of files`);
      }
    });
    // The parser reports the same error.
    content.on('error', () => {});
    this.#parts.push(() => ({
      ...part,
      bytes,
      md5: digest.digest('hex'),
      ...(this.#fileBytes <= keptBytes && { content: Buffer.concat(kept) }),
    }));
  }

  /** The fields. Call it after the parser has finished. */
  close(): readonly FormPart[] {
    return this.#parts.map((part) => part());
  }

  #readName(name: string | undefined): string {
    if (name === undefined) this.refuse('has a field without a name', 400);
    this.#countText(Buffer.byteLength(name ?? ''));
    // Browsers escape these characters in names, and other clients follow them.
    return (name ?? '').replace(/%(?:22|0D|0A)/gi, decodeURIComponent);
  }

  #countText(bytes: number): void {
    this.#textBytes += bytes;
    if (this.#textBytes > MAX_TEXT_BYTES) this.refuse('has more than 1 MiB of text');
  }
}
