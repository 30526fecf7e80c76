import { type MopError, quoted } from '../../../errors.ts';
import { counted, grouped } from '../../../files/counts.ts';
import { CURSOR, type Page } from '../../../graphql/pages.ts';
import { printJson } from '../../../json/print.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
import { openSpinner } from '../../context/spinner.ts';
import type { GqlOptions } from './gql-options.ts';
import { withPrintedAmount } from './incomplete-output.ts';
import { printLine } from './print-result.ts';

/**
 * Prints a line for each page, up to the first that failed. Shows progress on a terminal.
 *
 * @param name The name of the document in messages.
 * @throws {MopError} `graphql` for a page with errors, unless they are allowed; the errors of the
 *   pages, with the cursor to continue from.
 */
export async function printPages(
  pages: AsyncIterable<Page>,
  name: string,
  options: GqlOptions,
  context: Context,
): Promise<void> {
  const spinner = await openSpinner(context);
  let [printed, items] = [0, 0];
  let cursor: JsonValue | undefined;
  let failure: MopError | undefined;
  try {
    spinner?.start(nextPage(1, 0));
    for await (const page of pages) {
      // The lines may go to the same terminal.
      spinner?.stop();
      failure = await printLine(page, name, options, context);
      if (failure) break;
      printed++;
      items += page.itemCount;
      cursor = page.nextCursor;
      if (cursor !== undefined) spinner?.start(nextPage(printed + 1, items));
    }
  } catch (error) {
    const resumeHint = cursor && continueHint(cursor);
    const detail = items > 0 ? counted(items, 'item') : undefined;
    throw withPrintedAmount(error, { count: printed, unit: 'page', detail, resumeHint });
  } finally {
    spinner?.stop();
  }
  if (failure) throw failure;
}

/** The option that continues at a cursor, with its JSON type. */
function continueHint(cursor: JsonValue): string {
  return cursor.kind === 'string'
    ? quoted`to continue, run it again with -f ${`${CURSOR}=${cursor.value}`}`
    : quoted`to continue, run it again with -F ${`${CURSOR}=${printJson(cursor)}`}`;
}

/** The text of the progress: the page that is requested, and the items on those before. */
function nextPage(number: number, items: number): string {
  const page = `page ${grouped(number)}`;
  return items > 0 ? `${page}, ${counted(items, 'item')} so far` : page;
}
