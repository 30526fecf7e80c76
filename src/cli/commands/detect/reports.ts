import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Examined, Report } from '../../../detection/report.ts';
import { MopError } from '../../../errors.ts';
import { PartFile } from '../../../part-file.ts';
import { isStdin } from '../../input.ts';
import type { DetectOptions, Input } from './index.ts';

/** The reports that were asked for. Discard them when done, placed or not. */
export interface Reports {
  add(examined: Examined): void;
  /** Puts them where they belong, each in one step. */
  place(): Promise<void>;
  discard(): Promise<void>;
}

interface ReportFile {
  readonly path: string;
  readonly part: PartFile;
  readonly report: Report;
}

/**
 * Opens the files of `--junit` and `--sarif`, so that it is known at once whether they can be
 * written.
 *
 * @throws {MopError} `io`
 */
export async function openReports(input: Input, options: DetectOptions): Promise<Reports> {
  const files: ReportFile[] = [];
  const discard = async (): Promise<void> => {
    await Promise.all(files.map(({ part }) => part.discard()));
  };
  try {
    for (const [path, report] of await reportsOf(input, options)) {
      await checkTarget(path);
      files.push({ path, report, part: await PartFile.open(dirname(path), 0o644) });
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    add: (examined) => {
      for (const { report } of files) report.add(examined);
    },
    place: async () => {
      for (const { path, part, report } of files) {
        await part.write(Buffer.from(report.content()));
        await part.place(path);
      }
    },
    discard,
  };
}

async function reportsOf(
  { given, arrangement }: Input,
  { junit, sarif, failOn, failScore, includeText = false }: DetectOptions,
): Promise<[path: string, report: Report][]> {
  const gate = { failOn, failScore };
  const options = { source: sourceOf(given), arrangement, gate, includeText };
  const reports: [string, Report][] = [];
  if (junit !== undefined) {
    const { JunitReport } = await import('../../../detection/junit.ts');
    reports.push([junit, new JunitReport(options)]);
  }
  if (sarif !== undefined) {
    const { SarifReport } = await import('../../../detection/sarif.ts');
    reports.push([sarif, new SarifReport(options)]);
  }
  return reports;
}

/** @throws {MopError} `io` for what a file cannot replace, such as a directory or a device. */
async function checkTarget(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats || stats.isFile()) return;
  throw new MopError('io', `cannot write ${path}: it is no regular file`, {
    hint: 'choose another name',
  });
}

/** Where texts come from, as a report names it: an address relative to the working directory. */
function sourceOf(given: string): string {
  if (isStdin(given)) return 'stdin';
  if (!given.startsWith('@')) return 'argument';
  const path = relative(resolve(), resolve(given.slice(1)));
  // On Windows there is no way from one drive to another.
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path
    .split(sep)
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}
