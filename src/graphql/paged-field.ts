import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { MopError } from '../errors.ts';

/** The variable for the cursor after which a page begins, and the field of `pageInfo` with it. */
export const CURSOR = 'endCursor';

/** The names of the members that lead to a field of the result. A list adds no name. */
export type ResultPath = readonly string[];

/** The path in the result of the one field that takes `$endCursor`. */
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
    const message = `--paginate follows one field, and several take $endCursor: ${names.join(', ')}`;
    throw new MopError('usage', message, { hint: 'run a query for each of these fields' });
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
const MAX_DEPTH = 500;

/**
 * All fields of a selection with those of its fragments. `within` are the fragments around it: the
 * server rejects one that spreads itself. `spread` are the places of spread fragments: there, the
 * same fields would come again. Their number can grow exponentially.
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
    if (spread.size > MAX_SPREADS || within.length > MAX_DEPTH) {
      throw new MopError('usage', 'the query spreads fragments in too many places', {
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
