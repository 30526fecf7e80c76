import { largest } from '../any-length.ts';
import { MopError } from '../errors.ts';
import { list, object, withMember } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import { type JsonValue, member } from '../json/value.ts';
import { CURSOR, type ResultPath } from './paged-field.ts';
import type { GraphqlRequest } from './request.ts';
import type { GraphqlResponse } from './response.ts';

export interface Page extends GraphqlResponse {
  /** The length of the longest list beside `pageInfo`, such as `nodes`. */
  readonly itemCount: number;
  /** `$endCursor` of the next page: any JSON. Undefined if no page can follow. */
  readonly nextCursor: JsonValue | undefined;
  /** The path of another connection that has a next page, on this page or one before. */
  readonly otherPages: string | undefined;
}

/**
 * Executes a query page by page. `$endCursor` receives the cursor of the page before. Throws
 * `graphql` after a page that may not be the last one, but has no cursor for the next.
 */
export async function* pages(
  request: GraphqlRequest,
  path: ResultPath,
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): AsyncGenerator<Page> {
  let { variables = object({}) } = request;
  const seen = new Set<string>();
  let other: string | undefined;
  let owners: string | undefined;
  for (;;) {
    const given = member(variables, CURSOR);
    if (given) seen.add(printJson(given));
    const response = await send({ ...request, variables });
    const lists: (readonly JsonValue[])[] = [];
    const connections = valuesAt(response.data, path, lists);
    const found = ownersIn(lists);
    const isOther = owners !== undefined && owners !== found;
    owners = found;
    const place = { name: path.join('.'), owners, isOther, isInList: lists.length > 0 };
    const { cursor, fault } = nextPage(connections, place, seen);
    other ??= continuedPaths(response.data, path).next().value;
    const itemCount = countItems(connections);
    yield { ...response, itemCount, nextCursor: cursor, otherPages: other };
    if (fault) throw fault;
    if (!cursor) return;
    variables = withMember(variables, CURSOR, cursor);
  }
}

interface Place {
  readonly name: string;
  readonly isInList: boolean;
  /** The ids of the items of lists around them; undefined if an item has no id. */
  readonly owners: string | undefined;
  /** Whether they were others on the page before. */
  readonly isOther: boolean;
}

/** The fields that identify an item, the best first. */
const IDS: readonly string[] = ['id', '_id', 'ID', 'uuid', 'databaseId', 'key', 'slug', 'number'];

function ownersIn(lists: readonly (readonly JsonValue[])[]): string | undefined {
  const ids = lists
    .flat()
    .map((item) =>
      IDS.map((name) => member(item, name)).find(
        (id) => id?.kind === 'string' || id?.kind === 'number',
      ),
    );
  const known = ids.filter((id) => id !== undefined);
  return known.length === ids.length && ids.length > 0 ? printJson(list(known)) : undefined;
}

/** The cursor of the next page, or the reason why there may be a page without a usable cursor. */
function nextPage(
  connections: readonly JsonValue[],
  { name, owners, isOther, isInList }: Place,
  seen: ReadonlySet<string>,
): { readonly cursor?: JsonValue; readonly fault?: MopError } {
  const fault = (message: string) => ({
    fault: new MopError('graphql', `more pages may follow: ${name} ${message}`, {
      hint: 'leave out --paginate to see the last page; in a list, select the id of the items, or run a query for each',
    }),
  });
  if (isOther) return fault('is in a list, and this page is of another item');
  // Without any item above the connections, there is nothing to page through.
  if (isInList && connections.length === 0) return {};
  const infos = connections.map((connection) => member(connection, 'pageInfo'));
  if (infos.length === 0 || infos.some((info) => hasNextPage(info) === undefined)) {
    return fault('has no pageInfo with a Boolean hasNextPage');
  }
  const continued = infos.filter(hasNextPage);
  if (continued.length === 0) return {};
  const cursor = member(continued[0], CURSOR);
  if (!cursor || cursor.kind === 'null') return fault('has a next page, but no endCursor');
  const shown = printJson(cursor);
  if (infos.length > 1) {
    const count = `${continued.length} of ${infos.length} have a next page, the first after ${shown}`;
    return fault(`is in a list, and ${count}`);
  }
  if (isInList && owners === undefined) {
    return fault(`is in a list, and has a next page after ${shown}`);
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
    const place = path.join('.');
    if (place !== paged.join('.') && hasNextPage(member(value, 'pageInfo'))) yield place;
    for (const { name, value: inner } of value.members) {
      yield* continuedPaths(inner, paged, [...path, name]);
    }
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

/** The values at a path, and the lists on the way. Null ends the path. */
function valuesAt(
  value: JsonValue | undefined,
  path: ResultPath,
  lists: (readonly JsonValue[])[],
): JsonValue[] {
  if (value?.kind === 'array') {
    const items = value.items.filter(({ kind }) => kind !== 'null');
    lists.push(items);
    return items.flatMap((item) => valuesAt(item, path, lists));
  }
  const [name, ...further] = path;
  if (!value) return [];
  if (name === undefined || value.kind === 'null') return [value];
  return valuesAt(member(value, name), further, lists);
}
