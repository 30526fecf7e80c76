import { MopError } from '../../../errors.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { isStdin } from '../../context/input.ts';
import type { Call } from '../../frame/command.ts';
import { detectMany } from './detect-many.ts';
import { detectOne } from './detect-one.ts';
import type { DetectOptions, Input } from './detect-options.ts';

export async function run({
  args: [text],
  options,
  context,
}: Call<DetectOptions, [string | undefined]>): Promise<void> {
  const input = inputOf(text, options);
  checkReports(options);
  if (input.arrangement === 'whole') {
    return detectOne(input.given, options, context);
  }
  if (context.globals.dryRun) {
    throw new MopError('usage', '--dry-run shows one request, and here are many', {
      hint: 'try it with one text: mop detect TEXT --dry-run',
    });
  }
  return detectMany(input, options, context);
}

/** @throws {MopError} `usage` unless texts come in one way, with the options that belong to it. */
function inputOf(
  text: string | undefined,
  { batch, lines, field, concurrency }: DetectOptions,
): Input {
  const isOne = batch === undefined && !lines;
  const hasRecords = batch !== undefined && !lines;
  assertNoConflict([
    [text !== undefined && batch !== undefined, 'the text comes as TEXT or with --batch, not both'],
    [field !== undefined && !hasRecords, '--field belongs to --batch with JSON lines', LEAVE_OUT],
    [concurrency !== undefined && isOne, '--concurrency belongs to --batch and --lines', LEAVE_OUT],
  ]);
  // As TEXT, a file has an @ in front; the @ of a batch file is part of its name.
  if (batch !== undefined) {
    return { arrangement: lines ? 'lines' : 'records', given: batch === '-' ? '-' : `@${batch}` };
  }
  if (text !== undefined) return { arrangement: lines ? 'lines' : 'whole', given: text };
  throw new MopError('usage', 'nothing to check', {
    hint: 'give a text, @FILE, - for stdin, or --batch FILE',
  });
}

const LEAVE_OUT = 'leave it out';

/** @throws {MopError} `usage` */
function checkReports({ junit, sarif, includeText }: DetectOptions): void {
  const files = [junit, sarif].filter((file) => file !== undefined);
  const misplaced = files.find((file) => isStdin(file) || /^$|[/\\]$/.test(file));
  assertNoConflict([
    [
      misplaced !== undefined,
      `a report goes to a file, not to ${JSON.stringify(misplaced)}`,
      'name a file: standard output has the results',
    ],
    [
      includeText && files.length === 0,
      '--include-text belongs to --junit and --sarif',
      'leave it out: standard output has the texts anyway',
    ],
  ]);
}
