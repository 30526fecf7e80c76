import { type ASTNode, type DefinitionNode, Kind, visit } from 'graphql';

/** The names that gateways and the members of Federation use among themselves. */
const INTERNAL =
  /^(?:_Any|_Entity|_FieldSet|_Service|_entities|_service|(?:core|federation|join|link)__.+)$/;

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
  const isInternal = 'name' in node && INTERNAL.test(node.name?.value ?? '');
  const directives = 'directives' in node ? (node.directives ?? []) : [];
  return isInternal || directives.some(({ name }) => INACCESSIBLE.test(name.value));
}
