import fs from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { MopError, quoted } from '../../errors.ts';
import type { NamedText } from '../../graphql/schema.ts';
import { argumentText } from '../context/input.ts';
import type { Io } from '../context/io.ts';
import { GRAPHQL_FILE, gitPathOf, gitTexts } from './git-files.ts';

/**
 * The texts of GraphQL files: a file, `-` for standard input, a directory with all its GraphQL
 * files, a glob pattern, or `git:REF:PATH`. cmd and PowerShell do not expand patterns. Each file is
 * read once. A pattern that begins with `!` removes files from all others.
 */
export async function graphqlTexts(patterns: readonly string[], io: Io): Promise<NamedText[]> {
  const texts = new Map<string, NamedText>();
  const removed = patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1));
  const removedPaths = new Set((await matches(removed, '.', io)).map((path) => resolve(path)));
  const embedded: string[] = [];
  // One after the other: only the first may read standard input.
  for (const pattern of patterns.filter((each) => !each.startsWith('!'))) {
    const gitPath = gitPathOf(pattern);
    for (const text of gitPath ? await gitTexts(gitPath, io) : []) texts.set(text.name, text);
    if (gitPath) continue;
    for (const path of await pathsOf(pattern, io)) {
      // A link to a file that was read is the same file.
      const key = path === '-' ? path : await realpath(path).catch(() => resolve(path));
      if (texts.has(key) || removedPaths.has(resolve(path))) continue;
      const text = await argumentText(`@${path}`, io);
      const isFound = path !== pattern;
      if (isFound && CODE_FILE.test(path)) {
        if (EMBEDDED.some((form) => form.test(text))) embedded.push(path);
        continue;
      }
      const name = path === '-' ? 'stdin' : path;
      texts.set(key, { name, text, isFound });
    }
  }
  if (embedded.length > 0) throw embeddedDocuments(embedded);
  if (texts.size === 0) throw noFiles(patterns.join(' '));
  return [...texts.values()];
}

/** Files of programs, and the signs of a document in one of them. */
const CODE_FILE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;
const EMBEDDED = [
  /\b(?:gql|graphql)(?:<[^<>`]{0,200}>|\.\w{1,40})?\s{0,9}\(?\s{0,9}`/i,
  /\/\*\s{0,9}GraphQL\s{0,9}\*\/\s{0,9}`/i,
  /`\s{0,9}#\s{0,9}graphql\b/i,
];

function embeddedDocuments(paths: readonly string[]): MopError {
  const more = paths.length > 1 ? ` (and ${paths.length - 1} more)` : '';
  const message = `${paths[0]}${more} contains GraphQL in code, which mop does not read`;
  return new MopError('usage', message, {
    hint: quoted`keep documents in files of their own, and name only those: ${'src/**/*.graphql'}`,
  });
}

async function pathsOf(given: string, io: Io): Promise<readonly string[]> {
  const stats = await stat(given).catch(() => undefined);
  const pattern = given.replaceAll(sep, '/');
  if (stats?.isDirectory()) {
    // The search of a whole file system would take minutes.
    const isRoot = dirname(resolve(given)) === resolve(given);
    const found = isRoot ? [] : await matches(['**/*'], given, io);
    const paths = found.filter((path) => GRAPHQL_FILE.test(path));
    if (paths.length === 0) throw noFiles(given);
    return paths.map((path) => join(given, path));
  }
  if (stats || !isDynamicPattern(pattern)) return [given];
  const paths = await matches([pattern], '.', io);
  if (paths.length === 0) throw noFiles(given);
  return paths;
}

/** The sorted paths of files that match patterns, also through symbolic links. */
async function matches(patterns: readonly string[], cwd: string, { signal }: Io) {
  if (patterns.length === 0) return [];
  const isLibrary = patterns.some((pattern) => pattern.includes('node_modules'));
  // Parentheses are a part of a name, such as `(group)`, unless they follow one of these signs.
  const escaped = patterns.map((each) => each.replace(/(?<![@!+*?])\(([^()|]*)\)/g, '\\($1\\)'));
  const ignore = isLibrary ? [] : ['**/node_modules/**'];
  const paths = await glob(escaped, { cwd, ignore, expandDirectories: false, signal, fs: LINKS });
  return paths.sort();
}

/** A link that leads nowhere counts as a file, so that it is reported when it is read. */
const LINKS = {
  realpath: ((path: string, done: (error: null, real: string) => void) =>
    fs.realpath(path, (error, real) => done(null, error ? path : real))) as typeof fs.realpath,
  stat: ((path: string, done: (error: Error | null, stats: fs.Stats) => void) =>
    fs.stat(path, (error, stats) =>
      error ? fs.lstat(path, done) : done(null, stats),
    )) as typeof fs.stat,
};

function noFiles(given: string): MopError {
  return new MopError('usage', `${given} contains or matches no GraphQL file`, {
    hint: quoted`name files, a directory with ${'*.graphql'} or ${'*.gql'} files, or a quoted pattern such as ${'src/**/*.graphql'}`,
  });
}
