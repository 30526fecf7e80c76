import { MopError, own, quoted, words } from '../../../errors.ts';
import type { BillResult } from '../../../platform/bills/fetch-bills.ts';
import type { Context } from '../../context/context.ts';

/**
 * The error of a run over several bills that a signal or `--max-time` ended, with its progress and
 * the command that resumes it. Returns any other error unchanged.
 *
 * @param results The results so far.
 */
export function interruptedRun(
  error: unknown,
  results: readonly BillResult[],
  total: number,
  { io, argv, output }: Context,
): unknown {
  const isInterrupted = error instanceof MopError && error === io.signal.reason;
  if (!isInterrupted || total < 2) return error;
  const done = results.filter((result) => result.stored || result.status === 'no-bill').length;
  const failed = results.length - done;
  const command = words(['mop', ...argv]);
  const later = argv.some((word) => /^--last(?:=|$)/.test(word))
    ? '; on a later day, replace --last with --missing'
    : '';
  // A bill without a digest of the platform is downloaded again.
  const skipsFinished = results.every(({ stored }) => stored?.verified !== false);
  const again = `run it again${skipsFinished ? '; finished bills are not downloaded again' : ''}`;
  const removed =
    output.clean(command.own) === command.own
      ? ''
      : '; put back the secrets that were removed from it';
  return new MopError(
    error.code,
    `${error.message}: ${done} of ${total} bills done${failed > 0 ? `, ${failed} failed` : ''}`,
    { hint: quoted`${own(again + later + removed)}: ${command}` },
  );
}
