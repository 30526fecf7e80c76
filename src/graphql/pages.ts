import { type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { MopError } from '../errors.ts';
import { type JsonValue, member, withMember } from '../signing/json.ts';
import type { GraphqlRequest } from './request.ts';
import type { GraphqlResponse } from './response.ts';

/** The variable that takes where a page ends, and the next begins. */
const CURSOR = 'endCursor';

const NONE: JsonValue = { kind: 'object', members: [] };

/**
 * Carries out a query page by page, as `gh api graphql --paginate` does: `$endCursor` is where the
 * page before ended, by the `pageInfo` of the field that takes it.
 *
 * @param connections The names in the result of the fields that take it: {@link pagedFields}.
 * @param send One exchange.
 * @returns Each response.
 * @throws {MopError} `api` when a cursor does not move, and what `send` throws.
 */
export async function* pages(
  request: GraphqlRequest,
  connections: ReadonlySet<string>,
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): AsyncGenerator<GraphqlResponse> {
  let { variables = NONE } = request;
  const seen = new Set<string>();
  for (;;) {
    const response = await send({ ...request, variables });
    yield response;
    const cursor = nextCursor(response.data, connections);
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      throw new MopError('api', `the server gave the same endCursor twice: ${cursor}`, {
        hint: 'the pages would never end; does the field take $endCursor as its after?',
      });
    }
    seen.add(cursor);
    variables = withMember(variables, CURSOR, { kind: 'string', value: cursor });
  }
}

/**
 * The names in the result of the fields that take `$endCursor`.
 *
 * @throws {MopError} `usage` for a document that cannot be paged through.
 */
export function pagedFields(
  document: DocumentNode,
  { operation, variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlySet<string> {
  const declared = variableDefinitions.some(({ variable }) => variable.name.value === CURSOR);
  const connections = new Set<string>();
  const names = new Set<string>();
  visit(document, {
    Field({ name, alias, arguments: given = [] }) {
      names.add(name.value);
      const takesCursor = given.some(
        ({ value }) => value.kind === Kind.VARIABLE && value.name.value === CURSOR,
      );
      if (takesCursor) connections.add((alias ?? name).value);
    },
  });
  const hasInfo = ['pageInfo', 'hasNextPage', CURSOR].every((name) => names.has(name));
  if (operation === 'query' && declared && connections.size > 0 && hasInfo) return connections;
  throw new MopError('usage', '--paginate needs a query that can be paged through', {
    hint: 'it declares $endCursor: String, gives it to a field (after: $endCursor), and asks that field for pageInfo { hasNextPage endCursor }',
  });
}

/** Where the next page begins; undefined on the last. The outermost connection counts. */
function nextCursor(
  data: JsonValue | undefined,
  connections: ReadonlySet<string>,
): string | undefined {
  let level = data ? [data] : [];
  while (level.length > 0) {
    const members = level.flatMap((value) => (value.kind === 'object' ? value.members : []));
    for (const { name, value } of members) {
      const info = connections.has(name) ? member(value, 'pageInfo') : undefined;
      const cursor = member(info, CURSOR);
      const more = member(info, 'hasNextPage');
      if (more?.kind === 'boolean' && more.value && cursor?.kind === 'string') return cursor.value;
    }
    const items = level.flatMap((value) => (value.kind === 'array' ? value.items : []));
    level = [...members.map(({ value }) => value), ...items];
  }
  return undefined;
}
