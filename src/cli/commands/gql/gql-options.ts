import type { OperationKind } from '../../../graphql/request.ts';
import type { FieldOption } from '../../context/input.ts';
import type { Command } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import type { AnswerOptions } from '../request-options.ts';
import type { Task } from './delivery.ts';

export interface EndpointOptions {
  readonly endpoint?: string;
  readonly header?: readonly string[];
}

export interface VariableOptions {
  /** `-F` and `-f` share one list. */
  readonly field?: readonly FieldOption[];
  readonly rawField?: readonly FieldOption[];
  /** JSON, `@FILE` or `-`. */
  readonly variables?: string;
}

export interface ResultOptions {
  readonly raw?: boolean;
  readonly allowPartial?: boolean;
}

export interface SchemaOptions {
  /** A file, or the URL of an endpoint. */
  readonly schema?: string;
  readonly refresh?: boolean;
  readonly assumeValidSchema?: boolean;
}

export interface GqlOptions
  extends VariableOptions,
    ResultOptions,
    EndpointOptions,
    SchemaOptions,
    AnswerOptions {
  readonly operation?: string;
  readonly get?: boolean;
  readonly upload?: readonly string[];
  readonly paginate?: boolean;
  readonly transport?: 'sse' | 'ws';
  readonly connectionParams?: string;
  readonly count?: number;
  readonly stream?: boolean;
}

export function addOperationOptions(command: Command): Command {
  return command
    .option('--variables <json>', 'variables as a JSON object: the text, @FILE, or -')
    .option('--operation <name>', 'operation to run; required when the document has several');
}

export function addResultOptions(command: Command): Command {
  return command
    .optionsGroup('Result:')
    .option('--raw', 'print data alone')
    .option('--allow-partial', 'treat data with errors as a success');
}

export function addEndpointOptions(command: Command): Command {
  return command
    .optionsGroup('Endpoint:')
    .option('--endpoint <url>', 'the endpoint, instead of gql_url')
    .option('-H, --header <line>', "send the header 'Name: value', repeatable", collect);
}

/** `--assume-valid-schema`: schemas of real servers have faults too. */
export const ASSUME_VALID = ['--assume-valid-schema', 'accept a schema with faults'] as const;

/** The options of a call, with the kind of its operation and its transport. */
type Facts = Omit<GqlOptions, 'transport'> &
  Pick<Task, 'transport'> & { readonly kind: OperationKind };

const ADD_SCHEMA = 'add --schema with a file or URL, or leave out the option';

/**
 * Options that conflict with each other or with the operation, with a message and a hint. By default,
 * the hint is to leave out the first option of the message.
 */
export const CONFLICTS: readonly (readonly [
  applies: (facts: Facts) => unknown,
  message: string,
  hint?: string,
])[] = [
  [(is) => is.get && is.kind === 'mutation', '--get cannot send a mutation'],
  [(is) => is.get && is.upload, '--get cannot send a file'],
  [(is) => is.get && is.transport === 'ws', '--get belongs to HTTP, and this is a WebSocket'],
  [
    (is) => is.upload && (is.paginate || is.transport !== 'http'),
    '--upload belongs to one request over HTTP',
  ],
  [(is) => is.paginate && is.transport !== 'http', '--paginate applies to queries over HTTP'],
  [(is) => is.count && is.kind !== 'subscription', '--count belongs to a subscription'],
  [(is) => is.stream && is.kind === 'subscription', '--stream belongs to a query or a mutation'],
  [
    (is) => is.stream && is.paginate,
    '--stream prints the parts of one page, and --paginate asks for several',
  ],
  [(is) => is.stream && is.raw, '--raw prints the data of a whole result, and --stream its parts'],
  [
    (is) => is.connectionParams !== undefined && is.transport !== 'ws',
    '--connection-params belongs to WebSockets',
    'add --transport ws, or leave out --connection-params',
  ],
  [
    (is) => is.maxResponse !== undefined && is.transport !== 'http',
    '--max-response limits whole responses, and an event stream has events of up to 64 MiB',
  ],
  [(is) => is.refresh && !is.schema, '--refresh belongs to --schema', ADD_SCHEMA],
  [
    (is) => is.assumeValidSchema && !is.schema,
    '--assume-valid-schema belongs to --schema',
    ADD_SCHEMA,
  ],
];
