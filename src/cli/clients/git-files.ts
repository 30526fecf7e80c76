import { execFile } from 'node:child_process';
import { extname, relative } from 'node:path/posix';
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
  if (!text.startsWith('git:')) return undefined;
  const [, ref, path] = /^git:([^:-][^:]*):(.+)$/s.exec(text) ?? [];
  if (ref !== undefined && path !== undefined) return { ref, path };
  throw new MopError('usage', `${JSON.stringify(text)} is not git:REF:PATH`, { hint: FORM_HINT });
}

const MAX_BYTES = 64 * 1024 ** 2;

/** The texts of a file, or of all GraphQL files in a directory, at a revision. */
export async function gitTexts({ ref, path }: GitPath, io: Io): Promise<NamedText[]> {
  const listed = String(await git(['ls-tree', '-r', '-z', ref, '--', path], io));
  const found = listed
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const name = line.slice(line.indexOf('\t') + 1);
      const kind = KINDS.find(([mode]) => line.startsWith(mode))?.[1];
      return { name, kind };
    })
    .filter(({ name }) => !IGNORED.test(`/${relative(path, name)}`));
  const isNamed = (name: string): boolean => relative(path, name) === '';
  const files = found.filter(({ name }) => isNamed(name) || GRAPHQL_FILE.test(name));
  // A name without a suffix may be that of a directory with schemas.
  const other = found.find(({ name, kind }) => kind && (GRAPHQL_FILE.test(name) || !extname(name)));
  if (other) {
    throw new MopError('usage', `${other.name} is ${other.kind} at git:${ref}:${path}`, {
      hint: 'name the file or the directory that it leads to, or the others one by one',
    });
  }
  if (files.length === 0) {
    const isPattern = path.includes('*');
    throw new MopError('usage', `there is no GraphQL file at git:${ref}:${path}`, {
      hint: isPattern ? 'name a file or a directory: git: takes no patterns' : FORM_HINT,
    });
  }
  const texts: NamedText[] = [];
  for (const { name } of files) {
    const shown = name.startsWith('../') ? name : `./${name}`;
    const place = `git:${ref}:${name}`;
    const text = decodeUtf8(await git(['show', `${ref}:${shown}`], io), place);
    texts.push({ name: place, text, isFound: !isNamed(name) });
  }
  return texts;
}

/** Hidden files and node_modules; a search on disk skips them too. */
const IGNORED = /\/(?:\.[^./]|node_modules\/)/;

/** The modes of entries of a tree of git that have no content of their own. */
const KINDS: readonly (readonly [mode: string, kind: string])[] = [
  ['120000', 'a symbolic link'],
  ['160000', 'a submodule'],
];

const FORM_HINT =
  'write git:REF:PATH with a path from the current directory, such as git:main:schema.graphql';

/** Messages of git, and their hints. */
const GIT_HINTS: readonly (readonly [words: RegExp, hint: string])[] = [
  [/not a git repository/, 'run it inside the repository'],
  [/dubious ownership/, 'trust the repository: git config --global --add safe.directory "$PWD"'],
  [
    /valid object name|bad revision|unknown revision/,
    'check the name; a shallow clone does not have it: git fetch --unshallow, or git fetch origin REF',
  ],
];

async function git(args: readonly string[], { signal }: Io): Promise<Buffer> {
  try {
    const options = { encoding: 'buffer', maxBuffer: MAX_BYTES, signal } as const;
    const { stdout } = await promisify(execFile)('git', args, options);
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr, message } = error as Error & { code?: unknown; stderr?: Buffer };
    const [reason] = String(stderr ?? '')
      .replace(/^(?:fatal|error): /, '')
      .split('\n');
    const hint = GIT_HINTS.find(([words]) => words.test(reason ?? ''))?.[1] ?? FORM_HINT;
    throw code === 'ENOENT'
      ? new MopError('usage', 'git is not installed, or not in PATH', {
          hint: 'install git, or pass a file',
          cause: error,
        })
      : new MopError('usage', `git: ${reason || message}`, { hint, cause: error });
  }
}
