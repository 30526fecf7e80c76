import {
  type ASTNode,
  type DocumentNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  type TypeNode,
  visit,
} from 'graphql';
import { linksIn } from './known-definitions.ts';

/** The types with which the members of Federation answer their gateway. */
const OF_SUBGRAPHS: readonly string[] = ['_Entity', '_Service'];

/**
 * The schema that clients of a gateway see; Rover calls it the API schema. Elements with a hidden
 * type are hidden too, because another subgraph may hide them.
 */
export function clientView(document: DocumentNode): DocumentNode {
  const links = linksIn(document.definitions);
  const isInaccessible = (node: ASTNode): boolean =>
    'directives' in node &&
    (node.directives ?? []).some(
      ({ name }) => links.original(`@${name.value}`) === '@inaccessible',
    );
  const hidden = new Set([
    ...OF_SUBGRAPHS,
    ...document.definitions.filter(isInaccessible).map(nameOf),
  ]);
  const isHiddenType = (name: string): boolean => hidden.has(name) || links.isOfGateway(name);
  const isHidden = (node: ASTNode): boolean => {
    switch (node.kind) {
      case Kind.DIRECTIVE:
        return node.name.value === 'link' || links.isOfGateway(`@${node.name.value}`);
      case Kind.DIRECTIVE_DEFINITION:
        return links.isOfGateway(`@${node.name.value}`);
      case Kind.FIELD_DEFINITION:
      case Kind.INPUT_VALUE_DEFINITION:
        return isInaccessible(node) || isHiddenType(namedType(node.type));
      case Kind.ENUM_VALUE_DEFINITION:
        return isInaccessible(node);
      default:
        return (
          (isTypeDefinitionNode(node) || isTypeExtensionNode(node)) && isHiddenType(node.name.value)
        );
    }
  };
  return visit(document, {
    enter: (node, key) => {
      // In a list: a member of a union, or an interface.
      const isMember = node.kind === Kind.NAMED_TYPE && typeof key === 'number';
      return isHidden(node) || (isMember && isHiddenType(nameOf(node))) ? null : undefined;
    },
  });
}

function nameOf(node: ASTNode): string {
  return 'name' in node ? (node.name?.value ?? '') : '';
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
