import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { MopError } from '../errors.ts';
import { object, text, withMember } from '../json/build.ts';
import { type JsonValue, member } from '../json/value.ts';
import type { GraphqlRequest } from './request.ts';
import type { GraphqlResponse } from './response.ts';

/** The variable that takes where a page ends, and the next begins. */
const CURSOR = 'endCursor';

/** The way to a field of the result, by the names that stand there; through lists it goes on. */
export type ResultPath = readonly string[];

/**
 * Carries out a query page by page, as `gh api graphql --paginate` does: `$endCursor` is where the
 * page before ended, by the `pageInfo` of the field that takes it.
 *
 * @param paths Where those fields stand in the result, the outermost first: {@link pagedFields}.
 * @param send One exchange.
 * @returns Each response.
 * @throws {MopError} `api` when a cursor does not move, and what `send` throws.
 */
export async function* pages(
  request: GraphqlRequest,
  paths: readonly ResultPath[],
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): AsyncGenerator<GraphqlResponse> {
  let { variables = object({}) } = request;
  const seen = new Set<string>();
  for (;;) {
    const response = await send({ ...request, variables });
    yield response;
    const cursor = nextCursor(response.data, paths);
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      throw new MopError('api', `the server gave the same endCursor twice: ${cursor}`, {
        hint: 'the pages would never end; does the field take $endCursor as its after?',
      });
    }
    seen.add(cursor);
    variables = withMember(variables, CURSOR, text(cursor));
  }
}

/**
 * Where in the result the fields stand that take `$endCursor`, the outermost first.
 *
 * @throws {MopError} `usage` for an operation that cannot be paged through.
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
    hint: 'it declares $endCursor: String, gives it to a field (after: $endCursor), and asks that field for pageInfo { hasNextPage endCursor }',
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
      // One that spreads itself is for the server to refuse.
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

/** Where the next page begins; undefined on the last. The outermost field that is there decides. */
function nextCursor(data: JsonValue | undefined, paths: readonly ResultPath[]): string | undefined {
  for (const path of paths) {
    const infos = valuesAt(data, [...path, 'pageInfo']);
    for (const info of infos) {
      const more = member(info, 'hasNextPage');
      const cursor = member(info, CURSOR);
      if (more?.kind === 'boolean' && more.value && cursor?.kind === 'string') return cursor.value;
    }
    if (infos.length > 0) return undefined;
  }
  return undefined;
}

function valuesAt(value: JsonValue | undefined, path: ResultPath): JsonValue[] {
  if (value?.kind === 'array') return value.items.flatMap((item) => valuesAt(item, path));
  const [name, ...further] = path;
  if (name === undefined) return value ? [value] : [];
  return valuesAt(member(value, name), further);
}
