import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MopError } from '../../errors.ts';
import type { NamedText } from '../../graphql/schema.ts';
import { decodeUtf8 } from '../context/input.ts';
import type { Io } from '../context/io.ts';

/** The suffixes of files with documents of GraphQL. */
export const GRAPHQL_FILE = /\.(?:graphql|graphqls|gql)$/i;

/** A file or a directory at a revision of the git repository around the current directory. */
export interface GitPath {
  readonly ref: string;
  /** Relative to the current directory. */
  readonly path: string;
}

/** The parts of `git:REF:PATH`; undefined for any other text. */
export function gitPathOf(text: string): GitPath | undefined {
  const [, ref, path] = /^git:([^:-][^:]*):(.+)$/s.exec(text) ?? [];
  return ref === undefined || path === undefined ? undefined : { ref, path };
}

const MAX_BYTES = 64 * 1024 ** 2;

/**
 * The texts of a file, or of all GraphQL files in a directory, at a revision.
 *
 * @throws {MopError} `usage` for an unknown revision or path, and outside a repository.
 */
export async function gitTexts({ ref, path }: GitPath, io: Io): Promise<NamedText[]> {
  const listed = await git(['ls-tree', '-r', '-z', '--name-only', ref, '--', path], io);
  const found = String(listed).split('\0').filter(Boolean);
  const paths = found.length === 1 ? found : found.filter((each) => GRAPHQL_FILE.test(each));
  if (paths.length === 0) {
    throw new MopError('usage', `the revision ${ref} has no GraphQL file at ${path}`, {
      hint: `the path is relative to the current directory; ${FORM_HINT}`,
    });
  }
  const texts: NamedText[] = [];
  for (const each of paths) {
    const relative = each.startsWith('../') ? each : `./${each}`;
    const name = `git:${ref}:${each}`;
    const text = decodeUtf8(await git(['show', `${ref}:${relative}`], io), name);
    texts.push({ name, text, isFound: each !== path });
  }
  return texts;
}

const FORM_HINT = 'write it as git:REF:PATH, such as git:main:schema.graphql';

async function git(args: readonly string[], { signal }: Io): Promise<Buffer> {
  try {
    const options = { encoding: 'buffer', maxBuffer: MAX_BYTES, signal } as const;
    const { stdout } = await promisify(execFile)('git', args, options);
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr, message } = error as Error & { code?: unknown; stderr?: Buffer };
    if (code === 'ENOENT') {
      throw new MopError('usage', 'git is not installed, or not in PATH', {
        hint: 'install git, or pass a file',
        cause: error,
      });
    }
    const reason = String(stderr ?? '')
      .replace(/^(?:fatal|error): /, '')
      .split('\n')[0];
    throw new MopError('usage', `git: ${reason || message}`, { hint: FORM_HINT, cause: error });
  }
}
