import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { largest } from '../any-length.ts';
import { MopError } from '../errors.ts';
import { object, withMember } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import { type JsonValue, member } from '../json/value.ts';
import type { GraphqlRequest } from './request.ts';
import type { GraphqlResponse } from './response.ts';

/** The variable for the cursor after which a page begins, and the field of `pageInfo` with it. */
export const CURSOR = 'endCursor';

/** The names of the members that lead to a field of the result. A list adds no name. */
export type ResultPath = readonly string[];

/** The response for one page. */
export interface Page extends GraphqlResponse {
  /** The length of the longest list beside `pageInfo`, such as `nodes`. */
  readonly itemCount: number;
  /** `$endCursor` of the next page: any JSON. Undefined if no page can follow. */
  readonly nextCursor: JsonValue | undefined;
  /** The path of another connection that has a next page, on this page or one before. */
  readonly otherPages: string | undefined;
}

/**
 * Executes a query page by page, like `gh api graphql --paginate`. The variable `$endCursor` receives
 * the cursor at the end of the previous page, from the `pageInfo` of the paged field.
 *
 * @param path The path of the paged field in the result: {@link pagedField}.
 * @param send Sends the request for one page.
 * @throws {MopError} `graphql` after a page that may not be the last one, but gives no cursor for the
 *   next; the errors of `send`.
 */
export async function* pages(
  request: GraphqlRequest,
  path: ResultPath,
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): AsyncGenerator<Page> {
  let { variables = object({}) } = request;
  const seen = new Set<string>();
  let other: string | undefined;
  for (;;) {
    const given = member(variables, CURSOR);
    if (given) seen.add(printJson(given));
    const response = await send({ ...request, variables });
    const lists: (readonly JsonValue[])[] = [];
    const connections = valuesAt(response.data, path, lists);
    // Without any item above the connections, there is nothing to page through.
    const isEmpty = connections.length === 0 && lists.some(({ length }) => length === 0);
    const isInList = lists.length > 0;
    const { cursor, fault } = isEmpty ? {} : nextPage(connections, path.join('.'), seen, isInList);
    other ??= continuedPaths(response.data, path).next().value;
    const itemCount = countItems(connections);
    yield { ...response, itemCount, nextCursor: cursor, otherPages: other };
    if (fault) throw fault;
    if (!cursor) return;
    variables = withMember(variables, CURSOR, cursor);
  }
}

/**
 * The path in the result of the one field that takes `$endCursor`.
 *
 * @throws {MopError} `usage` for an operation that does not support paging.
 */
export function pagedField(
  document: DocumentNode,
  { operation, variableDefinitions = [], selectionSet }: OperationDefinitionNode,
): ResultPath {
  const declared = variableDefinitions.some(({ variable }) => variable.name.value === CURSOR);
  const fields = fieldsIn(selectionSet, document);
  const taking = fields.filter(({ node }) =>
    (node.arguments ?? []).some(({ value }) => takesCursor(value)),
  );
  // A field may be selected several times, such as in two fragments.
  const names = [...new Set(taking.map(({ path }) => path.join('.')))];
  if (names.length > 1) {
    throw new MopError(
      'usage',
      `--paginate follows one field, and several take $endCursor: ${names.join(', ')}`,
      {
        hint: 'run a query for each of these fields',
      },
    );
  }
  const path = taking[0]?.path ?? [];
  const hasInfo = ['hasNextPage', CURSOR].every((name) => {
    const wanted = [...path, 'pageInfo', name].join('.');
    return fields.some((field) => field.path.join('.') === wanted && !field.node.alias);
  });
  if (operation === 'query' && declared && taking.length > 0 && hasInfo) return path;
  throw new MopError('usage', '--paginate needs a query that can be paged through', {
    hint: 'declare $endCursor: String, pass it to a field (after: $endCursor), and select pageInfo { hasNextPage endCursor } there',
  });
}

interface PlacedField {
  readonly path: ResultPath;
  readonly node: FieldNode;
}

const MAX_SPREADS = 10_000;

/**
 * All fields of a selection, those of its fragments included.
 *
 * @param within The fragments around the selection: the server rejects one that spreads itself.
 * @param spread The places of spread fragments: in one place, a fragment has the same fields again.
 * @throws {MopError} `usage` for too many places, whose number can grow exponentially.
 */
function fieldsIn(
  selectionSet: SelectionSetNode | undefined,
  document: DocumentNode,
  above: ResultPath = [],
  within: readonly string[] = [],
  spread = new Set<string>(),
): PlacedField[] {
  return (selectionSet?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) {
      const path = [...above, (node.alias ?? node.name).value];
      return [{ path, node }, ...fieldsIn(node.selectionSet, document, path, within, spread)];
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return fieldsIn(node.selectionSet, document, above, within, spread);
    }
    const name = node.name.value;
    const place = [...above, name].join('.');
    if (within.includes(name) || spread.has(place)) return [];
    spread.add(place);
    if (spread.size > MAX_SPREADS) {
      throw new MopError('usage', 'the query spreads fragments in more than 10,000 places', {
        hint: 'leave out --paginate, or select less',
      });
    }
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    ) as FragmentDefinitionNode | undefined;
    return fieldsIn(fragment?.selectionSet, document, above, [...within, name], spread);
  });
}

function takesCursor(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return value.name.value === CURSOR;
  if (value.kind === Kind.LIST) return value.values.some(takesCursor);
  return value.kind === Kind.OBJECT && value.fields.some((field) => takesCursor(field.value));
}

/** The cursor of the next page, or the reason why there may be a page without a usable cursor. */
function nextPage(
  connections: readonly JsonValue[],
  name: string,
  seen: ReadonlySet<string>,
  isInList: boolean,
): { readonly cursor?: JsonValue; readonly fault?: MopError } {
  const fault = (message: string, hint = 'to examine the last page, leave out --paginate') => ({
    fault: new MopError('graphql', `more pages may follow: ${name} ${message}`, { hint }),
  });
  const infos = connections.map((connection) => member(connection, 'pageInfo'));
  if (infos.length === 0 || infos.some((info) => hasNextPage(info) === undefined)) {
    return fault('has no pageInfo with a Boolean hasNextPage');
  }
  const continued = infos.filter(hasNextPage);
  if (continued.length === 0) return {};
  const cursor = member(continued[0], CURSOR);
  if (!cursor || cursor.kind === 'null') return fault('has a next page, but no endCursor');
  const shown = printJson(cursor);
  // The items of a list may be others, or in another order, on the next page.
  if (isInList) {
    const count = `${continued.length} of ${infos.length} have a next page, the first after ${shown}`;
    return fault(`is in a list, and ${count}`, 'run a query for each item of the list');
  }
  return seen.has(shown) ? fault(`has the same endCursor twice: ${shown}`) : { cursor };
}

/** The paths of the connections beside the paged one that have a next page. */
function* continuedPaths(
  value: JsonValue | undefined,
  paged: ResultPath,
  path: ResultPath = [],
): Generator<string> {
  if (value?.kind === 'array') {
    for (const item of value.items) yield* continuedPaths(item, paged, path);
  } else if (value?.kind === 'object') {
    const name = path.join('.');
    if (name !== paged.join('.') && hasNextPage(member(value, 'pageInfo'))) yield name;
    for (const each of value.members)
      yield* continuedPaths(each.value, paged, [...path, each.name]);
  }
}

function hasNextPage(info: JsonValue | undefined): boolean | undefined {
  const value = member(info, 'hasNextPage');
  return value?.kind === 'boolean' ? value.value : undefined;
}

function countItems(connections: readonly JsonValue[]): number {
  const counts = connections.map((connection) => {
    const members = connection.kind === 'object' ? connection.members : [];
    const lists = members.map(({ value }) => (value.kind === 'array' ? value.items.length : 0));
    return largest(lists);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The values at a path. A field of another type of object is absent; null ends the path.
 *
 * @param lists Receives the lists on the way.
 */
function valuesAt(
  value: JsonValue | undefined,
  path: ResultPath,
  lists: (readonly JsonValue[])[],
): JsonValue[] {
  if (value?.kind === 'array') {
    lists.push(value.items);
    return value.items.flatMap((item) => valuesAt(item, path, lists));
  }
  const [name, ...further] = path;
  if (!value) return [];
  if (name === undefined || value.kind === 'null') return [value];
  return valuesAt(member(value, name), further, lists);
}
