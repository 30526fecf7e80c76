import { basename, dirname, join } from 'node:path';
import pMap from 'p-map';
import { append } from '../../any-length.ts';
import { MopError, quoted } from '../../errors.ts';
import type { BillType } from '../../protocol/operations.ts';
import {
  type BillDigest,
  billDigest,
  digestLength,
  isKnownDigest,
  KNOWN_DIGESTS,
  readDigest,
} from './digest.ts';
import {
  type BillOwner,
  hasLedger,
  LEDGER_NAME,
  latestStored,
  type StoredEntry,
} from './ledger.ts';
import { readLedger } from './read-ledger.ts';
import { checkStored, FILES_IN_FLIGHT, statsOf } from './stored-file.ts';

interface RecordedBill extends BillOwner {
  readonly date: string;
  readonly type: BillType;
}

/** A file to verify, and the digest of its original content. */
export interface KnownFile {
  readonly path: string;
  readonly digest: BillDigest | undefined;
  readonly bytes?: number | null | undefined;
  /** Whether the digest is from the platform; otherwise mop computed it. */
  readonly isPlatformDigest: boolean;
  readonly bill?: RecordedBill | undefined;
}

/** Receives the path of a ledger, and the numbers of its damaged lines. */
type OnDamaged = (ledger: string, damaged: readonly number[]) => void;

export interface FileVerdict {
  readonly file: KnownFile;
  /** `unverified`: the file matches its digest, if any, but no digest of the platform is known. */
  readonly state: 'ok' | 'changed' | 'missing' | 'unverified';
  readonly error: MopError | undefined;
}

/** The files at paths; for a directory, the stored files of its ledger, sorted by name. */
export async function filesAt(
  paths: readonly string[],
  signal?: AbortSignal,
  onDamaged?: OnDamaged,
): Promise<KnownFile[]> {
  const ledgers = new Map<string, ReadonlyMap<string, StoredEntry> | undefined>();
  const ledgerOf = async (directory: string) => {
    if (!ledgers.has(directory))
      ledgers.set(directory, await storedEntries(directory, signal, onDamaged));
    return ledgers.get(directory);
  };
  const files: KnownFile[] = [];
  for (const path of paths) {
    const stats = await statsOf(path);
    if (stats?.isDirectory()) {
      const entries = await ledgerOf(path);
      if (!entries) {
        throw new MopError('usage', `${path} has no ledger (${LEDGER_NAME}) with digests`, {
          hint: 'name the directory that mop bill fetch writes to, or one file with --hash-type and --hash-value',
        });
      }
      const names = [...entries.keys()].sort();
      append(
        files,
        names.map((name) => knownFile(join(path, name), entries.get(name))),
      );
    } else {
      const entries = await ledgerOf(dirname(path));
      const name = basename(path);
      // A bill may have been compressed after it was stored.
      const entry = entries?.get(name) ?? entries?.get(name.replace(/\.gz$/, ''));
      if (!stats && !entry) throw noSuchFile(path);
      files.push(knownFile(path, entry));
    }
  }
  return files;
}

/** A file with its expected digest; throws `usage` unless the digest is known and well-formed. */
export async function fileWithDigest(
  path: string,
  { type, value }: { readonly type: string | undefined; readonly value: string },
): Promise<KnownFile> {
  const digest = billDigest(type, value);
  const shown = JSON.stringify(value);
  if (!isKnownDigest(digest)) {
    const message =
      type === undefined
        ? `no known digest has the length of ${shown}`
        : `there is no digest ${JSON.stringify(type)}`;
    throw new MopError('usage', message, { hint: KNOWN_DIGESTS });
  }
  const length = type === undefined ? undefined : digestLength(type);
  if (length !== undefined && !readDigest(value, length)) {
    throw new MopError('usage', `${shown} is not a valid ${type} digest`, {
      hint: quoted`write its ${length} bytes as hex or as base64`,
    });
  }
  const stats = await statsOf(path);
  if (stats === undefined) throw noSuchFile(path);
  if (stats.isFile()) return { path, digest, isPlatformDigest: true };
  throw new MopError('usage', `${path} is not a file`, { hint: 'pass the path of one file' });
}

/** Hashes files again, in their order. A file that cannot be checked does not stop the others. */
export async function verifyFiles(
  files: readonly KnownFile[],
  signal: AbortSignal,
  onVerdict: (verdict: FileVerdict) => void,
): Promise<FileVerdict[]> {
  return pMap(
    files,
    async (file) => {
      const verdict = await verdictOf(file, signal);
      onVerdict(verdict);
      return verdict;
    },
    { concurrency: FILES_IN_FLIGHT },
  );
}

async function verdictOf(file: KnownFile, signal: AbortSignal): Promise<FileVerdict> {
  const { path, digest, bytes, isPlatformDigest } = file;
  try {
    const found = digest ? await checkStored(path, { ...digest, bytes }, signal) : 'ok';
    const state = found === 'ok' && !isPlatformDigest ? 'unverified' : found;
    return { file, state, error: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MopError)) throw error;
    return { file, state: 'unverified', error };
  }
}

async function storedEntries(
  directory: string,
  signal: AbortSignal | undefined,
  onDamaged: OnDamaged | undefined,
): Promise<ReadonlyMap<string, StoredEntry> | undefined> {
  if (!(await hasLedger(directory))) return undefined;
  const ledger = await readLedger(directory, signal);
  onDamaged?.(join(directory, LEDGER_NAME), ledger.damaged);
  return latestStored(ledger.entries());
}

function knownFile(path: string, entry: StoredEntry | undefined): KnownFile {
  if (!entry) return { path, digest: undefined, isPlatformDigest: false };
  const { hash_type, hash_value, bytes, verified } = entry;
  const digest = { type: hash_type, value: hash_value };
  return { path, digest, bytes, isPlatformDigest: verified === true, bill: entry };
}

function noSuchFile(path: string): MopError {
  return new MopError('usage', `there is no file ${path}`, { hint: 'check the path' });
}
