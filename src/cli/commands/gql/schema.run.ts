import { print } from 'graphql';
import { schemaIntrospection } from '../../../graphql/introspected-schema.ts';
import { loadSchema, printSchemaRequests, schemaOriginsOf } from '../../clients/schema-source.ts';
import type { Call } from '../../frame/command.ts';
import type { GqlOptions } from './gql-options.ts';

type SchemaCommandOptions = Pick<GqlOptions, 'endpoint' | 'header' | 'assumeValidSchema'> & {
  readonly as?: 'sdl' | 'json';
};

export async function run({
  args: [source],
  options: { as, ...options },
  context,
}: Call<SchemaCommandOptions, [string | undefined]>): Promise<void> {
  const { output } = context;
  const sources = source === undefined ? undefined : [source];
  const from = schemaOriginsOf(sources, context, options.endpoint, 'FILE-OR-URL');
  const taken = { ...options, from };
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema, document } = await loadSchema(taken, context);
  if (as === 'json' || (output.json && as === undefined)) {
    return output.document(schemaIntrospection(schema));
  }
  const sdl = print(document);
  await output.result(sdl, sdl);
}
