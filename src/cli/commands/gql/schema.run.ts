import { print } from 'graphql';
import { schemaIntrospection } from '../../../graphql/print-schema.ts';
import { loadSchema, originOf, printSchemaRequests } from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import type { EndpointOptions } from './gql-options.ts';

interface SchemaOptions extends EndpointOptions {
  readonly as?: 'sdl' | 'json';
  readonly assumeValidSchema?: boolean;
}

export async function run(
  source: string | undefined,
  { endpoint, header, as, assumeValidSchema: assumeValid }: SchemaOptions,
  context: Context,
): Promise<void> {
  const { output } = context;
  const taken = { from: originOf(source, context, endpoint), header, assumeValid };
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema, document } = await loadSchema(taken, context);
  if (as === 'json' || (output.json && as === undefined)) {
    return output.document(schemaIntrospection(schema));
  }
  const sdl = print(document);
  await (output.json ? output.document(sdl) : output.data(sdl));
}
