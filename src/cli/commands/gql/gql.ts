import { Option } from 'commander';
import type { CommandDeclaration } from '../../frame/command.ts';
import { collect, count } from '../../frame/option-values.ts';
import { addFieldOptions, MAX_RESPONSE } from '../request-options.ts';
import {
  ASSUME_VALID,
  addEndpointOptions,
  addOperationOptions,
  addResultOptions,
  SCHEMA_FLAG,
  SCHEMA_HELP,
} from './gql-options.ts';
import { gqlHelp } from './help.ts';

const gqlRun: CommandDeclaration = {
  name: 'run',
  description: 'Execute an operation on this machine, against JSON data.',
  declare: (command) => {
    command
      .argument('<document>', 'the operations: the text, @FILE, or - for stdin')
      .option(SCHEMA_FLAG, `SDL or introspection JSON: ${SCHEMA_HELP}`, collect)
      .option('--data <file>', 'the data: an object with the fields of the root types')
      .option('--refresh', 'fetch the schema of a URL again; it is cached for an hour')
      .option(...ASSUME_VALID);
    addOperationOptions(addFieldOptions(command, 'variable').optionsGroup('Operation:'));
    addResultOptions(command);
  },
  help: {
    notes: `
        bill(date: "2026-11-19") selects the bills whose field date has this value. An argument
        without a scalar field of its name has no effect. For an interface or a union, "__typename" in the data names the
        type. A mutation returns the data of the same name; its arguments, and the members of an
        input object, replace the fields of the same name and type. The data file is not changed.`,
    examples: [
      `mop gql run '{ bill(date: "2026-11-19") { total } }' --schema schema.graphql --data data.json`,
      'mop gql run @query.graphql --schema schema.graphql --data data.json -F date=2026-11-19 --raw',
    ],
    failures: ['api', 'network', 'graphql'],
  },
  load: async () => (await import('./run.run.ts')).run,
};

const gqlSchema: CommandDeclaration = {
  name: 'schema',
  description: 'Print the schema of an endpoint or a file.',
  declare: (command) => {
    command
      .argument(
        '[file-or-url]',
        'the URL of an endpoint, or a file with a schema; gql_url by default',
      )
      .addOption(
        new Option(
          '--as <form>',
          'SDL, the schema language (default), or introspection JSON',
        ).choices(['sdl', 'json']),
      )
      .option(...ASSUME_VALID);
    addEndpointOptions(command);
  },
  help: {
    examples: [
      'mop gql schema --env sandbox',
      "mop gql schema https://api.example/graphql -H 'Authorization: Bearer TOKEN' > schema.graphql",
      'mop gql schema schema.graphql --as json',
    ],
    failures: ['config', 'api', 'network', 'graphql'],
  },
  load: async () => (await import('./schemas.run.ts')).schema,
};

const gqlValidate: CommandDeclaration = {
  name: 'validate',
  description: 'Check documents against a schema.',
  declare: (command) => {
    command
      .argument('[file...]', 'the documents: files, directories, quoted patterns, or - for stdin')
      .optionsGroup('Schema:')
      .option(SCHEMA_FLAG, `SDL or introspection JSON: ${SCHEMA_HELP}`, collect)
      .option('--refresh', 'fetch the schema again; it is cached for an hour')
      .option(...ASSUME_VALID);
    addEndpointOptions(command);
  },
  help: {
    notes: `
        Without --schema and FILE, the schema and the documents of a .graphqlrc file are used, in the
        current directory or above it; without a schema there, the schema of the endpoint. Fragments
        may be in any of the files. The directives and scalars of Federation and AppSync are known.
        Deprecated fields and values are warnings. Exit code 14: a document is invalid.`,
    examples: [
      "mop gql validate 'queries/**/*.graphql' --schema schema.graphql",
      'mop gql validate queries --schema schema.graphql --schema extensions.graphql',
      'mop gql validate query.graphql --schema https://api.example/graphql --json',
      'mop gql validate query.graphql --env sandbox',
    ],
    failures: ['config', 'api', 'network', 'graphql'],
  },
  load: async () => (await import('./schemas.run.ts')).validate,
};

const gqlDiff: CommandDeclaration = {
  name: 'diff',
  description: 'Show the breaking changes of a new schema.',
  declare: (command) => {
    command
      .argument('<old>', 'the schema before: a file, directory, pattern, git:REF:PATH or URL')
      .argument('<new>', 'the schema after')
      .option('--allow-deprecated-removal', 'accept the removal of fields that were deprecated')
      .option('-H, --header <line>', "send the header 'Name: value' to URLs, repeatable", collect)
      .option(...ASSUME_VALID);
  },
  help: {
    notes: `
        A breaking change makes valid documents invalid; the exit code is 14 when there is one. The
        removal of something that was deprecated is listed by itself. A dangerous change may cause
        errors in clients. Additions are not shown.

        The directives and scalars of Federation and AppSync are known. An introspection does not
        contain the directives of a schema, so they are compared only between SDL.`,
    examples: [
      'mop gql diff git:main:schema.graphql schema.graphql',
      'mop gql diff schema.graphql https://api.example/graphql',
      'mop gql diff before.graphql after.graphql --json',
    ],
    failures: ['api', 'network', 'graphql'],
  },
  load: async () => (await import('./schemas.run.ts')).diff,
};

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
  load: async () => (await import('./gql.run.ts')).query,
  commands: [gqlValidate, gqlSchema, gqlDiff, gqlRun, gqlHelp],
};
