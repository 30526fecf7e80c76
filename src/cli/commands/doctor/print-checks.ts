import { MopError } from '../../../errors.ts';
import type { CheckState } from '../../../platform/doctor/finding.ts';
import type { Context } from '../../context/context.ts';
import { sharedFailure, withExample } from '../../context/failures.ts';
import type { Style } from '../../context/style.ts';
import { padded, wrapHard } from '../../context/table.ts';
import { visibleLine } from '../../context/visible-text.ts';
import { CHECKS, type Check } from './examine.ts';

const COLOURS = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  skipped: 'dim',
} as const satisfies Record<CheckState, keyof Style>;

const NAME_WIDTH = Math.max(...CHECKS.map((name) => name.length)) + 2;
const STATE_WIDTH = Math.max(...Object.keys(COLOURS).map((state) => state.length)) + 2;
const COLUMN = NAME_WIDTH + STATE_WIDTH;
/** In a narrower column, details are printed below their check. */
const MIN_DETAIL_WIDTH = 30;

/**
 * Prints each check on a line, with its next step below; nothing with `--quiet`. On a terminal,
 * details wrap within their column.
 */
export async function printChecks(
  checks: readonly Check[],
  stream: 'stdout' | 'stderr',
  { io, output }: Context,
): Promise<void> {
  if (output.quiet) return;
  const style = output.styles(stream);
  const { isTTY, columns } = io[stream];
  const room = isTTY ? columns || 80 : Number.POSITIVE_INFINITY;
  const isNarrow = room - COLUMN < MIN_DETAIL_WIDTH;
  const indent = ' '.repeat(isNarrow ? 2 : COLUMN);
  const wrap = output.translation?.wrap ?? wrapHard;
  const column = (text: string): string =>
    wrap(visibleLine(output.clean(text)), room - indent.length)
      .split('\n')
      .map((line) => indent + line)
      .join('\n');
  const lines = checks.flatMap(({ name, state, detail, fix }) => {
    const word = output.word(state);
    const heading = padded(name, NAME_WIDTH) + style[COLOURS[state]](word);
    const gap = padded(word, STATE_WIDTH).slice(word.length);
    const below = column(output.translated(detail));
    const shown = isNarrow ? [heading, below] : [heading + gap + below.trimStart()];
    if (!fix) return shown;
    const step = column(output.label('fix:', String) + output.translated(fix));
    return [...shown, step.replace(output.word('fix:'), style.green)];
  });
  if (stream === 'stdout') await output.data(lines.join('\n'));
  else output.line(lines.join('\n'));
}

/** The failure of the failed checks, with their common code or `mixed`; undefined if none failed. */
export function failureOf(checks: readonly Check[]): MopError | undefined {
  const failures = checks.flatMap(({ profile, name, error }) => {
    const place = profile === undefined ? name : `${profile}: ${name}`;
    return error ? [new MopError(error.code, `${place}: ${error.message}`, error.details)] : [];
  });
  if (failures.length === 1) return failures[0];
  const summary = `${failures.length} of ${checks.length} checks failed`;
  return sharedFailure(failures, ({ message }) => withExample(summary, failures.length, message));
}
