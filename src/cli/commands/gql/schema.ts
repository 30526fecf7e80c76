import { Option } from 'commander';
import type { Context } from '../../context/context.ts';
import { type Choose, type Command, optionsOf } from '../../frame/command.ts';
import { ASSUME_VALID, addEndpointOptions, type EndpointOptions } from './options.ts';

interface SchemaOptions extends EndpointOptions {
  readonly as?: 'sdl' | 'json';
  readonly assumeValidSchema?: boolean;
}

export function registerSchema(parent: Command, choose: Choose): void {
  const schema = parent
    .command('schema')
    .description('Ask an endpoint for its schema and print it.')
    .argument(
      '[file-or-url]',
      'the URL of an endpoint, or a file with a schema; gql_url by default',
    )
    .addOption(
      new Option('--as <form>', 'the language of schemas (default), or introspection JSON').choices(
        ['sdl', 'json'],
      ),
    )
    .option(...ASSUME_VALID);
  addEndpointOptions(schema)
    .explain({
      examples: [
        'mop gql schema --env sandbox',
        "mop gql schema https://api.example/graphql -H 'Authorization: Bearer TOKEN' > schema.graphql",
        'mop gql schema schema.graphql --as json',
      ],
      failures: ['config', 'api', 'network', 'graphql'],
    })
    .action((source: string | undefined, _: unknown, command: Command) =>
      choose(command, (context) => runSchema(source, optionsOf<SchemaOptions>(command), context)),
    );
}

async function runSchema(
  source: string | undefined,
  { endpoint, header, as, assumeValidSchema: assumeValid }: SchemaOptions,
  context: Context,
): Promise<void> {
  const { output } = context;
  const { loadSchema, originOf, printSchemaRequests } = await import(
    '../../clients/schema-source.ts'
  );
  const taken = { from: originOf(source, context, endpoint), header, assumeValid };
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema, document } = await loadSchema(taken, context);
  if (as === 'json' || (output.json && as === undefined)) {
    const { schemaIntrospection } = await import('../../../graphql/print-schema.ts');
    return output.document(schemaIntrospection(schema));
  }
  const { print } = await import('graphql');
  const sdl = print(document);
  await (output.json ? output.document(sdl) : output.data(sdl));
}
