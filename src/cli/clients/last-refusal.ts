import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MopError, own, quoted } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
import type { Exchange } from '../../platform/operation-client.ts';
import { AUTHENTICATION_ERROR, FIND_MISTAKE } from '../../protocol/result-codes.ts';
import { cacheDirectory, writeCacheFile } from '../context/cache.ts';
import { configPath, readConfig } from '../context/config-file.ts';
import type { Io } from '../context/io.ts';
import type { Caller } from './caller.ts';
import { type RefusalCause, refusalCause } from './refusal-cause.ts';
import {
  MAX_CONTENT_BYTES,
  type Refusal,
  refusalHar,
  refusalIn,
  refusalOf,
} from './refusal-har.ts';

/** A refusal with the HAR file that contains its request. */
interface StoredRefusal {
  readonly refusal: Refusal;
  readonly har: string;
  readonly ageSeconds: number;
}

/** The refusal of a nightly job is kept until the evening of the next day. */
const MAX_AGE_HOURS = 36;

const NAME = 'refused-request.har';
/** JSON quoting turns a byte into at most six; the rest is for the names of members. */
const MAX_FILE_BYTES = 8 * MAX_CONTENT_BYTES;

/**
 * Explains a refused call, and stores it for `mop sign verify --last` in a private file, without
 * the secret. The file replaces that of the previous call. Ignores failures, because they must not
 * change the outcome of the command.
 */
export async function recordRefusal(
  exchange: Exchange,
  caller: Caller,
  io: Io,
  isStored: boolean,
): Promise<string | undefined> {
  const cause = causeOf(exchange, caller, io);
  const canVerify = isStored && (await storeRefusal(exchange, cause, caller, io));
  const next = canVerify ? FIND_MISTAKE : PRINT_REQUEST;
  if (cause) return causeHint(cause, next);
  return exchange.answer.code === AUTHENTICATION_ERROR ? next : undefined;
}

/** @param next The step that resolves a doubt about the cause. */
function causeHint({ reason, fix, isDoubtful }: RefusalCause, next: string): string {
  return quoted`likely cause: ${own(reason)}; ${own(isDoubtful ? next : fix)}`;
}

const PRINT_REQUEST =
  'run the call with --dry-run --reveal and pass the printed request to mop sign verify';

function causeOf(exchange: Exchange, caller: Caller, io: Io): RefusalCause | undefined {
  try {
    // The warnings about the file were printed before the call.
    return refusalCause(
      exchange,
      caller,
      readConfig(configPath(io), () => {}),
    );
  } catch {
    return undefined;
  }
}

/** @returns Whether the file contains the request. */
async function storeRefusal(
  exchange: Exchange,
  cause: RefusalCause | undefined,
  caller: Caller,
  io: Io,
): Promise<boolean> {
  try {
    const refusal = refusalOf(exchange, cause, caller);
    await writeCacheFile(NAME, refusalHar(refusal, exchange.request), io);
    return refusal.not_kept === undefined;
  } catch {
    return false;
  }
}

/** The last refused call. */
export async function lastRefusal(io: Io): Promise<StoredRefusal> {
  const directory = cacheDirectory(io);
  const path = join(directory, NAME);
  const har = await readStored(path);
  if (har === undefined) {
    throw new MopError('usage', `no refused call is stored in ${directory}`, {
      hint: 'use the user account and the MOP_CONFIG_DIR of the call, or run the call again',
    });
  }
  const refusal = refusalIn(har);
  if (refusal === undefined) {
    throw new MopError('usage', `${path} is damaged`, {
      hint: 'remove it, run the call again, then mop sign verify --last',
    });
  }
  const ageSeconds = ageOf(refusal, io);
  if (ageSeconds > MAX_AGE_HOURS * 3600) {
    await rm(path, { force: true }).catch(() => {});
    throw new MopError('usage', `the last refused call is older than ${MAX_AGE_HOURS} hours`, {
      hint: 'run the call again, then mop sign verify --last',
    });
  }
  if (refusal.not_kept === undefined) return { refusal, har, ageSeconds };
  throw new MopError('usage', `the last refused call was not stored: ${refusal.not_kept}`, {
    hint: refusal.cause ? causeHint(refusal.cause, PRINT_REQUEST) : PRINT_REQUEST,
  });
}

/** The smaller distance of both clocks: a clock that was wrong at the call may be set since. */
function ageOf({ sent_at, clock }: Refusal, io: Io): number {
  const now = Math.floor(io.now() / 1000);
  return Math.min(Math.abs(now - sent_at), Math.abs(now - clock));
}

/** The text of the file; undefined when it is missing. */
async function readStored(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    // A symbolic link or a pipe was not written by mop.
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : '';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw fileError(error, `cannot read ${path}`);
  }
}
