import { constants, createReadStream, openSync, promises } from 'node:fs';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MopError, own, quoted, withDetails } from '../../errors.ts';
import { failureReason, fileError } from '../../files/file-error.ts';
import { parseJson } from '../../json/parse.ts';
import { printJson } from '../../json/print.ts';
import { JsonSyntaxError } from '../../json/reader.ts';
import { describe, type JsonMember, type JsonObject, type JsonValue } from '../../json/value.ts';
import { assertDistinct } from '../../signing/value-text.ts';
import type { Io } from './io.ts';

/** The maximum size of an input, and the error for a larger one. */
export interface ReadLimit {
  readonly bytes: number;
  /** @param name The name of the input, for the message. */
  readonly error: (name: string) => MopError;
}

/** The limit of texts and bodies that are read into memory. */
const INPUT_LIMIT = limitOf(64, 'check that this is the right file');

/** A limit in MiB. */
export function limitOf(mib: number, hint: string): ReadLimit {
  return {
    bytes: mib * 1024 ** 2,
    error: (name) => new MopError('usage', `${name} has more than ${mib} MiB`, { hint }),
  };
}

/**
 * The text of an argument: the argument itself, the content of `@FILE`, or standard input for `-`.
 */
export async function argumentText(argument: string, io: Io, limit = INPUT_LIMIT): Promise<string> {
  const source = sourceOf(argument);
  if (source === undefined) return argument;
  return decodeUtf8(await inputBytes(source, io, limit), sourceName(source));
}

/** {@link argumentText} for bytes that need not be UTF-8. */
export async function argumentBytes(argument: string, io: Io, limit: ReadLimit): Promise<Buffer> {
  const source = sourceOf(argument);
  return source === undefined ? Buffer.from(argument) : inputBytes(source, io, limit);
}

/** The bytes of a file, or of standard input for `-`; see {@link inputChunks}. */
export async function inputBytes(source: string, io: Io, limit: ReadLimit): Promise<Buffer> {
  const stats = source === '-' ? undefined : await promises.stat(source).catch(() => undefined);
  if (stats && stats.size > limit.bytes) throw limit.error(sourceName(source));
  return buffer(upTo(inputChunks(source, io), sourceName(source), limit));
}

/** The bytes of a file, which may also be a device or a pipe. */
export function fileBytes(path: string, limit: ReadLimit): Promise<Buffer> {
  return buffer(upTo(createReadStream(path), path, limit));
}

function sourceName(source: string): string {
  return source === '-' ? 'standard input' : source;
}

/**
 * Returns the result of `parse`. If it fails for a file name without `@`, or for quotes that the
 * shell removed, the hint of its error names that mistake.
 */
export async function withArgumentHint<T>(
  argument: string | undefined,
  parse: () => T | Promise<T>,
): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    const hint = argument && (await argumentHint(argument, error));
    throw hint ? withDetails(error, { hint }) : error;
  }
}

async function argumentHint(argument: string, error: unknown): Promise<string | undefined> {
  if (await isFileName(argument)) return quoted`write @${argument} to read the file`;
  const isInput = sourceOf(argument) !== undefined;
  const isSyntax = error instanceof MopError && error.details.cause instanceof JsonSyntaxError;
  if (!isSyntax || isInput) return undefined;
  const { hint } = error.details;
  return hint === undefined ? CHECK_QUOTING : [hint, CHECK_QUOTING].join('; ');
}

const CHECK_QUOTING =
  'check the quoting of the JSON; to read a file, write @FILE, or - for standard input';

/** Whether a text argument is also the name of an existing file. */
export async function isFileName(argument: string): Promise<boolean> {
  if (sourceOf(argument) !== undefined) return false;
  const stats = await promises.stat(argument).catch(() => undefined);
  return stats !== undefined && !stats.isDirectory();
}

async function* upTo(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  { bytes, error }: ReadLimit,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) throw error(name);
    yield chunk;
  }
}

/** {@link argumentBytes} as a stream. */
export function argumentChunks(argument: string, io: Io): AsyncIterable<Uint8Array> {
  const source = sourceOf(argument);
  return source === undefined ? Readable.from([Buffer.from(argument)]) : inputChunks(source, io);
}

/** The path of the file that an argument names, `-` for standard input; undefined for a text. */
function sourceOf(argument: string): string | undefined {
  if (isStdin(argument)) return '-';
  return argument.startsWith('@') ? argument.slice(1) : undefined;
}

/** Whether an argument refers to standard input. */
export function isStdin(argument: string): boolean {
  return argument === '-' || argument === '@-';
}

/** Streams a file, or standard input for `-`. An aborted signal ends the wait with its reason. */
export async function* inputChunks(source: string, io: Io): AsyncGenerator<Uint8Array> {
  const { signal } = io;
  signal.throwIfAborted();
  try {
    const stream = source === '-' ? unreadStdin(io) : await openFile(source);
    for await (const chunk of addAbortSignal(signal, stream)) yield chunk;
  } catch (error) {
    signal.throwIfAborted();
    throw source === '-'
      ? fileError(error, 'cannot read standard input')
      : unreadable(source, error);
  }
}

function unreadStdin({ stdin }: Io): Readable {
  if (!stdin.readableEnded) return stdin;
  throw new MopError('usage', 'standard input is used twice', {
    hint: 'it can be read only once: put one of the two into a file and pass it as @FILE',
  });
}

async function openFile(path: string): Promise<Readable> {
  if (!(await promises.stat(path)).isFIFO()) return createReadStream(path);
  // A blocked read of a pipe cannot be cancelled, so read it as a non-blocking socket.
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** Parses a JSON object from user input. */
export function parseObject(text: string, subject: string, hint: string): JsonObject {
  const fault = (why: string, cause?: unknown): MopError =>
    new MopError('usage', `the ${subject} are ${why}`, { hint, cause });
  try {
    const value = parseJson(text);
    if (value.kind !== 'object') throw fault(`not a JSON object but ${describe(value)}`);
    return value;
  } catch (error) {
    throw error instanceof JsonSyntaxError ? fault(`not JSON: ${error.message}`, error) : error;
  }
}

/** `-F key=value`, `-f key=value` and `--upload key=@file`, in the order of the command line. */
export interface FieldOption {
  readonly typed: boolean;
  readonly isUpload?: boolean;
  readonly text: string;
}

/**
 * Builds a JSON object from `-F` and `-f` options, as `gh api` does: `-F` takes a JSON literal, a
 * string, or `@FILE` as a string; `-f` always takes a string.
 */
export async function bodyFromFields(fields: readonly FieldOption[], io: Io): Promise<string> {
  const members: JsonMember[] = [];
  let bytes = 0;
  for (const { typed, text } of fields) {
    const [name, given] = splitAssignment(text, typed ? '-F' : '-f');
    const value = typed ? await typedValue(given, io) : { kind: 'string' as const, value: given };
    // Files within the limit may exceed it in total, or after JSON quoting.
    bytes += Buffer.byteLength(printJson(value));
    if (bytes > INPUT_LIMIT.bytes) throw INPUT_LIMIT.error('the body');
    members.push({ name, value });
  }
  assertDistinct(members.map(({ name }) => name));
  return printJson({ kind: 'object', members });
}

/** Splits the value of an option at its first `=`. */
export function splitAssignment(
  text: string,
  option: string,
  form = 'key=value',
): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new MopError('usage', `${option} takes ${form}, not ${JSON.stringify(text)}`, {
    hint: quoted`write it as ${own(option)} ${own(form)}`,
  });
}

async function typedValue(text: string, io: Io): Promise<JsonValue> {
  if (text.startsWith('@')) return { kind: 'string', value: await argumentText(text, io) };
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { kind: 'string', value: text };
    throw error;
  }
}

function unreadable(path: string, cause: unknown): MopError {
  if (path === '') {
    return new MopError('usage', '@ needs the name of a file', {
      hint: 'write it as @FILE, or use - for standard input',
    });
  }
  const message = `cannot read ${JSON.stringify(path)}: ${failureReason(cause)}`;
  return new MopError('usage', message, {
    hint: 'name a file that you can read',
    cause,
  });
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, without a byte order mark. */
export function decodeUtf8(bytes: Uint8Array, where: string): string {
  try {
    return UTF_8.decode(bytes);
  } catch (error) {
    throw new MopError('usage', `${where} is not UTF-8 text`, {
      hint: 'convert it, for example with: iconv -f GBK -t UTF-8 FILE (PowerShell writes UTF-16)',
      cause: error,
    });
  }
}
