import { type ASTNode, type DefinitionNode, Kind, print, visit } from 'graphql';

/** The types and directives that gateways and the members of Federation use among themselves. */
const INTERNAL = /^(?:_Any|_Entity|_FieldSet|_Service|(?:core|federation|join|link)__.+)$/;

const INACCESSIBLE = /^(?:\w{1,100}__)?inaccessible$/;

/**
 * The part of a schema that the clients of its gateway see: without `@inaccessible` elements, and
 * without the fields, types and directives of Federation itself. Rover calls it the API schema.
 */
export function clientView(definition: DefinitionNode): readonly DefinitionNode[] {
  if (isHidden(definition)) return [];
  return [visit(definition, { enter: (node) => (isHidden(node) ? null : undefined) })];
}

function isHidden(node: ASTNode): boolean {
  if (node.kind === Kind.NAMED_TYPE || node.kind === Kind.ARGUMENT) return false;
  const directives = 'directives' in node ? (node.directives ?? []) : [];
  return INTERNAL.test(keyOf(node)) || directives.some(({ name }) => INACCESSIBLE.test(name.value));
}

/** The name of a node; of a field, the name of its type: `_service` has the type `_Service`. */
function keyOf(node: ASTNode): string {
  if (node.kind === Kind.FIELD_DEFINITION) return print(node.type).replace(/[[\]!]/g, '');
  return 'name' in node ? (node.name?.value ?? '') : '';
}
