import { Option } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, count } from '../../frame/option-values.ts';
import { addFieldOptions, MAX_RESPONSE } from '../request-options.ts';
import { gqlDiff } from './diff.ts';
import {
  ASSUME_VALID,
  addEndpointOptions,
  addOperationOptions,
  addResultOptions,
  SCHEMA_FLAG,
  SCHEMA_HELP,
} from './gql-options.ts';
import { gqlHelp } from './help.ts';
import { gqlRun } from './run.ts';
import { gqlSchema } from './schema.ts';
import { gqlValidate } from './validate.ts';

const UPLOAD_HELP =
  'send a file as the value of a variable, repeatable; append ;type=TYPE for its media type';

export const gql: CommandDeclaration = {
  name: 'gql',
  description: 'Run, check and explore GraphQL operations.',
  declare: (command) => {
    command.argument('[document]', 'the operations: the text, @FILE, or - for stdin');
    addOperationOptions(
      addFieldOptions(command, 'variable', UPLOAD_HELP).optionsGroup('Operation:'),
    )
      .option(SCHEMA_FLAG, `first validate against a schema: ${SCHEMA_HELP}`, collect)
      .option('--refresh', 'fetch the schema of a URL again; it is cached for an hour')
      .option(...ASSUME_VALID);
    addEndpointOptions(command)
      .option('--get', 'send a GET request, which caches can answer; not for mutations')
      .option('--paginate', 'repeat the query for each page, with $endCursor');
    command
      .optionsGroup('Subscriptions:')
      .addOption(
        new Option(
          '--transport <how>',
          'receive results over server-sent events or a WebSocket',
        ).choices(['sse', 'ws']),
      )
      .option('--count <n>', 'stop after N results', count)
      .option(
        '--connection-params <json>',
        'parameters to open a WebSocket with: JSON, @FILE, or -',
      );
    addResultOptions(command)
      .option('--stream', 'print each part of an @defer or @stream answer as a JSON line')
      .option(...MAX_RESPONSE);
  },
  help: {
    notes: `
        The response is printed unchanged. Its errors are also reported on stderr, with exit code 14.

        The parts of an @defer or @stream answer are merged, unless --stream prints each of them.

        -F and -f set variables by their declared types: 123 is text for a String and a number for
        an Int. k[]=ITEM adds to a list, k[field]=VALUE sets a field, and -F k=@FILE reads a file.
        A list or an object may be JSON or GraphQL: -F 'filter={labels: ["x"]}'. k=[] is an empty list.

        If --paginate ends early, the error gives the cursor to continue from, and the exit code is
        not 0.

        A subscription writes a JSON line for each result: over server-sent events, or over a
        WebSocket for a ws:// or wss:// address and with --transport ws. --max-time ends it with
        exit code 6.`,
    examples: [
      "mop gql '{ bills(last: 3) { date count total } }' --env sandbox",
      'mop gql @query.graphql -F last=3 --operation LastBills --raw',
      "mop gql 'mutation ($t: String!) { detect(text: $t) { level } }' -f t='You only need me.' --env sandbox",
      "mop gql 'subscription { rideProgress { step } }' --count 2 --env sandbox",
    ],
    failures: ['config', 'api', 'network', 'graphql'],
  },
  load: async () => (await import('./gql.run.ts')).run,
  commands: [gqlValidate, gqlSchema, gqlDiff, gqlRun, gqlHelp],
};
