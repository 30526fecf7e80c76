import { MopError } from '../../../errors.ts';
import {
  asResponse,
  type GraphqlResponse,
  hasNext,
  RESPONSE_LIMIT,
} from '../../../graphql/response.ts';
import type { HttpRequest } from '../../../http/request.ts';
import { type HttpResponse, unexpectedBody } from '../../../http/response.ts';
import type { ReadOptions } from '../../../http/transport.ts';
import { object } from '../../../json/build.ts';
import { type JsonValue, member } from '../../../json/value.ts';
import { givenLimit, printLargeAnswer } from '../../clients/large-answer.ts';
import type { Context } from '../../context/context.ts';
import type { GqlOptions } from './gql-options.ts';
import { asPrinted } from './print-result.ts';

/** Held in memory, JSON takes up to fifty times its size, and signals wait for its parser. */
const HELD_BYTES = 4 * 1024 ** 2;

/**
 * How the responses to an operation are read. One of more than 4 MiB is printed as it arrives; the
 * result that is returned contains only its errors. Pages and parts are held in memory; with
 * `--stream` only `--max-response` limits them all together.
 */
export function readingOf(options: GqlOptions, context: Context): ReadOptions<GraphqlResponse> {
  if (options.paginate) return { limit: givenLimit(options, RESPONSE_LIMIT) };
  const limit = givenLimit(options);
  if (options.stream) return { limit };
  return {
    limit,
    streamed: {
      over: HELD_BYTES,
      read: (response, request) => printLargeResult(response, request, options, context),
    },
  };
}

async function printLargeResult(
  response: HttpResponse,
  request: HttpRequest,
  { raw = false }: GqlOptions,
  { output }: Context,
): Promise<GraphqlResponse> {
  const noResponse = () =>
    new MopError('api', unexpectedBody(response, request, 'is not a GraphQL response'), {
      hint: '--verbose shows the exchange',
    });
  // Only the first of several `data` members counts, as in a smaller response.
  let data: JsonValue | undefined;
  const prints = (name: string, start: string): boolean => {
    if (name !== 'data' || data) return !raw;
    if (start !== '{' && start !== 'n') throw noResponse();
    data = start === '{' ? object({}) : { kind: 'null' };
    return true;
  };
  const answer = { isWhole: !raw, prints, keeps: ['errors', 'hasNext'] };
  const kept = await printLargeAnswer(response, request, answer, output);
  const errors = member(kept, 'errors');
  const next = hasNext({ json: kept }) ? member(kept, 'hasNext') : undefined;
  const result = asResponse(
    object({ ...(data && { data }), ...(errors && { errors }), ...(next && { hasNext: next }) }),
  );
  if (result) return asPrinted(result);
  throw noResponse();
}
