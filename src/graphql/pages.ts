import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { largest } from '../any-length.ts';
import { MopError } from '../errors.ts';
import { object, text, withMember } from '../json/build.ts';
import { type JsonValue, member } from '../json/value.ts';
import type { GraphqlRequest } from './request.ts';
import type { GraphqlResponse } from './response.ts';

/** The variable for the cursor after which a page begins, and the field of `pageInfo` with it. */
export const CURSOR = 'endCursor';

/** The names of the members that lead to a field of the result. A list adds no name. */
export type ResultPath = readonly string[];

/** The response for one page. */
export interface Page extends GraphqlResponse {
  /** The length of the longest list beside `pageInfo`, such as `nodes`, in all paged objects together. */
  readonly itemCount: number;
  /** `$endCursor` of the next page; undefined after the last page, or for a repeated cursor. */
  readonly nextCursor: string | undefined;
}

/**
 * Executes a query page by page, like `gh api graphql --paginate`. The variable `$endCursor` receives
 * the cursor at the end of the previous page, from the `pageInfo` of the paged field.
 *
 * @param paths The paths of the paged fields in the result, the outermost first: {@link pagedFields}.
 * @param send Sends the request for one page.
 * @throws {MopError} `api` when a cursor repeats, and the errors of `send`.
 */
export async function* pages(
  request: GraphqlRequest,
  paths: readonly ResultPath[],
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): AsyncGenerator<Page> {
  let { variables = object({}) } = request;
  const seen = new Set<string>();
  for (;;) {
    const response = await send({ ...request, variables });
    const connections = connectionsIn(response.data, paths);
    const cursor = cursorAfter(connections);
    const isRepeated = cursor !== undefined && seen.has(cursor);
    const nextCursor = isRepeated ? undefined : cursor;
    yield { ...response, itemCount: countItems(connections), nextCursor };
    if (cursor === undefined) return;
    if (isRepeated) {
      throw new MopError('api', `the server returned the same endCursor twice: ${cursor}`, {
        hint: 'to examine that page, run the query without --paginate, with -f endCursor=CURSOR',
      });
    }
    seen.add(cursor);
    variables = withMember(variables, CURSOR, text(cursor));
  }
}

/**
 * The paths in the result of the fields that take `$endCursor`, the outermost first.
 *
 * @throws {MopError} `usage` for an operation that does not support paging.
 */
export function pagedFields(
  document: DocumentNode,
  { operation, variableDefinitions = [], selectionSet }: OperationDefinitionNode,
): readonly ResultPath[] {
  const declared = variableDefinitions.some(({ variable }) => variable.name.value === CURSOR);
  const fields = fieldsIn(selectionSet, document);
  const paged = fields.filter(({ node }) => takesCursor(node));
  const hasInfo = ({ path }: PlacedField): boolean =>
    ['hasNextPage', CURSOR].every((name) =>
      fields.some((field) => isAt(field, [...path, 'pageInfo', name]) && !field.node.alias),
    );
  if (operation === 'query' && declared && paged.length > 0 && paged.every(hasInfo)) {
    return paged.map(({ path }) => path).sort((a, b) => a.length - b.length);
  }
  throw new MopError('usage', '--paginate needs a query that can be paged through', {
    hint: 'declare $endCursor: String, pass it to a field (after: $endCursor), and select pageInfo { hasNextPage endCursor } there',
  });
}

interface PlacedField {
  readonly path: ResultPath;
  readonly node: FieldNode;
}

/** All fields of a selection, those of its fragments included. */
function fieldsIn(
  selectionSet: SelectionSetNode | undefined,
  document: DocumentNode,
  above: ResultPath = [],
  within: readonly FragmentDefinitionNode[] = [],
): PlacedField[] {
  return (selectionSet?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return fieldsIn(node.selectionSet, document, above, within);
    }
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = document.definitions.find(
        (definition) =>
          definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
      ) as FragmentDefinitionNode | undefined;
      // The server rejects a fragment that spreads itself.
      if (!fragment || within.includes(fragment)) return [];
      return fieldsIn(fragment.selectionSet, document, above, [...within, fragment]);
    }
    const path = [...above, (node.alias ?? node.name).value];
    return [{ path, node }, ...fieldsIn(node.selectionSet, document, path, within)];
  });
}

function takesCursor({ arguments: given = [] }: FieldNode): boolean {
  return given.some(({ value }) => value.kind === Kind.VARIABLE && value.name.value === CURSOR);
}

function isAt({ path }: PlacedField, wanted: ResultPath): boolean {
  return path.length === wanted.length && path.every((name, at) => name === wanted[at]);
}

/** The objects of the first path that leads to a `pageInfo`. Only this field is paged. */
function connectionsIn(
  data: JsonValue | undefined,
  paths: readonly ResultPath[],
): readonly JsonValue[] {
  const connections = paths.map((path) =>
    valuesAt(data, path).filter((value) => member(value, 'pageInfo')),
  );
  return connections.find(({ length }) => length > 0) ?? [];
}

/** The cursor of the next page; undefined on the last. */
function cursorAfter(connections: readonly JsonValue[]): string | undefined {
  for (const connection of connections) {
    const info = member(connection, 'pageInfo');
    const more = member(info, 'hasNextPage');
    const cursor = member(info, CURSOR);
    if (more?.kind === 'boolean' && more.value && cursor?.kind === 'string') return cursor.value;
  }
  return undefined;
}

function countItems(connections: readonly JsonValue[]): number {
  const counts = connections.map((connection) => {
    const members = connection.kind === 'object' ? connection.members : [];
    const lists = members.map(({ value }) => (value.kind === 'array' ? value.items.length : 0));
    return largest(lists);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function valuesAt(value: JsonValue | undefined, path: ResultPath): JsonValue[] {
  if (value?.kind === 'array') return value.items.flatMap((item) => valuesAt(item, path));
  const [name, ...further] = path;
  if (name === undefined) return value ? [value] : [];
  return valuesAt(member(value, name), further);
}
