import type { MopError } from '../../../errors.ts';
import type { OperationKind } from '../../../graphql/request.ts';
import { describeError, type GraphqlResponse, responseError } from '../../../graphql/response.ts';
import { printJson } from '../../../json/print.ts';
import { type JsonValue, member } from '../../../json/value.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { printDocument } from '../../context/json-document.ts';
import type { GqlOptions, ResultOptions } from './gql-options.ts';
import { withPrintedAmount } from './incomplete-output.ts';

/** Results whose parts are printed. */
const printed = new WeakSet<GraphqlResponse>();

/** Marks a result that is printed: its errors remain to be reported. */
function asPrinted(result: GraphqlResponse): GraphqlResponse {
  printed.add(result);
  return result;
}

/**
 * Prints the result of an operation, and reports its errors.
 *
 * @param name The name of the document in messages.
 * @throws {MopError} `graphql` for a result with errors, unless they are allowed.
 */
export async function printResult(
  result: GraphqlResponse,
  name: string,
  options: ResultOptions,
  context: Context,
): Promise<void> {
  const shown = printed.has(result) ? undefined : shownOf(result, options);
  const failure = failureOf(result, name, options);
  const printing = shown ? printDocument(shown, context) : Promise.resolve();
  // The errors are reported after the result, even if standard output was closed.
  await printing.catch(() => {});
  // The failure itself reports a single error.
  if (result.errors.length > 1 || !failure) reportErrors(result, name, !failure, context);
  await printThenFail(printing, failure);
}

/**
 * Prints a line for each result, up to `--count` of them.
 *
 * @throws {MopError} `graphql` at the end when a result had errors, unless they are allowed.
 */
export async function printEach(
  results: AsyncIterable<GraphqlResponse>,
  name: string,
  options: GqlOptions,
  context: Context,
): Promise<void> {
  let count = 0;
  let failure: MopError | undefined;
  try {
    for await (const result of results) {
      const failed = await printLine(result, name, options, context, failure);
      failure ??= failed;
      count++;
      if (count === options.count) break;
    }
  } catch (error) {
    throw withPrintedAmount(error, { count, unit: 'result', stopHint: SUBSCRIPTION_HINT });
  }
  if (failure) throw failure;
}

const SUBSCRIPTION_HINT = '--count N ends a subscription after N results, with exit code 0';

/**
 * Prints a result in a line, and reports its errors.
 *
 * @param earlier A failure that was returned for an earlier result.
 * @returns The failure of the result, unless its errors are allowed. The first failure reports a
 *   single error itself.
 */
export async function printLine(
  result: GraphqlResponse,
  name: string,
  options: ResultOptions,
  context: Context,
  earlier?: MopError,
): Promise<MopError | undefined> {
  const shown = shownOf(result, options);
  if (shown) await context.output.jsonText(printJson(shown));
  const failure = failureOf(result, name, options);
  const isReportedLater = failure && !earlier && result.errors.length === 1;
  if (!isReportedLater) reportErrors(result, name, !failure, context);
  return failure;
}

/**
 * Prints a line for each part of a result, and then reports the errors of all.
 *
 * @throws {MopError} `graphql` when there are any, unless they are allowed.
 */
export async function printParts(
  parts: AsyncIterable<GraphqlResponse>,
  name: string,
  options: GqlOptions,
  context: Context,
  kind: OperationKind,
): Promise<void> {
  let whole: GraphqlResponse | undefined;
  let count = 0;
  try {
    for await (const part of parts) {
      await context.output.jsonText(printJson(part.json));
      count++;
      whole = whole ? { ...whole, errors: [...whole.errors, ...part.errors] } : part;
    }
  } catch (error) {
    // A mutation has a hint of its own: it may have been executed.
    const stopHint =
      kind === 'mutation' ? undefined : 'run it again: a stream of parts cannot be resumed';
    throw withPrintedAmount(error, { count, unit: 'part', stopHint });
  }
  if (whole) await printResult(asPrinted(whole), name, options, context);
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
  if (errors.length === 0 || (allowPartial && data !== undefined)) return undefined;
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
