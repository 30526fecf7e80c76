import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Search } from '../../../signing/diagnosis/diagnose.ts';
import type { Context } from '../../context/context.ts';
import { openSpinner } from '../../context/spinner.ts';

/** Most searches end earlier. */
const PROGRESS_AFTER_MS = 1000;

/** Runs a search in steps, which Ctrl-C can interrupt. A terminal shows progress after a second. */
export async function withProgress<Result>(
  search: Search<Result>,
  context: Context,
): Promise<Result> {
  const start = context.io.now();
  let spinner: Awaited<ReturnType<typeof openSpinner>>;
  try {
    for (;;) {
      await nextTurn();
      context.io.signal.throwIfAborted();
      const { done, value } = search.next();
      if (done) return value;
      const isShown = spinner !== undefined;
      if (!isShown && context.io.now() - start > PROGRESS_AFTER_MS)
        spinner = await openSpinner(context);
      if (spinner) spinner.text = `${value.toLocaleString('en')} ways to sign tried`;
      // The first frame must have a text: the search may end before the next one.
      if (!isShown) spinner?.start();
    }
  } finally {
    spinner?.stop();
  }
}
