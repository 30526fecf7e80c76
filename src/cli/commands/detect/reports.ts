import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { JunitReport } from '../../../detection/junit.ts';
import type { Examined, Report } from '../../../detection/report.ts';
import { SarifReport } from '../../../detection/sarif.ts';
import { MopError } from '../../../errors.ts';
import { AtomicFile } from '../../../files/atomic-file.ts';
import { fileError } from '../../../files/file-error.ts';
import { isStdin } from '../../context/input.ts';
import type { DetectOptions, Input } from './detect-options.ts';

/** The requested reports. */
interface Reports {
  add(examined: Examined): void;
  /** Moves each report to its path atomically. */
  place(): Promise<void>;
}

interface ReportFile {
  readonly path: string;
  readonly part: AtomicFile;
  readonly report: Report;
}

/**
 * Runs `use` with the reports of `--junit` and `--sarif`. Opens their files first: a path that
 * cannot be written fails at once.
 */
export async function withReports<T>(
  input: Input,
  options: DetectOptions,
  use: (reports: Reports) => Promise<T>,
): Promise<T> {
  const files: ReportFile[] = [];
  try {
    const taken = [await inputPath(input.given)];
    for (const [given, report] of reportsOf(input, options)) {
      const { path, mode } = await targetOf(given);
      if (taken.includes(path)) {
        const other = path === taken[0] ? 'the input' : 'the other report';
        throw new MopError('usage', `the report ${given} would overwrite ${other}`, {
          hint: 'choose another file',
        });
      }
      taken.push(path);
      files.push({ path, report, part: await AtomicFile.open(dirname(path), mode) });
    }
    return await use({
      add: (examined) => {
        for (const { report } of files) report.add(examined);
      },
      place: async () => {
        for (const { path, part, report } of files) {
          for (const chunk of chunksOf(report.content())) await part.write(chunk);
          await part.place(path);
        }
      },
    });
  } finally {
    await Promise.all(files.map(({ part }) => part.discard()));
  }
}

function reportsOf(
  { given, inputForm }: Input,
  { junit, sarif, levels, failOn, failScore, includeText = false }: DetectOptions,
): [path: string, report: Report][] {
  const gate = { levels, failOn, failScore };
  const options = { source: sourceOf(given), inputForm, gate, includeText };
  const reports: [string, Report][] = [];
  if (junit !== undefined) reports.push([junit, new JunitReport(options)]);
  if (sarif !== undefined) reports.push([sarif, new SarifReport(options)]);
  return reports;
}

const CHUNK_LENGTH = 65_536;

function* chunksOf(pieces: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** The path of the input file; undefined for other input. */
async function inputPath(given: string): Promise<string | undefined> {
  return given.startsWith('@') ? realpath(given.slice(1)).catch(() => undefined) : undefined;
}

/**
 * The path of a report without symbolic links, and the permissions of the file that it replaces.
 */
async function targetOf(given: string) {
  const stats = await stat(given).catch(() => undefined);
  if (stats && !stats.isFile()) {
    throw new MopError('io', `cannot write ${given}: it is not a regular file`, {
      hint: 'choose another name',
    });
  }
  try {
    return { path: await resolveLinks(given), mode: stats && stats.mode & 0o777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw fileError(error, `cannot write ${given}`);
    }
    throw new MopError('io', `cannot write ${given}: its directory does not exist`, {
      hint: 'create it, or choose another path',
    });
  }
}

/** The target of symbolic links, which may not exist yet. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const directory = await realpath(dirname(path));
  const name = join(directory, basename(path));
  const link = await readlink(name).catch(() => undefined);
  return link === undefined ? name : resolveLinks(resolve(directory, link));
}

/** The source of the texts in a report: a URL relative to the working directory. */
function sourceOf(given: string): string {
  if (isStdin(given)) return 'stdin';
  if (!given.startsWith('@')) return 'argument';
  const path = relative(resolve(), resolve(given.slice(1)));
  // On Windows, no relative path leads to another drive.
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path
    .split(sep)
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}
