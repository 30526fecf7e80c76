import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pMap from 'p-map';
import { MopError } from '../../errors.ts';
import { type BillDigest, DIGEST_ALGORITHMS, findAlgorithm, readDigest } from './digest.ts';
import { isStored, LEDGER_NAME, readLedger } from './ledger.ts';
import { checkStored, statsOf } from './stored-file.ts';

/** How many files are read at once. */
const FILES_IN_FLIGHT = 2;

/** A file to verify, and what its original content must hash to. */
export interface KnownFile {
  readonly path: string;
  /** Undefined when no ledger knows the file. */
  readonly digest: BillDigest | undefined;
  /** Whether the platform vouched for the digest; otherwise we made it ourselves. */
  readonly vouched: boolean;
}

export interface FileVerdict {
  readonly file: KnownFile;
  /** `unverified`: nothing is known against the file, and nothing the platform vouched for. */
  readonly state: 'ok' | 'changed' | 'missing' | 'unverified';
  /** Why the file could not be judged. */
  readonly error: MopError | undefined;
}

/**
 * The files that a path stands for: those that a directory's ledger says were stored, by name, or
 * the one file itself. The latest line about a file counts.
 *
 * @throws {MopError} `usage` for a directory without a ledger, and for a path at which nothing is
 *   and that no ledger knows; `io`.
 */
export async function filesAt(path: string): Promise<KnownFile[]> {
  const stats = await statsOf(path);
  if (stats?.isDirectory()) {
    if (existsSync(join(path, LEDGER_NAME))) return storedFiles(path);
    throw new MopError(
      'usage',
      `${path} has no ledger (${LEDGER_NAME}): nothing is known of its files`,
      {
        hint: 'name the directory that bills were fetched into, or one file with --hash-type and --hash-value',
      },
    );
  }
  const directory = dirname(path);
  const known = existsSync(join(directory, LEDGER_NAME)) ? await storedFiles(directory) : [];
  const file = known.find((candidate) => basename(candidate.path) === basename(path));
  if (file) return [{ ...file, path }];
  if (stats) return [{ path, digest: undefined, vouched: false }];
  throw noSuchFile(path);
}

/**
 * A file with the digest that it has to have.
 *
 * @throws {MopError} `usage` for what is no file, a digest that is not known here, or a value that
 *   is neither hex nor base64 of the right length.
 */
export async function fileWithDigest(path: string, digest: BillDigest): Promise<KnownFile> {
  const algorithm = findAlgorithm(digest.type);
  if (algorithm === undefined) {
    throw new MopError('usage', `there is no digest ${JSON.stringify(digest.type)}`, {
      hint: `known are ${DIGEST_ALGORITHMS.join(', ')}`,
    });
  }
  const { length } = createHash(algorithm).digest();
  if (!readDigest(digest.value, length)) {
    throw new MopError('usage', `${JSON.stringify(digest.value)} is no ${digest.type} digest`, {
      hint: `write its ${length} bytes as hex or as base64`,
    });
  }
  const stats = await statsOf(path);
  if (stats === undefined) throw noSuchFile(path);
  if (stats.isFile()) return { path, digest, vouched: true };
  throw new MopError('usage', `${path} is not a file`, { hint: 'a digest is that of one file' });
}

export interface VerifyFilesOptions {
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told as each file is judged. */
  readonly onVerdict?: ((verdict: FileVerdict) => void) | undefined;
}

/**
 * Hashes files anew. One that cannot be judged does not stop the others.
 *
 * @returns A verdict for each file, in their order.
 * @throws The signal's reason.
 */
export async function verifyFiles(
  files: readonly KnownFile[],
  { signal, onVerdict }: VerifyFilesOptions = {},
): Promise<FileVerdict[]> {
  return pMap(
    files,
    async (file) => {
      const verdict = await verdictOf(file, signal);
      onVerdict?.(verdict);
      return verdict;
    },
    { concurrency: FILES_IN_FLIGHT },
  );
}

async function verdictOf(file: KnownFile, signal: AbortSignal | undefined): Promise<FileVerdict> {
  try {
    return { file, state: await stateOf(file, signal), error: undefined };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof MopError)) throw error;
    return { file, state: 'unverified', error };
  }
}

async function stateOf(
  { path, digest, vouched }: KnownFile,
  signal: AbortSignal | undefined,
): Promise<FileVerdict['state']> {
  const state = digest ? await checkStored(path, digest, signal) : 'ok';
  return state === 'ok' && !vouched ? 'unverified' : state;
}

async function storedFiles(directory: string): Promise<KnownFile[]> {
  const latest = new Map((await readLedger(directory)).filter(isStored).map((e) => [e.file, e]));
  return [...latest.values()]
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, hash_type, hash_value, verified }) => ({
      path: join(directory, file),
      digest: { type: hash_type, value: hash_value },
      vouched: verified === true,
    }));
}

function noSuchFile(path: string): MopError {
  return new MopError('usage', `there is no file ${path}, and no ledger beside it knows one`, {
    hint: 'check the path',
  });
}
