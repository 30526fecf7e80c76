import { MopError } from '../../../errors.ts';
import type { GraphqlConnection } from '../../clients/open-graphql.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import type { Task } from './delivery.ts';
import type { GqlOptions } from './options.ts';

/**
 * Prints the request that a task begins with.
 *
 * @throws {MopError} `usage` for a WebSocket, which has no request to show.
 */
export async function printTask(
  { request, uploads, way }: Task,
  { client }: GraphqlConnection,
  { get }: GqlOptions,
  { output }: Context,
): Promise<void> {
  if (way === 'ws') {
    throw new MopError('usage', '--dry-run shows an HTTP request, and this is a WebSocket', {
      hint: 'try it with --transport sse',
    });
  }
  const shown = uploads
    ? client.formRequest(request, uploads)
    : client.httpRequest(request, { get, isStream: way === 'sse' });
  await printDryRun([shown], output);
}
