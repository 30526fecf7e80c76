import type { Ora } from 'ora';
import { grouped } from '../../files/counts.ts';
import type { Context } from './context.ts';
import { isUtf8Locale } from './io.ts';
import type { Output } from './output.ts';
import { terminalText } from './terminal.ts';

/** A spinner on standard error. Control characters in its texts are printed visibly. */
export class Spinner {
  readonly #ora: Ora;
  readonly #output: Output;

  constructor(ora: Ora, output: Output) {
    this.#ora = ora;
    this.#output = output;
  }

  set text(text: string) {
    this.#ora.text = terminalText(this.#output.translated(text));
  }

  /** Called for each frame: the text after {@link text}. */
  set suffix(suffix: () => string) {
    this.#ora.suffixText = () => terminalText(suffix());
  }

  start(text?: string): void {
    if (text !== undefined) this.text = text;
    this.#ora.start();
  }

  render(): void {
    this.#ora.render();
  }

  stop(): void {
    this.#ora.stop();
  }
}

/** A spinner; undefined unless standard error is an interactive terminal. */
export async function openSpinner({ io, output, globals }: Context): Promise<Spinner | undefined> {
  // A terminal without a size has no columns to draw in.
  const terminal = io.stderr.isTTY && io.stderr.columns !== 0 && io.env.TERM !== 'dumb';
  if (!terminal || output.quiet || output.json || globals.verbose) return undefined;
  const { default: ora } = await import('ora');
  const spinner = ora({
    stream: io.stderr.stream as NodeJS.WriteStream,
    // Without this, ora disables the spinner if the variable CI is set.
    isEnabled: true,
    discardStdin: false,
    color: output.coloured('stderr') ? 'cyan' : false,
    spinner: isUtf8Locale(io.env) ? 'dots' : 'line',
  });
  return new Spinner(spinner, output);
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
