import { type Levels, levelsFault, parseLevels } from '../../../detection/levels.ts';
import { MopError } from '../../../errors.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { settingsOf } from '../../context/context.ts';
import { isStdin } from '../../context/input.ts';
import type { Settings } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { detectMany } from './detect-many.ts';
import { detectOne } from './detect-one.ts';
import type { DetectOptions, Input } from './detect-options.ts';

/** The options as commander reads them. */
type GivenOptions = Omit<DetectOptions, 'levels'> & { readonly levels?: string };

export async function run({
  args: [text],
  options: given,
  context,
}: Call<GivenOptions, [string | undefined]>): Promise<void> {
  const input = inputOf(text, given);
  checkReports(given);
  const settings = settingsOf(context);
  const options = { ...given, levels: levelsOf(given, settings) };
  if (input.inputForm === 'whole' || input.inputForm === 'document') {
    return detectOne(input, options, settings, context);
  }
  if (context.globals.dryRun) {
    throw new MopError(
      'usage',
      '--dry-run shows one request, and --batch and --lines send several',
      {
        hint: 'try it with one text: mop detect TEXT --dry-run',
      },
    );
  }
  return detectMany(input, options, settings, context);
}

/** @throws {MopError} `usage` unless one source of texts is given, with options that apply to it. */
function inputOf(
  text: string | undefined,
  { batch, lines, field, concurrency, keepGoing }: GivenOptions,
): Input {
  const isOne = batch === undefined && !lines;
  assertNoConflict([
    [text !== undefined && batch !== undefined, 'the text comes as TEXT or with --batch, not both'],
    [field !== undefined && lines, '--field selects a text in JSON, and --lines reads plain text'],
    [concurrency !== undefined && isOne, '--concurrency belongs to --batch and --lines', LEAVE_OUT],
    [keepGoing && isOne, '--keep-going belongs to --batch and --lines', LEAVE_OUT],
  ]);
  // TEXT needs an @ before a file name; in --batch, an @ is part of the file name.
  if (batch !== undefined) {
    return { inputForm: lines ? 'lines' : 'records', given: batch === '-' ? '-' : `@${batch}` };
  }
  const inputForm = lines ? 'lines' : field === undefined ? 'whole' : 'document';
  if (text !== undefined) return { inputForm, given: text };
  throw new MopError('usage', 'nothing to check', {
    hint: 'give a text, @FILE, - for stdin, or --batch FILE',
  });
}

const LEAVE_OUT = 'leave it out';

/** The order of the levels: the option, or else the setting. */
function levelsOf({ levels: given, failOn }: GivenOptions, settings: Settings): Levels {
  const fault = given === undefined ? undefined : levelsFault(given);
  if (fault !== undefined) {
    throw new MopError('usage', `--levels ${JSON.stringify(given)} is not an order: ${fault}`, {
      hint: "write each level once, the lowest first, in quotes: --levels 'safe<low<high'",
    });
  }
  const levels = parseLevels(given ?? settings.get('detect_levels'));
  if (failOn === undefined || levels.find(failOn) !== undefined) return levels;
  throw new MopError('usage', `--fail-on ${JSON.stringify(failOn)} is not one of ${levels}`, {
    hint: "choose one of them, or give the levels of the service: --levels 'safe<low<high'",
    unknown: { word: failOn, names: levels.names },
  });
}

/** @throws {MopError} `usage` */
function checkReports({ junit, sarif, includeText }: GivenOptions): void {
  const files = [junit, sarif].filter((file) => file !== undefined);
  const misplaced = files.find((file) => isStdin(file) || /^$|[/\\]$/.test(file));
  assertNoConflict([
    [
      misplaced !== undefined,
      `a report goes to a file, not to ${JSON.stringify(misplaced)}`,
      'give a file name: the results go to standard output',
    ],
    [
      includeText && files.length === 0,
      '--include-text belongs to --junit and --sarif',
      'leave it out: standard output has the texts anyway',
    ],
  ]);
}
