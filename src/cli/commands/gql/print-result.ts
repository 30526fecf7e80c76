import type { MopError } from '../../../errors.ts';
import {
  describeError,
  type GraphqlResponse,
  hasNext,
  responseError,
} from '../../../graphql/response.ts';
import { printJson } from '../../../json/print.ts';
import { type JsonValue, member } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { printDocument } from '../../context/json-document.ts';
import type { ResultOptions } from './gql-options.ts';

/** Prints the result of an operation, and reports its errors. */
export async function printResult(
  result: GraphqlResponse,
  name: string,
  options: ResultOptions,
  context: Context,
  isPrinted = false,
): Promise<void> {
  const shown = isPrinted ? undefined : shownOf(result, options);
  context.output.keep(result.errors.map(({ message }) => message));
  const failure = failureOf(result, name, options);
  const printing = shown ? printDocument(shown, context) : Promise.resolve();
  // The errors are reported after the result, even if standard output was closed.
  await printing.catch(() => {});
  // The failure itself reports a single error.
  if (result.errors.length > 1 || !failure) reportErrors(result, name, !failure, context);
  await printThenFail(printing, failure);
}

/** Prints a result in a line, and reports its errors. */
export async function printLine(
  result: GraphqlResponse,
  name: string,
  options: ResultOptions,
  context: Context,
  earlier?: MopError,
): Promise<MopError | undefined> {
  const shown = shownOf(result, options);
  if (shown) await context.output.jsonText(printJson(shown));
  context.output.keep(result.errors.map(({ message }) => message));
  const failure = failureOf(result, name, options);
  const isReportedLater = failure && !earlier && result.errors.length === 1;
  if (!isReportedLater) reportErrors(result, name, !failure, context);
  return failure;
}

function shownOf({ json }: GraphqlResponse, { raw }: ResultOptions): JsonValue | undefined {
  return raw ? member(json, 'data') : json;
}

/** The failure of a result, unless its errors are allowed. */
function failureOf(
  response: GraphqlResponse,
  name: string,
  { allowPartial }: ResultOptions,
): MopError | undefined {
  const { errors, data } = response;
  // Only a part may come without data.
  const isSuccess = errors.length === 0 && (data ?? hasNext(response)) !== undefined;
  if (isSuccess || (allowPartial && data !== undefined)) return undefined;
  return responseError(response, name);
}

function reportErrors(
  { errors }: GraphqlResponse,
  name: string,
  areAllowed: boolean,
  { output }: Context,
): void {
  for (const error of errors) {
    const line = describeError(error, name);
    if (areAllowed) output.warn(line);
    else if (!output.json) output.failure(line);
  }
}
