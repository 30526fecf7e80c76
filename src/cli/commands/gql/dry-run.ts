import { MopError } from '../../../errors.ts';
import { uploadForm } from '../../../graphql/upload.ts';
import type { Context } from '../../context.ts';
import { printDryRun } from '../../dry-run.ts';
import type { GraphqlConnection } from '../../graphql.ts';
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
  const http =
    way === 'sse' ? client.streamRequest(request, { get }) : client.httpRequest(request, { get });
  if (uploads.length === 0) return printDryRun([http], output);
  const { body: _, ...bare } = http;
  // The type of a form has a boundary, which whoever sends it makes.
  const headers = http.headers.filter(([name]) => name !== 'Content-Type');
  await printDryRun([{ ...bare, headers, form: uploadForm(request, uploads) }], output);
}
