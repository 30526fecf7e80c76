import type { GraphQLSchema } from 'graphql';
import { assertValid } from '../../../graphql/rules.ts';
import type { Endpoint } from '../../clients/open-graphql.ts';
import {
  documentHint,
  isEndpoint,
  loadSchema,
  schemaOriginsOf,
} from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import type { GqlOptions } from './gql-options.ts';
import type { SelectedOperation } from './read-operation.ts';

/**
 * The schema of `--schema`, with which the document has been checked. With `--dry-run`, a schema is
 * not fetched, and the result is undefined.
 *
 * @throws {MopError} `graphql` for a document that is invalid; the errors of loading a schema.
 */
export async function checkedSchema(
  { document, name }: SelectedOperation,
  endpoint: Endpoint,
  { schema: source, ...options }: GqlOptions,
  context: Context,
): Promise<GraphQLSchema | undefined> {
  const from = schemaOriginsOf(source, context);
  const endpoints = from.filter(isEndpoint);
  if (context.globals.dryRun && endpoints.length > 0) return undefined;
  const hosts = [...endpoints, endpoint].map(
    (each) => 'address' in each && new URL(each.address).host,
  );
  // Never send a credential of the endpoint to another host.
  const header = new Set(hosts).size === 1 ? options.header : [];
  const { schema } = await loadSchema({ ...options, from, header, isCached: true }, context);
  assertValid(document, schema, name, documentHint(from));
  return schema;
}
