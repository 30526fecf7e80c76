import { InvalidArgumentError, Option } from 'commander';
import { MopError } from '../../../errors.ts';
import { LEVELS } from '../../../protocol/detection.ts';
import type { Context } from '../../context/context.ts';
import { isStdin } from '../../context/input.ts';
import { type Choose, type Command, collect, inFlight, nonNegative } from '../../frame/command.ts';
import type { DetectOptions, Input } from './options.ts';

export function register(detect: Command, choose: Choose): void {
  detect
    .argument('[text]', 'the text, @FILE, or - for stdin')
    .optionsGroup('Several texts:')
    .option('--batch <file>', 'check the text in each JSON line of a file, or of stdin (-)')
    .option('--field <name>', 'where the text stands in a JSON line (text)')
    .option('--lines', 'check each line by itself')
    .option('--concurrency <n>', 'texts in flight (8)', inFlight)
    .optionsGroup('Gates and reports:')
    .addOption(new Option('--fail-on <level>', 'exit with 10 from this level on').choices(LEVELS))
    .option('--fail-score <n>', 'exit with 10 from this score on (0 to 100)', score)
    .option('--junit <file>', 'write a JUnit report as well')
    .option('--sarif <file>', 'write a SARIF report as well')
    .option('--include-text', 'quote the texts in the reports')
    .optionsGroup('Options:')
    .option('--rewrite', 'print the safer rewrite alone')
    .option('-H, --header <line>', "send 'Name: value' along, repeatable", collect)
    .explain({
      notes: `
        Levels: ${LEVELS.join(' < ')}. The overall risk decides, but a rule that is graver stops a
        text too, and so does a level that is not known. Without a gate, a text is failed in the
        JUnit report from high on. Several texts give a JSON line each, in their order; one that
        fails gives {"error":{…}}.`,
      examples: [
        'mop detect "You only need me." --env sandbox',
        'mop detect @reply.txt --fail-on high',
        'mop detect - --lines --fail-score 50 --junit report.xml < replies.txt',
        'mop detect --batch replies.jsonl --field answer --sarif report.sarif > results.jsonl',
      ],
      failures: ['config', 'auth', 'api', 'network', 'risk', 'mixed'],
    })
    .action((text: string | undefined, options: DetectOptions, command: Command) =>
      choose(command, (context) => runDetect(text, options, context)),
    );
}

async function runDetect(
  text: string | undefined,
  options: DetectOptions,
  context: Context,
): Promise<void> {
  const input = inputOf(text, options);
  checkReports(options);
  if (input.arrangement === 'whole') {
    const { detectOne } = await import('./one.ts');
    return detectOne(input.given, options, context);
  }
  if (context.globals.dryRun) {
    throw new MopError('usage', '--dry-run shows one request, and here are many', {
      hint: 'try it with one text: mop detect TEXT --dry-run',
    });
  }
  const { detectMany } = await import('./many.ts');
  return detectMany(input, options, context);
}

/** @throws {MopError} `usage` unless texts come in one way, with the options that belong to it. */
function inputOf(
  text: string | undefined,
  { batch, lines, field, concurrency }: DetectOptions,
): Input {
  const misplaced = (what: string, hint: string) => new MopError('usage', what, { hint });
  if (text !== undefined && batch !== undefined) {
    throw misplaced('the text comes as TEXT or with --batch, not both', 'leave out one of the two');
  }
  if (field !== undefined && (batch === undefined || lines)) {
    throw misplaced('--field belongs to --batch with JSON lines', 'leave it out');
  }
  if (concurrency !== undefined && batch === undefined && !lines) {
    throw misplaced('--concurrency belongs to --batch and --lines', 'leave it out');
  }
  // As TEXT, a file has an @ in front; the @ of a batch file is part of its name.
  if (batch !== undefined) {
    return { arrangement: lines ? 'lines' : 'records', given: batch === '-' ? '-' : `@${batch}` };
  }
  if (text !== undefined) return { arrangement: lines ? 'lines' : 'whole', given: text };
  throw misplaced('nothing to check', 'give a text, @FILE, - for stdin, or --batch FILE');
}

/** @throws {MopError} `usage` */
function checkReports({ junit, sarif, includeText }: DetectOptions): void {
  const files = [junit, sarif].filter((file) => file !== undefined);
  const misplaced = files.find((file) => isStdin(file) || /^$|[/\\]$/.test(file));
  if (misplaced !== undefined) {
    throw new MopError('usage', `a report goes to a file, not to ${JSON.stringify(misplaced)}`, {
      hint: 'name a file: standard output has the results',
    });
  }
  if (includeText && files.length === 0) {
    throw new MopError('usage', '--include-text belongs to --junit and --sarif', {
      hint: 'leave it out: standard output has the texts anyway',
    });
  }
}

/** @throws {InvalidArgumentError} unless `text` is a number from 0 to 100. */
function score(text: string): number {
  const value = nonNegative(text);
  if (value <= 100) return value;
  throw new InvalidArgumentError('It must be at most 100.');
}
