import { MopError } from '../../../errors.ts';
import { RESPONSE_LIMIT } from '../../../graphql/client.ts';
import { asResponse, type GraphqlResponse } from '../../../graphql/response.ts';
import type { HttpRequest } from '../../../http/request.ts';
import { type HttpResponse, unexpectedBody } from '../../../http/response.ts';
import type { Reading } from '../../../http/transport.ts';
import { object } from '../../../json/build.ts';
import type { JsonValue } from '../../../json/value.ts';
import {
  givenLimit,
  heldLimit,
  printLargeAnswer,
  printsLarger,
} from '../../clients/large-answer.ts';
import type { Context } from '../../context/context.ts';
import type { GqlOptions } from './gql-options.ts';

/**
 * How the responses to an operation are read. One of more than 64 MiB is printed as it arrives, so
 * that its result has the errors alone. Pages and parts are held in memory; with `--stream` only
 * `--max-response` limits them all together.
 */
export function readingOf(options: GqlOptions, context: Context): Reading<GraphqlResponse> {
  if (options.stream) return { limit: givenLimit(options) };
  const isPrinted = printsLarger(options, RESPONSE_LIMIT) && !options.paginate;
  return {
    limit: heldLimit(options, RESPONSE_LIMIT),
    readLarger: isPrinted
      ? (response, request) => printLargeResult(response, request, options, context)
      : undefined,
  };
}

async function printLargeResult(
  response: HttpResponse,
  request: HttpRequest,
  { raw = false, maxResponse }: GqlOptions,
  { output }: Context,
): Promise<GraphqlResponse> {
  const noResponse = () =>
    new MopError('api', unexpectedBody(response, request, 'is no GraphQL response'), {
      hint: '--verbose shows the exchange',
    });
  // The first of several counts, as in a smaller response.
  let data: JsonValue | undefined;
  const prints = (name: string, start: string): boolean => {
    if (name !== 'data' || data) return !raw;
    if (start !== '{' && start !== 'n') throw noResponse();
    data = start === '{' ? object({}) : { kind: 'null' };
    return true;
  };
  const answer = { isWhole: !raw, prints, keeps: ['errors'], maxResponse };
  const { members } = await printLargeAnswer(response, request, answer, output);
  const json = object({ ...(data && { data }) });
  const result = asResponse({ ...json, members: [...json.members, ...members] });
  if (result) return { ...result, isPassedOn: true };
  throw noResponse();
}
