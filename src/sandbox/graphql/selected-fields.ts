import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { MAX_REMEMBERED } from './state.ts';

/** The lengths of lists of objects that no argument limits. More hits in one text are rare. */
const LIST_LENGTHS: Readonly<Record<string, number>> = { detections: MAX_REMEMBERED, hits: 50 };

interface Limits {
  readonly first?: number;
  readonly last?: number;
  readonly ids?: readonly string[];
}

/**
 * The maximum number of fields in the result of a valid operation; 0 for invalid variables.
 * Introspection counts once: a rule of validation limits its depth.
 */
export function selectedFields(args: ExecutionArgs): number {
  const { schema, document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return 0;
  const definitions = operation.variableDefinitions ?? [];
  const { coerced } = getVariableValues(schema, definitions, variableValues ?? {});
  return coerced ? fieldCounter(args, coerced)(operation.selectionSet, root) : 0;
}

type FieldCounter = (selectionSet: SelectionSetNode, type: GraphQLNamedType | undefined) => number;

function fieldCounter(
  { schema, document }: ExecutionArgs,
  variables: Readonly<Record<string, unknown>>,
): FieldCounter {
  const counts = new Map<FragmentDefinitionNode, number>();
  const fragments = new Map(
    document.definitions
      .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

  const inSelection: FieldCounter = ({ selections }, type) =>
    selections.reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + inField(node, type);
      if (node.kind === Kind.FRAGMENT_SPREAD) return sum + inFragment(node.name.value);
      const condition = node.typeCondition && schema.getType(node.typeCondition.name.value);
      return sum + inSelection(node.selectionSet, condition ?? type);
    }, 0);

  const inField = (node: FieldNode, type: GraphQLNamedType | undefined): number => {
    const hasFields = isObjectType(type) || isInterfaceType(type);
    const field = hasFields ? type.getFields()[node.name.value] : undefined;
    if (!field || !node.selectionSet) return 1;
    const { first, last, ids }: Limits = getArgumentValues(field, node, variables);
    const length = first ?? last ?? ids?.length ?? LIST_LENGTHS[field.name] ?? 1;
    return 1 + Math.max(1, length) * inSelection(node.selectionSet, getNamedType(field.type));
  };

  // Each fragment is counted once, for any number of spreads.
  const inFragment = (name: string): number => {
    const fragment = fragments.get(name);
    if (!fragment) return 0;
    const type = schema.getType(fragment.typeCondition.name.value);
    const count = counts.get(fragment) ?? inSelection(fragment.selectionSet, type);
    counts.set(fragment, count);
    return count;
  };

  return inSelection;
}
