import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Search } from '../../../signing/diagnosis/diagnose.ts';
import type { Context } from '../../context/context.ts';
import { openSpinner } from '../../context/spinner.ts';

/** In milliseconds; most searches end earlier. */
const PROGRESS_AFTER = 1000;

/** Runs a search in steps, so that Ctrl-C ends it; a terminal shows its progress after a second. */
export async function withProgress<Result>(
  search: Search<Result>,
  context: Context,
): Promise<Result> {
  const start = context.io.now();
  let spinner: Awaited<ReturnType<typeof openSpinner>>;
  try {
    for (;;) {
      context.io.signal.throwIfAborted();
      const { done, value } = search.next();
      if (done) return value;
      if (!spinner && context.io.now() - start > PROGRESS_AFTER) {
        spinner = (await openSpinner(context))?.start();
      }
      if (spinner) spinner.text = `${value.toLocaleString('en')} ways to sign tried`;
      await nextTurn();
    }
  } finally {
    spinner?.stop();
  }
}
