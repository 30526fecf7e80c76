import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { MopError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { type FormField, formEnd, PART_END, partHead } from './multipart.ts';
import type { HttpBody } from './request.ts';

/** A piece of a form: bytes, or a file that is read while the form is sent. */
type Piece = Uint8Array | { readonly path: string; readonly bytes: number };

/** A form whose files are read while it is sent (D1 5.2). Texts are sent exactly as signed. */
export async function multipartForm(
  form: readonly FormField[],
): Promise<{ readonly contentType: string; readonly body: HttpBody }> {
  const boundary = `mop-${randomUUID()}`;
  const pieces: Piece[] = [];
  for (const field of form) {
    if ('file' in field) {
      const sent = { ...field, file: basename(field.file) };
      pieces.push(Buffer.from(partHead(sent, boundary)), await filePiece(field.file));
    } else {
      pieces.push(Buffer.from(partHead(field, boundary) + field.value));
    }
    pieces.push(Buffer.from(PART_END));
  }
  pieces.push(Buffer.from(formEnd(boundary)));
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
      read: () => contentOf(pieces),
    },
  };
}

function lengthOf(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.length : piece.bytes;
}

async function filePiece(path: string): Promise<Piece> {
  const stats = await stat(path).catch((error: unknown) => {
    throw fileError(error, `cannot read ${path}`);
  });
  if (stats.isFile()) return { path, bytes: stats.size };
  throw new MopError('usage', `${path} is not a regular file`, {
    hint: 'mop needs the length before sending: copy the content to a file first',
  });
}

async function* contentOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else if (piece.bytes > 0) yield* fileContent(piece.path, piece.bytes);
  }
}

/** Reads exactly `bytes` bytes of a file, the announced length. */
async function* fileContent(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  try {
    for await (const chunk of createReadStream(path, { end: bytes - 1 })) {
      left -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw fileError(error, `cannot read ${path}`);
  }
  if (left > 0) {
    throw new MopError('io', `${path} became shorter while it was sent`, {
      hint: 'send it again when no program writes to the file',
    });
  }
}
