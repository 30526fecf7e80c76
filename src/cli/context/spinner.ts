import type { Ora } from 'ora';
import { grouped } from '../../files/counts.ts';
import type { Context } from './context.ts';
import { isUtf8Locale } from './io.ts';

/** A spinner on standard error; undefined unless that is an interactive terminal. */
export async function openSpinner({ io, output, globals }: Context): Promise<Ora | undefined> {
  // A terminal without a size has no columns to draw in.
  const terminal = io.stderr.isTTY && io.stderr.columns !== 0 && io.env.TERM !== 'dumb';
  if (!terminal || output.quiet || output.json || globals.verbose) return undefined;
  const { default: ora } = await import('ora');
  const { level } = await output.styles('stderr');
  return ora({
    stream: io.stderr.stream as NodeJS.WriteStream,
    // Without this, ora disables the spinner if the variable CI is set.
    isEnabled: true,
    discardStdin: false,
    color: level > 0 ? 'cyan' : false,
    spinner: isUtf8Locale(io.env) ? 'dots' : 'line',
  });
}

/** Shows the progress of `total` items on a terminal; elsewhere shows nothing. */
export async function countProgress(
  context: Context,
  total: number,
  noun: 'bills' | 'files',
): Promise<{ readonly onOne: () => void; readonly end: () => void }> {
  const spinner = await openSpinner(context);
  let done = 0;
  const refresh = (): void => {
    if (spinner) spinner.text = `checking ${total} ${noun}: ${done} done`;
  };
  refresh();
  spinner?.start();
  return {
    onOne: () => {
      done++;
      refresh();
    },
    end: () => spinner?.stop(),
  };
}

/** Shows the number of rows read on a terminal; elsewhere shows nothing. */
export async function rowProgress(
  context: Context,
): Promise<{ readonly onRows: (rows: number) => void; readonly end: () => void }> {
  const spinner = await openSpinner(context);
  spinner?.start('reading');
  return {
    onRows: (rows) => {
      if (spinner) spinner.text = `${grouped(rows)} rows read`;
    },
    end: () => spinner?.stop(),
  };
}
