import { append } from '../../../any-length.ts';
import { isStopped, MopError, own, quoted } from '../../../errors.ts';
import { counted, grouped } from '../../../files/counts.ts';
import { CURSOR } from '../../../graphql/paged-field.ts';
import type { Page } from '../../../graphql/pages.ts';
import type { GraphqlResponse, ResponseError } from '../../../graphql/response.ts';
import { printJson } from '../../../json/print.ts';
import { type JsonValue, member } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
import { openSpinner } from '../../context/spinner.ts';
import type { Task } from './delivery.ts';
import type { GqlOptions } from './gql-options.ts';
import { printLine, printResult } from './print-result.ts';

/**
 * Prints a line for each result of a task, up to `--count` of them; pages up to the first that
 * failed. Shows the progress of pages on a terminal.
 */
export async function printLines(
  results: AsyncIterable<GraphqlResponse & Partial<Page>>,
  { request, unit }: Task,
  name: string,
  options: GqlOptions,
  context: Context,
): Promise<void> {
  const spinner = unit === 'page' ? await openSpinner(context) : undefined;
  let cursor = member(request.variables, CURSOR);
  let [count, items] = [0, 0];
  let failure: MopError | undefined;
  let first: GraphqlResponse | undefined;
  const errors: ResponseError[] = [];
  try {
    spinner?.start(nextPage(1, 0));
    for await (const result of results) {
      // The lines may go to the same terminal.
      spinner?.stop();
      first ??= result;
      if (unit === 'part') append(errors, result.errors);
      // The errors of parts are reported together.
      const line = unit === 'part' ? { ...result, errors: [] } : result;
      const failed = await printLine(line, name, options, context, failure);
      failure ??= failed;
      count++;
      items += result.itemCount ?? 0;
      if (failure && unit === 'page') throw failure;
      if (count === options.count) break;
      if (!result.nextCursor && result.otherPages) {
        context.output.warn(`--paginate follows one field; ${result.otherPages} has more pages`);
      }
      if (!result.nextCursor) continue;
      cursor = result.nextCursor;
      spinner?.start(nextPage(count + 1, items));
    }
  } catch (error) {
    const isAlone = count === 0 || (count === 1 && error === failure);
    const lines = counted(count, unit) + (items > 0 ? ` (${counted(items, 'item')})` : '');
    throw incomplete(error, isAlone ? undefined : lines, unit === 'page' ? cursor : undefined);
  } finally {
    spinner?.stop();
  }
  if (unit === 'part' && first) {
    await printResult({ ...first, errors }, name, options, context, true);
  }
  if (failure) throw failure;
}

/** The text of the progress: the page that is requested, and the items on those before. */
function nextPage(number: number, items: number): string {
  const page = `page ${grouped(number)}`;
  return items > 0 ? `${page}, ${counted(items, 'item')} so far` : page;
}

/** The option that continues at a cursor, with its JSON type. */
function continueHint(cursor: JsonValue | undefined): string | undefined {
  if (!cursor || cursor.kind === 'null') return undefined;
  const [option, value] =
    cursor.kind === 'string' ? ['-f', cursor.value] : ['-F', printJson(cursor)];
  return quoted`to continue, run it again with ${own(option)} ${`${CURSOR}=${value}`}`;
}

/** After a signal. */
const STOP_HINT = 'run it again: --count N ends a subscription after N results, with exit code 0';

/** Adds the amount of output before an error, and the hint to continue at a cursor. */
function incomplete(
  error: unknown,
  amount: string | undefined,
  cursor: JsonValue | undefined,
): unknown {
  if (!(error instanceof MopError)) return error;
  const end = amount === undefined ? '' : `; the output is incomplete: ${amount} printed`;
  const isPart = amount !== undefined && isStopped(error);
  const hint = continueHint(cursor) ?? error.details.hint ?? (isPart ? STOP_HINT : undefined);
  return new MopError(error.code, error.message + end, { ...error.details, hint });
}
