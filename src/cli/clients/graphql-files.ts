import { stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { MopError, quoted } from '../../errors.ts';
import type { NamedText } from '../../graphql/schema.ts';
import { argumentText } from '../context/input.ts';
import type { Io } from '../context/io.ts';
import { GRAPHQL_FILE, gitPathOf, gitTexts } from './git-files.ts';

/**
 * The texts of GraphQL files: a file, `-` for standard input, a directory with all its GraphQL files,
 * a glob pattern, or `git:REF:PATH`. cmd and PowerShell do not expand patterns. Each file is read
 * once. A pattern that begins with `!` removes files.
 *
 * @throws {MopError} `usage` for a file that cannot be read, and for a directory or a pattern
 *   without files.
 */
export async function graphqlTexts(patterns: readonly string[], io: Io): Promise<NamedText[]> {
  const ignored = patterns.filter(isNegative).map((pattern) => pattern.slice(1));
  const texts = new Map<string, NamedText>();
  // One after the other: only the first may read standard input.
  for (const pattern of patterns.filter((each) => !isNegative(each))) {
    const gitPath = gitPathOf(pattern);
    for (const text of gitPath ? await gitTexts(gitPath, io) : []) texts.set(text.name, text);
    if (gitPath) continue;
    for (const path of await pathsOf(pattern, ignored, io)) {
      const name = path === '-' ? 'stdin' : path;
      if (texts.has(name)) continue;
      const text = await argumentText(`@${path}`, io);
      texts.set(name, { name, text, isFound: path !== pattern });
    }
  }
  return [...texts.values()];
}

function isNegative(pattern: string): boolean {
  return pattern.startsWith('!');
}

async function pathsOf(
  given: string,
  ignored: readonly string[],
  { signal }: Io,
): Promise<readonly string[]> {
  // Links could lead into a circle, or anywhere.
  const options = {
    ignore: ['**/node_modules/**', ...ignored],
    followSymbolicLinks: false,
    signal,
  };
  const stats = await stat(given).catch(() => undefined);
  const pattern = given.replaceAll(sep, '/');
  if (stats?.isDirectory()) {
    // The search of a whole file system would take minutes.
    const isRoot = dirname(resolve(given)) === resolve(given);
    const found = isRoot ? [] : await glob('**/*', { ...options, cwd: given });
    const paths = found.filter((path) => GRAPHQL_FILE.test(path));
    return sorted(
      paths.map((path) => join(given, path)),
      given,
    );
  }
  if (stats || !isDynamicPattern(pattern)) return [given];
  return sorted(await glob(pattern, { ...options, expandDirectories: false }), given);
}

/** @throws {MopError} `usage` without any path. */
function sorted(paths: readonly string[], given: string): readonly string[] {
  if (paths.length > 0) return [...paths].sort();
  throw new MopError('usage', `${given} contains or matches no GraphQL file`, {
    hint: quoted`name files, a directory with ${'*.graphql'} or ${'*.gql'} files, or a quoted pattern such as ${'src/**/*.graphql'}`,
  });
}
