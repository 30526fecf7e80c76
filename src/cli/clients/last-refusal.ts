import { lstat, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MopError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
import { redactUrl, redactValues } from '../../http/redact.ts';
import type { Exchange } from '../../platform/operation-client.ts';
import type { SignedRequest } from '../../platform/signed-request.ts';
import { isSignedHeaderName } from '../../protocol/operations.ts';
import { VERSION } from '../../version.ts';
import { cacheDirectory, writeCacheFile } from '../context/cache.ts';
import type { Io } from '../context/io.ts';
import type { Settings } from '../context/settings.ts';

/** A signed call that the platform refused, as it is kept for `mop sign verify --last`. */
export interface Refusal {
  readonly profile: string;
  readonly environment: string;
  readonly method: string;
  readonly url: string;
  /** Unix seconds, by the clock of this machine. */
  readonly sent_at: number;
  /** Unix seconds, by the clock of the platform where its answer has a `Date`. */
  readonly clock: number;
  readonly code: number;
  readonly message: string;
  /** Why the file does not contain the request. */
  readonly not_kept?: string;
}

/** A refusal with the HAR file that contains its request. */
export interface KeptRefusal {
  readonly refusal: Refusal;
  readonly har: string;
}

/** How long a refused call can be examined. */
export const KEPT_SECONDS = 600;

const NAME = 'refused-request.har';
const MAX_CONTENT_BYTES = 1024 ** 2;
/** Quoting in JSON makes a byte up to six characters; the rest is for headers. */
const MAX_FILE_BYTES = 8 * MAX_CONTENT_BYTES;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Keeps a refused call for `mop sign verify --last` in a private file, without the secret. It
 * replaces the call before. A failure is ignored: it must not change the outcome of the command.
 */
export async function keepRefusal(exchange: Exchange, settings: Settings, io: Io): Promise<void> {
  try {
    await writeCacheFile(NAME, JSON.stringify(harOf(exchange, settings)), io);
  } catch {}
}

/**
 * The last refused call.
 *
 * @throws {MopError} `usage` when none was kept within the last ten minutes, or not its request;
 *   `io` when it cannot be read. A call that is too old is removed.
 */
export async function lastRefusal(io: Io): Promise<KeptRefusal> {
  const path = join(cacheDirectory(io), NAME);
  const har = await readKept(path);
  if (har === undefined) throw nothingKept('no refused call is kept', path);
  const refusal = refusalIn(har);
  if (refusal === undefined) throw nothingKept(`${path} is damaged`, path);
  const age = Math.floor(io.now() / 1000) - refusal.sent_at;
  if (Math.abs(age) > KEPT_SECONDS) {
    await rm(path, { force: true }).catch(() => {});
    throw nothingKept(`the last refused call is older than ${KEPT_SECONDS / 60} minutes`, path);
  }
  if (refusal.not_kept === undefined) return { refusal, har };
  throw new MopError('usage', `the last refused call was not kept: ${refusal.not_kept}`, {
    hint: 'mop call --dry-run --reveal prints a request: pass it to mop sign verify',
  });
}

function nothingKept(what: string, path: string): MopError {
  return new MopError('usage', what, {
    hint: `run the call again, then mop sign verify --last; refused calls are kept in ${path}`,
  });
}

/** A HAR file with one entry, which `mop sign verify` reads like any other. */
function harOf({ request, answer, sentAt, serverTime = sentAt }: Exchange, settings: Settings) {
  const fault = faultOf(request);
  const refusal: Refusal = {
    profile: settings.profile,
    environment: settings.environment,
    method: request.method,
    url: redactUrl(request.url.href),
    sent_at: Math.floor(sentAt / 1000),
    clock: Math.floor(serverTime / 1000),
    code: answer.code,
    message: redactValues(answer.message, [request.sign]).slice(0, MAX_MESSAGE_LENGTH),
    ...(fault !== undefined && { not_kept: fault }),
  };
  const entry = {
    startedDateTime: new Date(sentAt).toISOString(),
    request: {
      method: refusal.method,
      url: refusal.url,
      httpVersion: 'HTTP/1.1',
      headers: keptHeaders(request).map(([name, value]) => ({ name, value })),
      postData: postDataOf(request),
    },
  };
  return {
    log: {
      version: '1.2',
      creator: { name: 'mop', version: VERSION },
      entries: fault === undefined ? [entry] : [],
      _mop: refusal,
    },
  };
}

/** Why a request must not be kept, if it must not. */
function faultOf(request: SignedRequest): string | undefined {
  const { body, form = [], apiSecret, sign, secrets = [] } = request;
  const texts = [
    body ?? '',
    ...keptHeaders(request).map(([, value]) => value),
    ...form.flatMap((field) => [field.name, 'file' in field ? field.file : field.value]),
  ];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_CONTENT_BYTES) return 'it is larger than 1 MiB';
  // The signature is needed, and valid for a minute.
  const hidden = [apiSecret, ...secrets.filter((secret) => secret !== sign)];
  const holdsSecret = texts.some((text) => redactValues(text, hidden) !== text);
  return holdsSecret ? 'it contains the api secret or another credential' : undefined;
}

function keptHeaders({ headers }: SignedRequest): SignedRequest['headers'] {
  return headers.filter(([name]) => isSignedHeaderName(name) || /^content-type$/i.test(name));
}

/** The content of files is not signed, and not kept. */
function postDataOf({ body, form }: SignedRequest): object {
  if (form === undefined) return { mimeType: 'application/json', text: body ?? '' };
  const params = form.map((field) =>
    'file' in field
      ? { name: field.name, fileName: basename(field.file) }
      : { name: field.name, value: field.value },
  );
  return { mimeType: 'multipart/form-data', params };
}

/** The file's text; undefined when there is none. */
async function readKept(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    // A symbolic link or a pipe was not written by mop.
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : '';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, `cannot read ${path}`);
  }
}

/** The refusal in a HAR file that {@link keepRefusal} wrote; undefined in any other text. */
function refusalIn(text: string): Refusal | undefined {
  try {
    const { _mop: refusal } = JSON.parse(text).log;
    const isWhole = FIELDS.every(([name, type]) => typeof refusal[name] === type);
    return isWhole ? refusal : undefined;
  } catch {
    return undefined;
  }
}

const FIELDS: readonly (readonly [name: keyof Refusal, type: 'string' | 'number'])[] = [
  ['profile', 'string'],
  ['environment', 'string'],
  ['method', 'string'],
  ['url', 'string'],
  ['sent_at', 'number'],
  ['clock', 'number'],
  ['code', 'number'],
  ['message', 'string'],
];
