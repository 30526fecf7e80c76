import { MopError, quoted } from '../../../errors.ts';
import type { OperationKind } from '../../../graphql/request.ts';
import type { TransportKind } from './delivery.ts';
import type { GqlOptions } from './gql-options.ts';

/** The options of a call, with the kind of its operation and its transport. */
interface Facts extends Omit<GqlOptions, 'transport'> {
  readonly kind: OperationKind;
  readonly transport: TransportKind;
}

const ADD_SCHEMA = 'add --schema with a file or URL, or leave out the option';

/** Each with a message and a hint. By default, the hint is to leave out the first option. */
const CONFLICTS: readonly (readonly [
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
  [(is) => is.stream && is.paginate, '--stream prints parts, and --paginate whole pages'],
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

/** @throws {MopError} `usage` for options that conflict with each other or with the operation. */
export function checkOptions(facts: Facts): void {
  const [, message, hint] = CONFLICTS.find(([applies]) => applies(facts)) ?? [];
  if (message === undefined) return;
  const [option = ''] = message.split(' ');
  throw new MopError('usage', message, { hint: hint ?? quoted`leave out ${option}` });
}
